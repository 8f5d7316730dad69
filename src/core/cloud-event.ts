// Events on the wire: CloudEvents 1.0 in JSON. They say where something changed, but never what.

export const EVENT_TYPES = {
  change: "dev.pdpp.stream.changed",
  challenge: "dev.pdpp.subscription.challenge",
  test: "dev.pdpp.subscription.test",
} as const;

export type EventType = keyof typeof EVENT_TYPES;

export const EVENT_CONTENT_TYPE = "application/cloudevents+json; charset=utf-8";

export interface EventFacts {
  id: string;
  type: EventType;
  /** The server's origin. */
  origin: string;
  subject: string;
  /** When the event was created, in ms. */
  at: number;
  data: Readonly<Record<string, string>>;
}

/** Returns the same text for every attempt, unless the server's origin has changed. */
export function cloudEvent({ id, type, origin, subject, at, data }: EventFacts): string {
  return JSON.stringify({
    specversion: "1.0",
    id,
    source: origin,
    type: EVENT_TYPES[type],
    subject,
    time: new Date(at).toISOString(),
    datacontenttype: "application/json",
    data,
  });
}

export const streamSubject = (connectionId: string, stream: string): string =>
  `${encodeURIComponent(connectionId)}/${encodeURIComponent(stream)}`;

export const changesUrl = (origin: string, connectionId: string, stream: string, since: string): string =>
  `${origin}/v1/streams/${encodeURIComponent(stream)}/records?connection_id=${encodeURIComponent(connectionId)}&changes_since=${since}`;
