// Turns errors into text for people, JSON for programs, and an exit code.
import {
  type AvailableConnection,
  ERRORS,
  type ErrorCode,
  errorBody,
  exitCodeOf,
  PdppError,
} from "../../contract/errors.ts";
import { InputNeeded, UsageError } from "./command.ts";
import { printable } from "./printable.ts";
import { type CalledCommand, spoken } from "./spoken.ts";
import { whyLines } from "./why-lines.ts";

export interface Failure {
  exitCode: number;
  body: object;
  text: string;
}

export function failureOf(error: unknown, called: CalledCommand, usage: string): Failure {
  const { message } = error as Error;
  const said = (...lines: string[]): string => `pdpp ${called.name}: ${lines.join("\n")}\n`;
  if (error instanceof UsageError) {
    return {
      exitCode: 2,
      body: { type: "usage_error", code: "usage", message, next_step: usage },
      text: said(line(message), `usage: ${usage}`, `\`pdpp ${called.name} --help\` shows examples.`),
    };
  }
  if (error instanceof InputNeeded) {
    return {
      exitCode: 4,
      body: { type: "input_needed", code: "input_needed", message, next_step: error.nextStep },
      text: said(line(message), error.nextStep),
    };
  }
  const typed = error instanceof PdppError ? error : fileError(error as NodeJS.ErrnoException);
  if (typed !== undefined) {
    return {
      exitCode: exitCodeOf(typed.code),
      body: errorBody(typed),
      text: said(line(typed.message), ...reason(typed), nextStep(typed, called)),
    };
  }
  return {
    exitCode: 1,
    body: errorBody(new PdppError("api_error", line(message))),
    text: said((error as Error).stack ?? String(error)),
  };
}

/**
 * Next steps for people at a terminal, where they differ in more than route and parameter names. Programs get the same
 * object everywhere.
 */
const NEXT: Partial<Record<ErrorCode, string>> = {
  invalid_request: "Correct the named option; GET /openapi.json lists the parameters.",
  invalid_cursor: "Start again without --cursor; a cursor belongs to the exact query and caller that received it.",
  invalid_window: "Read again with --offset 0, or correct the named option.",
  stale_handle: "The text has changed. Read it again with CONNECTION/STREAM:ID and --field to get the current version.",
  authentication_error:
    "Pass --token TOKEN or set PDPP_ACCESS_TOKEN; `pdpp connect ORIGIN` gets a token from a server, `pdpp grants issue` issues one.",
  not_found: "GET /v1/schema lists what can be read.",
  field_not_found: "`pdpp fetch HANDLE` shows the record's fields.",
};

const line = (text: string): string => printable(text, 2000);

/** Explains which line of the grant caused the refusal (X-08). */
function reason({ details: { why } }: PdppError): string[] {
  return why === undefined ? [] : whyLines(why);
}

function nextStep(error: PdppError, called: CalledCommand): string {
  const { available_connections: choices = [], available_connections_total: total = 0, next_step: own } = error.details;
  if (choices.length > 0) {
    const more =
      total > choices.length ? [`  and ${total - choices.length} more: \`pdpp connections\` lists them`] : [];
    const all = own?.includes("connection_id=all") ? ["  --connection all   (all of them together)"] : [];
    return ["Choose one:", ...choices.map(choice), ...more, ...all].join("\n");
  }
  const general = ERRORS[error.code].next;
  const step = own === undefined || own === general ? (NEXT[error.code] ?? general) : own;
  return line(spoken(step, called));
}

function choice({ connection_id, connector_key, display_name }: AvailableConnection): string {
  return `  --connection ${connection_id}   (${printable(`${display_name}, ${connector_key}`)})`;
}

/** Maps the operating system's errors for missing, inaccessible or oversized files to our error codes. */
function fileError({ code, path, syscall, message }: NodeJS.ErrnoException): PdppError | undefined {
  const what = path === undefined ? message : `${path}: ${message.split(":")[1]?.split(",")[0]?.trim() ?? code}`;
  switch (code) {
    case "ENOENT":
    case "ENOTDIR":
      return syscall === "spawn" ? undefined : new PdppError("not_found", what, { next_step: "Check the path." });
    case "ENOSPC":
      return new PdppError("storage_full", what);
    case "EACCES":
    case "EPERM":
    case "EROFS":
    case "EISDIR":
      return new PdppError("store_unavailable", what, { next_step: "Check the path and its permissions." });
  }
  return undefined;
}
