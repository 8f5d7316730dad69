// The protocol with this connector's runner: one JSON message per line, from stdin and to stdout.
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import type { JsonObject, JsonValue } from "../../contract/json.ts";

export interface Channel {
  /** Returns the first message. */
  start(): Promise<JsonObject>;
  /** Waits if the reader is behind, so that unread data stays on the server and not in memory. */
  send(message: JsonObject): Promise<void>;
  /** The number of RECORD messages so far, including deletions. */
  records(): number;
  /** Returns the owner's answer, keyed by the names in the question's schema. */
  ask(question: JsonObject & { request_id: string }): Promise<JsonObject | undefined>;
  /** Sends the last message. Later messages are never sent. */
  end(message: JsonObject): Promise<void>;
}

export function createChannel(input: Readable, output: Writable): Channel {
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })[Symbol.asyncIterator]();

  async function next(): Promise<JsonObject | undefined> {
    for (;;) {
      const { value, done } = await lines.next();
      if (done) return undefined;
      if (value.trim() !== "") return asObject(value);
    }
  }

  let ended = false;
  let records = 0;
  async function send(message: JsonObject): Promise<void> {
    if (ended) await new Promise<never>(() => undefined);
    if (message.type === "RECORD") records++;
    if (!output.write(`${JSON.stringify(message)}\n`)) await once(output, "drain");
  }

  return {
    send,
    records: () => records,
    async start() {
      const message = await next();
      if (message?.type !== "START") throw new Error("the first line of input is not a START message");
      return message;
    },
    async ask(question) {
      await send({ type: "INTERACTION", ...question });
      for (let message = await next(); message !== undefined; message = await next()) {
        if (message.type !== "INTERACTION_RESPONSE" || message.request_id !== question.request_id) continue;
        return isObject(message.data) ? message.data : undefined;
      }
      return undefined;
    },
    async end(message) {
      ended = true;
      await new Promise<void>((done) => output.write(`${JSON.stringify(message)}\n`, () => done()));
    },
  };
}

export const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function asObject(line: string): JsonObject {
  let value: JsonValue | undefined;
  try {
    value = JSON.parse(line) as JsonValue;
  } catch {
    // Reported below, without repeating the line, which may contain a secret.
  }
  if (!isObject(value)) throw new Error("a line of input is not a JSON object");
  return value;
}
