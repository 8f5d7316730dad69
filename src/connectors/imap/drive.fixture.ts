// Runs the connector as a runner does: START on stdin, lines from stdout, and cursors kept only if it succeeded.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { PassThrough, type Readable, type Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { JsonObject } from "../../contract/json.ts";
import { connect } from "./connect.ts";

const MAIN = fileURLToPath(new URL("main.ts", import.meta.url));

export interface SentMessage extends JsonObject {
  type: string;
}

export interface DriveResult {
  said: SentMessage[];
  done: (SentMessage & { status: string; records_emitted: number; error?: { message: string } }) | undefined;
  stderr: string;
  code: number | null;
}

/** The result of several runs: records by key, and the cursor of the last run that succeeded. */
export interface KeptRun {
  records: Map<string, JsonObject>;
  state: JsonObject | null;
}

export const newKept = (): KeptRun => ({ records: new Map(), state: null });

export interface DriveOptions {
  settings: JsonObject;
  secret?: JsonObject;
  kept?: KeptRun;
  mode?: "full_refresh" | "incremental";
  scope?: JsonObject;
  /** Absent for a connection that was created before keys existed. */
  idKey?: string;
  /** Runs the connector as a separate program. Otherwise it runs in this process, which starts much faster. */
  asProcess?: boolean;
  /** Sends the signal after this many lines of output. Only for a separate process. */
  killAfter?: { lines: number; signal: NodeJS.Signals };
}

export async function drive(options: DriveOptions): Promise<DriveResult> {
  const { settings, secret = { password: "testpass" }, kept = newKept(), mode = "incremental", killAfter } = options;
  const child = options.killAfter === undefined && !options.asProcess ? inside() : asProcess();
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify(message)}\n`);
  send({
    type: "START",
    run_id: "run_1",
    collection_mode: mode,
    scope: options.scope ?? { streams: [{ name: "messages" }] },
    state: kept.state,
    bindings: { network: {}, interactive: {}, settings },
    ...(options.idKey === undefined ? {} : { id_key: options.idKey }),
  });
  const said: SentMessage[] = [];
  let cursors: JsonObject | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    const message = JSON.parse(line) as SentMessage;
    said.push(message);
    if (message.type === "INTERACTION")
      send({ type: "INTERACTION_RESPONSE", request_id: message.request_id, status: "answered", data: secret });
    // Records are stored as they arrive, whatever happens to the run.
    if (message.type === "RECORD") {
      if (message.op === "delete") kept.records.delete(String(message.key));
      else kept.records.set(String(message.key), message.data as JsonObject);
    }
    if (message.type === "STATE") cursors = { [String(message.stream)]: message.cursor! };
    if (killAfter !== undefined && said.length === killAfter.lines) child.kill(killAfter.signal);
  }
  const { code, stderr } = await child.ended;
  const last = said.at(-1);
  const done = last?.type === "DONE" ? (last as DriveResult["done"]) : undefined;
  if (done?.status === "succeeded" && cursors !== undefined) kept.state = cursors;
  return { said, done, stderr, code };
}

interface Driving {
  stdin: Writable;
  stdout: Readable;
  kill(signal: NodeJS.Signals): void;
  ended: Promise<{ code: number | null; stderr: string }>;
}

function asProcess(): Driving {
  const child = spawn(process.execPath, [MAIN], { stdio: "pipe" });
  child.stdin.on("error", () => undefined);
  let stderr = "";
  child.stderr.on("data", (part) => {
    stderr += part;
  });
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, stderr }));
  return { stdin: child.stdin, stdout: child.stdout, kill: (signal) => child.kill(signal), ended };
}

function inside(): Driving {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const ended = connect(stdin, stdout, new AbortController().signal).then(() => {
    stdout.end();
    return { code: 0, stderr: "" };
  });
  return { stdin, stdout, kill: () => undefined, ended };
}

export const ofType = ({ said }: DriveResult, type: string): SentMessage[] =>
  said.filter((message) => message.type === type);
