// What went wrong, as people read it, as machines read it, and as an exit code.
import { ERRORS, type ErrorCode, errorBody, exitCodeOf, PdppError } from "../../contract/errors.ts";
import { type Command, InputNeeded, UsageError } from "./command.ts";
import { printable } from "./printable.ts";

export interface Failure {
  exitCode: number;
  body: object;
  text(commandName: string): string;
}

export function failureOf(error: unknown, command: Command): Failure {
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof UsageError || code?.startsWith("ERR_PARSE_ARGS")) {
    return {
      exitCode: 2,
      body: { type: "usage_error", code: "usage", message, next_step: command.usage },
      text: (name) =>
        `pdpp ${name}: ${line(message)}\nusage: ${command.usage}\n\`pdpp ${name} --help\` shows examples.\n`,
    };
  }
  if (error instanceof InputNeeded) {
    return {
      exitCode: 4,
      body: { type: "input_needed", code: "input_needed", message, next_step: error.nextStep },
      text: (name) => `pdpp ${name}: ${line(message)}\n${error.nextStep}\n`,
    };
  }
  const typed = error instanceof PdppError ? error : fileError(error as NodeJS.ErrnoException);
  if (typed !== undefined) {
    return {
      exitCode: exitCodeOf(typed.code),
      body: errorBody(typed),
      text: (name) => `pdpp ${name}: ${line(typed.message)}\n${nextStep(typed)}\n`,
    };
  }
  return {
    exitCode: 1,
    body: errorBody(new PdppError("api_error", line(message))),
    text: (name) => `pdpp ${name}: ${(error as Error).stack ?? String(error)}\n`,
  };
}

/** For people at a terminal: the command instead of the route. Machines get the same object everywhere. */
const NEXT: Partial<Record<ErrorCode, string>> = {
  invalid_filter: "`pdpp schema STREAM` shows which fields take which operators.",
  invalid_sort: "`pdpp schema STREAM` shows which fields sort.",
  invalid_expand: "`pdpp schema STREAM` shows which relations expand.",
  unknown_field: "`pdpp schema STREAM` shows the fields.",
  invalid_cursor: "Start again without --cursor; a cursor belongs to the exact query and caller that received it.",
  invalid_window: "Read again with --offset 0, or correct the named option.",
  cursor_expired: "Start over with --changes-since beginning.",
  stale_handle: "The text changed since. Read again with CONNECTION/STREAM:ID and --field to get the present one.",
  field_not_granted: "Leave the field out; `pdpp schema STREAM` lists the granted ones.",
  grant_stream_not_allowed: "`pdpp schema` lists what this grant reads.",
  authentication_error: "Give --token TOKEN or set PDPP_ACCESS_TOKEN; `pdpp grants issue` gives one.",
  not_found: "`pdpp schema` lists what can be read.",
  connection_not_found: "`pdpp connections` lists the ids.",
  field_not_found: "`pdpp fetch HANDLE` shows the record's fields.",
};

const line = (text: string): string => printable(text, 2000);

function nextStep(error: PdppError): string {
  const choices = (error.details.available_connections ?? []).map(
    (row) => `  --connection ${row.connection_id}   (${row.connector_key})`,
  );
  const own = error.details.next_step;
  const general = own === undefined || own === ERRORS[error.code].next || /\b(GET|POST|PUT) \//.test(own);
  const step = general ? NEXT[error.code] : own;
  if (choices.length > 0) return ["Choose one:", ...choices].join("\n");
  return line(step ?? errorBody(error).next_step ?? "");
}

/** Files that are missing, closed to us or do not fit: the operating system's words, our codes. */
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
      return new PdppError("store_unavailable", what, { next_step: "Check the path and who may use it." });
  }
  return undefined;
}
