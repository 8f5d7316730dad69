// A scripted model: it requests one tool call after another and records what it was shown.
import { createServer } from "node:http";
import type { Loose } from "../../harness.ts";
import { closeServer, listenOn, textOf } from "../wire.ts";

/** A tool call that the model makes, in the host's format. */
export interface Turn {
  name: string;
  args: object;
}

/** A placeholder in a turn's arguments for the cursor in the previous result. */
export const SHOWN_CURSOR = "the cursor that was shown";

/**
 * Fills in the cursor that the model was shown. If no cursor was shown, the placeholder stays, and no server accepts
 * it.
 */
export function filled({ name, args }: Turn, shown: string): Turn {
  const cursor = /next_cursor[\\"]*: *[\\"]*([\w-]+)/.exec(shown)?.[1] ?? SHOWN_CURSOR;
  return { name, args: JSON.parse(JSON.stringify(args).replace(SHOWN_CURSOR, cursor)) as object };
}

/** The API between a host and its model. */
export interface Dialect {
  /** The path of requests that expect the next turn. */
  path: RegExp;
  /** Other requests, with their responses. */
  asides?: readonly (readonly [RegExp, object])[];
  hasTools(request: Loose): boolean;
  /** The tool results so far, oldest first. */
  results(request: Loose): string[];
  /** Returns the body of an event stream: a tool call, or the end of the conversation. */
  answer(request: Loose, turn: Turn | undefined, id: string): string;
}

export interface Model {
  origin: string;
  /** Requests that offered tools. */
  requests: Loose[];
  results(): string[];
  close(): Promise<void>;
}

export async function scriptedModel(dialect: Dialect, turns: readonly Turn[]): Promise<Model> {
  const requests: Loose[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const text = await textOf(incoming);
    const path = incoming.url ?? "/";
    const aside = dialect.asides?.find(([pattern]) => pattern.test(path));
    if (aside !== undefined || incoming.method !== "POST" || !dialect.path.test(path)) {
      outgoing.writeHead(aside === undefined ? 404 : 200, { "content-type": "application/json" });
      outgoing.end(JSON.stringify(aside?.[1] ?? { error: { type: "not_found_error", message: "not played" } }));
      return;
    }
    const request = JSON.parse(text) as Loose;
    const tools = dialect.hasTools(request);
    if (tools) requests.push(request);
    const results = tools ? dialect.results(request) : [];
    const planned = tools ? turns[results.length] : undefined;
    const turn = planned && filled(planned, results.at(-1) ?? "");
    outgoing.writeHead(200, { "content-type": "text/event-stream" });
    outgoing.end(dialect.answer(request, turn, String(requests.length)));
  });
  return {
    origin: `http://127.0.0.1:${await listenOn(server)}`,
    requests,
    results: () => (requests.length === 0 ? [] : dialect.results(requests.at(-1))),
    close: () => closeServer(server),
  };
}

export const event = (data: object, name?: string): string =>
  `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;

/** Joins all texts inside a value. */
export const textIn = (value: Loose): string =>
  typeof value === "string"
    ? value
    : value !== null && typeof value === "object"
      ? Object.values(value).map(textIn).join("\n")
      : "";
