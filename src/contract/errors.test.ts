// P-01: the error table has the protocol's statuses, types and exit codes, and every surface shows the same error
// object.
import { expect, it } from "vitest";
import { ERRORS, type ErrorCode, errorBody, exitCodeOf, fromErrorBody, PdppError } from "./errors.ts";

const TYPES: Record<number, string> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  405: "invalid_request_error",
  409: "conflict_error",
  410: "gone_error",
  413: "invalid_request_error",
  422: "invalid_request_error",
  429: "rate_limit_error",
  500: "api_error",
  503: "api_error",
  507: "api_error",
};
const codes = Object.keys(ERRORS) as ErrorCode[];

it("P-01 the table has the protocol's status for every protocol code", () => {
  const wire: Record<number, string> = {
    400: "invalid_request invalid_declaration invalid_path invalid_cursor invalid_filter invalid_sort invalid_expand invalid_window invalid_record unknown_field unsupported_version",
    401: "authentication_error token_expired",
    403: "grant_stream_not_allowed field_not_granted insufficient_scope grant_time_range_exceeded grant_expired grant_revoked grant_consumed grant_invalid owner_token_rejected",
    404: "not_found connection_not_found blob_not_found field_not_found root_not_allowed node_not_found",
    405: "method_not_allowed",
    409: "ambiguous_connection stale_handle job_already_running",
    410: "cursor_expired export_expired",
    413: "resource_limit",
    422: "field_not_text",
    429: "rate_limit_exceeded",
    500: "api_error",
    503: "store_unavailable",
    507: "storage_full",
  };
  for (const [status, names] of Object.entries(wire)) {
    for (const code of names.split(" ")) expect(ERRORS[code as ErrorCode]?.status, code).toBe(Number(status));
  }
});

it.each(codes)("P-01 %s has the type of its status, a next step and an exit code", (code) => {
  const { status, type, next } = ERRORS[code];
  expect(type).toBe(TYPES[status]);
  expect(next).toMatch(/^[A-Z].{10,}\.$/);
  expect([1, 2, 3, 4, 5, 6]).toContain(exitCodeOf(code));
});

it.each(codes)("P-01 %s survives serialisation and parsing", (code) => {
  const details = {
    param: "p",
    why: { grant_id: "grt_1", decided_by: "streams[0].fields", says: "books of First: id; not title" },
    next_step: "Do this.",
    retry_with: "connection_id",
    available_connections_total: 3,
  };
  const sent = errorBody(new PdppError(code, "what happened", details), "req_1");
  expect(sent).toMatchObject({ code, request_id: "req_1", doc_url: `/docs/errors#${code}`, message: "what happened" });
  const read = fromErrorBody(JSON.parse(JSON.stringify(sent)));
  expect([read.code, read.message, read.details]).toEqual([code, "what happened", details]);
});

it("P-01 an unknown code becomes api_error, even if it is the name of a property that every object has", () => {
  for (const code of ["nonsense", "toString", "constructor", "__proto__"]) {
    const read = fromErrorBody({ type: "x", code: code as ErrorCode, message: "m" });
    expect([read.code, read.status]).toEqual(["api_error", 500]);
  }
});
