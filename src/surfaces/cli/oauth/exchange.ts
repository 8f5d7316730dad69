// One exchange with an authorization server. It ends with a result, a refusal, or no response.
import type { z } from "zod";
import { type ErrorBody, fromErrorBody, PdppError } from "../../../contract/errors.ts";
import { noAnswer } from "../../rest/http-host.ts";

/** Longer than any response takes. Waiting for approval happens elsewhere. */
const TIMEOUT_MS = 20_000;

/** An OAuth error with its literal code (RFC 6749 §5.2, RFC 8628 §3.5). */
export class OAuthRefusal extends Error {
  readonly code: string;
  readonly description: string | undefined;
  constructor(code: string, description: string | undefined) {
    super(code);
    this.code = code;
    this.description = description;
  }
}

export async function ask<S extends z.ZodType>(url: string, shape: S, init: RequestInit = {}): Promise<z.infer<S>> {
  // A redirect would send secrets to an unchecked address.
  const sent = { redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS), ...init } as const;
  const { status, text } = await fetch(url, sent)
    .then(async (response) => ({ status: response.status, text: await response.text() }))
    .catch((error: Error) => {
      throw noAnswer(url, error);
    });
  const body = jsonOf(text) as { error?: string | ErrorBody; error_description?: string } | undefined;
  if (typeof body?.error === "string" && status === 429)
    throw new PdppError("rate_limit_exceeded", body.error_description ?? body.error);
  if (typeof body?.error === "string") throw new OAuthRefusal(body.error, body.error_description);
  if (typeof body?.error?.code === "string" && typeof body.error.message === "string") throw fromErrorBody(body.error);
  const parsed = shape.safeParse(body);
  if (status >= 200 && status < 300 && parsed.success) return parsed.data;
  throw new PdppError("not_found", `${url} does not respond like a PDPP server (status ${status})`, {
    next_step: "Check the address: it is the one that `pdpp serve` prints after `ready`.",
  });
}

export const form = (fields: Record<string, string | undefined>): RequestInit => ({
  method: "POST",
  headers: { "Content-Type": "application/x-www-form-urlencoded", Accept: "application/json" },
  body: new URLSearchParams(
    Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined),
  ).toString(),
});

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    return undefined;
  }
}
