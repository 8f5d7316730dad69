// Runs a DAV connector as a runner does: START on stdin, lines from stdout, and cursors kept only if it succeeded.
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import type { JsonObject } from "../../contract/json.ts";
import { connectDav } from "./connect.ts";
import type { DavKind } from "./kind.ts";

interface DrivenDav {
  said: (JsonObject & { type: string })[];
  done: JsonObject & { status: string; records_emitted: number; error?: { message: string } };
}

/** The result of several runs: records by stream and key, and the cursors. */
interface KeptDav {
  records: Map<string, JsonObject>;
  state: JsonObject | null;
}

export const newKeptDav = (): KeptDav => ({ records: new Map(), state: null });

export const ID_KEY = Buffer.alloc(32, 7).toString("base64url");
const NOW = new Date("2026-11-17T12:00:00Z");

export async function driveDav(
  kind: DavKind,
  settings: JsonObject,
  options: { kept?: KeptDav; passwords?: string[]; mode?: string; now?: Date } = {},
): Promise<DrivenDav> {
  const { kept = newKeptDav(), passwords = ["app-password-of-anna"], mode = "incremental", now = NOW } = options;
  const input = new PassThrough();
  const output = new PassThrough();
  const send = (message: object): void => void input.write(`${JSON.stringify(message)}\n`);
  const ended = connectDav(kind, input, output, new AbortController().signal, now).then(() => output.end());
  send({
    type: "START",
    run_id: "run_1",
    collection_mode: mode,
    scope: { streams: kind.streams.map(({ name }) => ({ name })) },
    state: kept.state,
    bindings: { network: {}, interactive: {}, settings },
    id_key: ID_KEY,
  });
  const said: DrivenDav["said"] = [];
  const given = [...passwords];
  let cursors: JsonObject | undefined;
  for await (const line of createInterface({ input: output })) {
    const message = JSON.parse(line) as DrivenDav["said"][number];
    said.push(message);
    if (message.type === "INTERACTION") {
      const password = given.shift();
      send({
        type: "INTERACTION_RESPONSE",
        request_id: message.request_id,
        ...(password === undefined ? { status: "cancelled" } : { status: "success", data: { password } }),
      });
    }
    if (message.type === "RECORD") {
      const key = `${String(message.stream)} ${String(message.key)}`;
      if (message.op === "delete") kept.records.delete(key);
      else kept.records.set(key, message.data as JsonObject);
    }
    if (message.type === "STATE") cursors = { ...cursors, [String(message.stream)]: message.cursor! };
  }
  await ended;
  const done = said.at(-1) as unknown as DrivenDav["done"];
  if (done.status === "succeeded" && cursors !== undefined) kept.state = cursors;
  return { said, done };
}

export const recordsOf = ({ records }: KeptDav, stream: string): JsonObject[] =>
  [...records].filter(([key]) => key.startsWith(`${stream} `)).map(([, data]) => data);

/** Returns how many records a run wrote and deleted. */
export const written = ({ said }: DrivenDav): { written: number; deleted: number } => {
  const records = said.filter(({ type }) => type === "RECORD");
  const deleted = records.filter(({ op }) => op === "delete").length;
  return { written: records.length - deleted, deleted };
};
