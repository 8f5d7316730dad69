// The reason a run ended early: a code, a message, and the output line it had reached.
import type { CollectError } from "../../contract/collect.ts";
import { PdppError } from "../../contract/errors.ts";
import { isTemporary } from "../../engine/job-loop.ts";
import { ProtocolError } from "./message.ts";
import { OutputTooLong } from "./output-lines.ts";

export class Halt extends Error {
  readonly error: CollectError;
  constructor(code: CollectError["code"], message: string, line?: number) {
    super(message);
    this.error = { code, message, ...(line === undefined || line === 0 ? {} : { line }) };
  }
}

export function haltOf(error: Error, line: number): Halt {
  if (error instanceof Halt) return error;
  if (error instanceof ProtocolError) return new Halt("protocol_error", `line ${line}: ${error.message}`, line);
  if (error instanceof OutputTooLong) return new Halt("resource_limit", error.message, error.line);
  // The run was cancelled elsewhere or deleted, so the store accepts nothing more.
  if (error instanceof PdppError && error.code === "job_already_running")
    return new Halt("cancelled", "it was cancelled");
  if (isTemporary(error)) return new Halt("interrupted", `${error.message}; it can be run again`);
  return new Halt("not_stored", error.message);
}
