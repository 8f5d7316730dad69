// Connector messages: one JSON object per line, each with a type (PROTOCOL: Collection Profile).
import { z } from "zod";
import { firstIssue } from "../../contract/issue.ts";
import { COLLECT, NAME_MAX } from "../../contract/limits.ts";
import type { JsonValue } from "../../contract/record.ts";

const text = z.string().max(100_000);
const name = z.string().min(1).max(NAME_MAX);

const interaction = z.looseObject({
  request_id: name,
  kind: z.enum(["credentials", "otp", "manual_action"]),
  message: text,
  schema: z
    .looseObject({
      properties: z.record(name, z.looseObject({ title: text.optional() })).optional(),
      required: z.array(name).optional(),
    })
    .optional(),
  timeout_seconds: z.number().positive().optional(),
});

const MESSAGES = {
  RECORD: z.looseObject({}),
  STATE: z.looseObject({ stream: name, cursor: z.unknown() }),
  PROGRESS: z.looseObject({
    message: text,
    stream: name.optional(),
    count: z.number().optional(),
    total: z.number().optional(),
  }),
  INTERACTION: interaction,
  SKIP_RESULT: z.looseObject({}),
  DETAIL_COVERAGE: z.looseObject({}),
  DETAIL_GAP: z.looseObject({}),
  DONE: z.looseObject({
    status: z.enum(["succeeded", "failed", "cancelled"]),
    records_emitted: z.int().min(0),
    error: z.union([text, z.looseObject({ message: text })]).optional(),
  }),
} as const;

export type MessageType = keyof typeof MESSAGES;
export type Interaction = z.infer<typeof interaction>;
export type ConnectorMessage = { [T in MessageType]: { type: T } & z.infer<(typeof MESSAGES)[T]> }[MessageType];

/** A protocol violation, with what was sent and what was expected. */
export class ProtocolError extends Error {}

const RECORD_BEGINS = Buffer.from('{"type":"RECORD"');

/**
 * Most lines are records. The engine's thread parses them, so that the thread that serves requests does not have to.
 */
export const beginsAsRecord = (line: Buffer): boolean =>
  line.length > RECORD_BEGINS.length &&
  line.compare(RECORD_BEGINS, 0, RECORD_BEGINS.length, 0, RECORD_BEGINS.length) === 0;

export interface Unknown {
  type: "UNKNOWN";
  name: string;
}

/** An unknown type is not an error, because a newer connector may send more types. */
export function parseMessage(line: Buffer): ConnectorMessage | Unknown {
  let value: JsonValue;
  try {
    value = JSON.parse(line.toString("utf8")) as JsonValue;
  } catch (error) {
    // The parser's message quotes the text that it could not parse, which may contain a secret.
    const complaint = (error as Error).message.replace(/, (?:\.\.\.)?"[\s\S]*$/, "");
    throw new ProtocolError(`not JSON: ${complaint}; expected one JSON object per line`);
  }
  if (value === null || typeof value !== "object" || Array.isArray(value))
    throw new ProtocolError("expected a JSON object with a type");
  const { type } = value;
  if (typeof type !== "string") throw new ProtocolError("expected a field named type, such as RECORD or DONE");
  if (!Object.hasOwn(MESSAGES, type)) return { type: "UNKNOWN", name: type.slice(0, 100) };
  const parsed = MESSAGES[type as MessageType].safeParse(value);
  if (parsed.success) return parsed.data as unknown as ConnectorMessage;
  const { path, message } = firstIssue(parsed.error);
  throw new ProtocolError(`${type}.${path.join(".")}: ${message}`);
}

/** Turns the connector's report of something it skipped into one line. */
export function noteIn(message: ConnectorMessage): { stream?: string; text: string } {
  const { type: _type, stream, ...rest } = message as Record<string, unknown>;
  const said = rest.reason ?? rest.message;
  const words = typeof said === "string" && said !== "" ? said : JSON.stringify(rest);
  return {
    ...(typeof stream === "string" ? { stream: stream.slice(0, NAME_MAX) } : {}),
    text: words.slice(0, COLLECT.textMax),
  };
}
