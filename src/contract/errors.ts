// The error table, with the status, type, next step and exit code of every error code; and the class for errors with a
// code.
import type { ErrorBody, ErrorDetails } from "./error-body.ts";

interface ErrorRow {
  status: number;
  type: string;
  /** The next step for the caller, used in every response without a more specific one (L-14). */
  next: string;
}

const request = { status: 400, type: "invalid_request_error" } as const;
const permission = { status: 403, type: "permission_error" } as const;
const missing = { status: 404, type: "not_found_error" } as const;
const conflict = { status: 409, type: "conflict_error" } as const;
const gone = { status: 410, type: "gone_error" } as const;

export const ERRORS = {
  invalid_request: {
    ...request,
    next: "Correct the named parameter and send the request again; GET /openapi.json lists the parameters of each call.",
  },
  invalid_declaration: {
    ...request,
    next: "Correct the declaration at the named path and register it again; nothing was stored.",
  },
  invalid_path: { ...request, next: "Percent-encode each path segment and try again." },
  invalid_cursor: {
    ...request,
    next: "Start again without a cursor; a cursor belongs to the exact query and caller that received it.",
  },
  invalid_filter: { ...request, next: "Call GET /v1/schema?stream=STREAM to see which operators each field accepts." },
  invalid_sort: { ...request, next: "Call GET /v1/schema?stream=STREAM to see which fields you can sort by." },
  invalid_expand: {
    ...request,
    next: "Call GET /v1/schema?stream=STREAM (expand_capabilities) to see which relations can be expanded.",
  },
  invalid_window: { ...request, next: "Read again from offset_chars=0, or correct the named parameter." },
  invalid_record: {
    ...request,
    next: "Correct the line and send it again; accepted lines are stored and sending them again changes nothing.",
  },
  unknown_field: { ...request, next: "Call GET /v1/schema?stream=STREAM to see the fields of this stream." },
  unsupported_version: { ...request, next: "Send PDPP-Version: 2026-04-06, or leave the header out." },
  authentication_error: {
    status: 401,
    type: "authentication_error",
    next: "Send Authorization: Bearer TOKEN. Apps get a token by signing in, terminals with `pdpp connect ORIGIN`, and the owner with `pdpp grants issue`.",
  },
  token_expired: {
    status: 401,
    type: "authentication_error",
    next: "Renew the token with its refresh token, or sign in again (`pdpp connect ORIGIN`).",
  },
  grant_stream_not_allowed: { ...permission, next: "Call GET /v1/schema to see which streams this grant can read." },
  field_not_granted: {
    ...permission,
    next: "Leave the field out; GET /v1/schema?stream=STREAM lists the granted fields.",
  },
  insufficient_scope: { ...permission, next: "Use an owner token for this call (`pdpp owner token`)." },
  grant_time_range_exceeded: {
    ...permission,
    next: "Stay inside the granted time range, or leave the range filter out.",
  },
  grant_expired: { ...permission, next: "Ask the owner for a new grant." },
  grant_revoked: {
    ...permission,
    next: "Ask the owner for a new grant. The owner or the app revoked the old one, or this server did because a token was used twice.",
  },
  grant_paused: {
    ...permission,
    next: "The owner paused this grant and can resume it (`pdpp grants resume ID`, or Apps in the dashboard). Try again after that; no new grant is needed.",
  },
  grant_consumed: { ...permission, next: "This grant was for a single use. Ask the owner for a new one." },
  grant_invalid: { ...permission, next: "Ask the owner for a new grant." },
  owner_token_rejected: {
    ...permission,
    next: "Use a grant token here: `pdpp connect ORIGIN`, or sign in with the app.",
  },
  password_required: {
    ...permission,
    next: "Sign in again (POST /login), or repeat the action on its page and enter the password there; then send this again within 10 minutes.",
  },
  forbidden_origin: {
    ...permission,
    next: "Call the server at its own address, and without an Origin header from another site; `pdpp serve --public-url URL` sets another address.",
  },
  not_found: { ...missing, next: "Check the id; GET /v1/schema lists what can be read." },
  connection_not_found: { ...missing, next: "Call GET /v1/connections to see the connection ids." },
  blob_not_found: { ...missing, next: "Read the record that refers to the blob and use its fetch_url." },
  field_not_found: { ...missing, next: "Read the record to see its fields, then correct the field or the pointer." },
  root_not_allowed: { ...missing, next: "Call GET /api/roots to see the approved roots." },
  node_not_found: { ...missing, next: "List the parent directory again." },
  method_not_allowed: {
    status: 405,
    type: "invalid_request_error",
    next: "Use one of the methods in the Allow header.",
  },
  ambiguous_connection: { ...conflict, next: "Call again with one of available_connections as connection_id." },
  stale_handle: {
    ...conflict,
    next: "The text has changed. Read it again without the revision parameter to get the current version.",
  },
  job_already_running: { ...conflict, next: "Wait until the running job has finished, or stop it." },
  home_in_use: { ...conflict, next: "Stop the other server that uses this home, or choose another home with --home." },
  already_exists: { ...conflict, next: "Choose another name, or use the existing one." },
  cursor_expired: { ...gone, next: "Start over with changes_since=beginning." },
  export_expired: { ...gone, next: "Start the export again." },
  resource_limit: {
    status: 413,
    type: "invalid_request_error",
    next: "Request less: a smaller body, fewer fields, a lower limit.",
  },
  field_not_text: {
    status: 422,
    type: "invalid_request_error",
    next: "Specify a text field, or a JSON Pointer to one.",
  },
  rate_limit_exceeded: {
    status: 429,
    type: "rate_limit_error",
    next: "Wait for the number of seconds in Retry-After, then try again.",
  },
  api_error: {
    status: 500,
    type: "api_error",
    next: "Try again. If it keeps failing, run `pdpp doctor` and look for this request_id in the server's log.",
  },
  store_unavailable: {
    status: 503,
    type: "api_error",
    next: "Try again in a moment; `pdpp doctor` shows what is using the store.",
  },
  key_missing: {
    status: 500,
    type: "api_error",
    next: "Put the file `key` back from a backup of this home. If there is no backup, `pdpp doctor --new-key` creates a new key and lists what becomes invalid.",
  },
  store_damaged: {
    status: 500,
    type: "api_error",
    next: "Stop the server. Then save everything that can still be read with `pdpp doctor --salvage NEW`, or restore a backup with `pdpp restore`.",
  },
  home_too_new: { status: 503, type: "api_error", next: "Start this home with the newer pdpp that wrote it." },
  storage_full: {
    status: 507,
    type: "api_error",
    next: "Free disk space and send the request again; no incomplete data was stored.",
  },
  storage_failed: {
    status: 503,
    type: "api_error",
    next: "Check the disk, its cable and the system's log (`dmesg`). Copy the home to another disk before you repair this one.",
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;

/**
 * Types of errors that withhold something from the caller. The other types mean that the request was malformed, that it
 * conflicted with the server's state, or that something failed; no grant is involved in those.
 */
const DENYING: ReadonlySet<string> = new Set([
  permission.type,
  missing.type,
  "authentication_error",
  "rate_limit_error",
]);

/** Returns true if the audit log counts this outcome as a denial. Every count, filter and page uses this function. */
export function isDenial(outcome: string): boolean {
  if (outcome === "ok") return false;
  return !Object.hasOwn(ERRORS, outcome) || DENYING.has(ERRORS[outcome as ErrorCode].type);
}

export type { AvailableConnection, ErrorBody } from "./error-body.ts";

const DOC_PAGE = "/docs/errors";

export class PdppError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;
  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message);
    this.name = "PdppError";
    this.code = code;
    this.details = details;
  }
  get status(): number {
    return ERRORS[this.code].status;
  }
}

/** Text for a log: the message of an expected error, or the stack of any other. */
export function failureText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Checks the code instead of the class, because errors from other threads lose their class.
  const { code } = error as Partial<PdppError>;
  const isExpected = code !== undefined && Object.hasOwn(ERRORS, code);
  return isExpected ? `${error.message} (${code})` : (error.stack ?? error.message);
}

/** The error object that REST, CLI and MCP all show. */
export function errorBody(error: PdppError, requestId?: string): ErrorBody {
  return {
    type: ERRORS[error.code].type,
    code: error.code,
    message: error.message,
    ...error.details,
    next_step: error.details.next_step ?? ERRORS[error.code].next,
    ...(requestId === undefined ? {} : { request_id: requestId }),
    doc_url: `${DOC_PAGE}#${error.code}`,
  };
}

export function fromErrorBody(body: ErrorBody): PdppError {
  const { code, message, type: _type, request_id: _id, doc_url: _doc, ...details } = body;
  return new PdppError(Object.hasOwn(ERRORS, code) ? code : "api_error", message, details);
}

/** The CLI's exit codes: 1 error, 2 usage, 3 auth, 4 input needed, 5 not found, 6 conflict, 7 partial. */
export function exitCodeOf(code: ErrorCode): number {
  const { status } = ERRORS[code];
  if (code === "ambiguous_connection") return 4;
  if (status === 401 || status === 403) return 3;
  if (status === 404 || status === 410) return 5;
  if (status === 409) return 6;
  if (status === 400 || status === 405 || status === 422) return 2;
  return 1;
}
