// Determines the outcome of a run from its last message, its exit and its counts, and which of its cursors can be
// stored.
import type { CollectError } from "../../contract/collect.ts";
import type { ConnectorManifest } from "../../contract/connector.ts";
import type { JsonValue } from "../../contract/record.ts";
import { counted } from "../../core/counted.ts";
import type { ProcessEnd } from "./connector-process.ts";
import type { ConnectorMessage } from "./message.ts";

export type Done = Extract<ConnectorMessage, { type: "DONE" }>;

/** Returns undefined if the run succeeded. */
export function verdictOn(
  done: Done | undefined,
  exit: ProcessEnd,
  records: number,
  line: number,
): CollectError | undefined {
  if (exit.error !== undefined) return { code: "not_ready", message: `it could not be started: ${exit.error.message}` };
  if (done === undefined) {
    const where = line === 0 ? "before it sent anything" : `after line ${line}, without DONE`;
    return { code: "crashed", message: `it ended with ${exitWords(exit)} ${where}`, ...(line === 0 ? {} : { line }) };
  }
  const { status, records_emitted, error } = done;
  if (records_emitted !== records)
    return {
      code: "protocol_error",
      message: `line ${line}: DONE reports ${counted(records_emitted, "record")}, but it sent ${records}`,
      line,
    };
  const said = typeof error === "string" ? error : error?.message;
  if (status === "failed") return { code: "connector_failed", message: said ?? "it failed without giving a reason" };
  if (status === "cancelled") return { code: "cancelled", message: said ?? "it gave up" };
  return undefined;
}

export const exitWords = ({ code, signal }: ProcessEnd): string => (signal === null ? `exit code ${code}` : signal);

/**
 * A cursor is stored only together with the cursors that it depends on. Otherwise the records of those streams would be
 * missed permanently.
 */
export function storable(
  { checkpoints = {} }: ConnectorManifest,
  states: ReadonlyMap<string, JsonValue>,
  remark: (text: string) => void,
): Record<string, JsonValue> {
  const isComplete = (stream: string): boolean =>
    states.has(stream) && (checkpoints[stream]?.after ?? []).every((other) => isComplete(other));
  const kept: Record<string, JsonValue> = {};
  for (const [stream, cursor] of states) {
    const missing = checkpoints[stream]?.after.find((other) => !isComplete(other));
    if (missing === undefined) kept[stream] = cursor;
    else
      remark(
        `the cursor of ${stream} was not stored: it depends on the cursor of ${missing}, which this run did not provide`,
      );
  }
  return kept;
}
