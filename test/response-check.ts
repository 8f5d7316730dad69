// Checks every response that a test receives against the OpenAPI document for its method and path.
import { z } from "zod";
import { COMPONENTS } from "../src/contract/components.ts";
import { ERRORS, type ErrorCode } from "../src/contract/errors.ts";
import { answerSchema } from "../src/surfaces/rest/answer-schemas.ts";

export interface Received {
  status: number;
  text: string;
}

/** Requests with oversized or slow headers never reach a route, so HTTP defines the status (RFC 6585, RFC 9110). */
const BEFORE_HTTP: Partial<Record<ErrorCode, number>> = { resource_limit: 431, invalid_request: 408 };

/**
 * Fails the test if a response has an undocumented field, lacks a required field, or has a status that its route does
 * not document.
 */
export function checkResponse(method: string, address: string, { status, text }: Received): void {
  const url = new URL(address);
  const { pathname } = url;
  const wrong = (what: string) => new Error(`${method} ${pathname} ${status}: ${what}\n${text.slice(0, 2000)}`);
  if (status >= 400) {
    // A response to HEAD or to an unsatisfiable Range has no body.
    if (text === "") return;
    const { type, code } = parsed(COMPONENTS.Error, text, wrong).error;
    const statuses: readonly number[] = [ERRORS[code].status, BEFORE_HTTP[code] ?? 0];
    if (!statuses.includes(status) || ERRORS[code].type !== type) throw wrong("status, type and code differ");
    return;
  }
  if (!/^\/(?:v1|api)\//.test(pathname)) return;
  const expected = answerSchema(method, url);
  if (expected === undefined) throw wrong("no such call is documented");
  const { body } = expected;
  if (status !== expected.status && !(body === "bytes" && status === 206)) throw wrong(`not ${expected.status}`);
  if (method === "HEAD" || body === "nothing") {
    if (text !== "") throw wrong("there should be no body");
  } else if (body !== "bytes") parsed(body, text, wrong);
}

function parsed<T extends z.ZodType>(schema: T, text: string, wrong: (what: string) => Error): z.infer<T> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw wrong("not JSON");
  }
  const result = schema.safeParse(value);
  if (!result.success) throw wrong(`not as documented: ${z.prettifyError(result.error)}`);
  return result.data;
}
