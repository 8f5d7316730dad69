// A receiver without a network. It checks for changes, accepts due events and responds as instructed, so that tests can
// proceed event by event.
import type { EngineHost } from "../host.ts";
import type { Sending } from "./delivery.ts";

const SERVER = { home: true } as const;
const ORIGIN = "https://data.example.org";

// biome-ignore lint/suspicious/noExplicitAny: what a foreign receiver sees is JSON without types.
export type Received = any;

export interface ReceiverReply {
  status?: number;
  error?: string;
  answer?: string;
  retry_after_seconds?: number;
}

/** A receiver that always responds correctly. */
export const agreeable = (event: Received): ReceiverReply => ({
  status: 200,
  answer: JSON.stringify({ challenge: event.data.challenge }),
});

export async function look(host: EngineHost): Promise<void> {
  for (;;) {
    const { findings, ended, more } = await host.call("lookForChanges", {}, SERVER);
    if (ended.length > 0) await host.call("endSubscriptions", {}, SERVER);
    if (findings.length > 0) await host.call("noteChanges", { findings }, SERVER);
    if (!more) return;
  }
}

/** Delivers everything that is due, once. Returns what was sent. */
export async function deliver(
  host: EngineHost,
  reply: (event: Received, sending: Sending) => ReceiverReply | Promise<ReceiverReply> = agreeable,
): Promise<Received[]> {
  const sent: Received[] = [];
  const tried = new Set<string>();
  for (;;) {
    const { due } = await host.call("dueEvents", {}, SERVER);
    const next = due.find(({ id }) => !tried.has(id));
    if (next === undefined) return sent;
    tried.add(next.id);
    const sending = await host.call("eventToSend", { id: next.id, origin: ORIGIN }, SERVER);
    if (sending === null) {
      await host.call("dropDisallowedEvents", { ids: [next.id] }, SERVER);
      continue;
    }
    const event = JSON.parse(sending.body) as Received;
    sent.push(event);
    const outcome = { milliseconds: 1, ...(await reply(event, sending)) };
    await host.call("noteDelivery", { id: next.id, covers: sending.covers, outcome }, SERVER);
  }
}
