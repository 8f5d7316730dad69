// Makes one attempt to deliver an event: sends a POST and returns the status and, for a challenge, the start of the
// response.
import type { IncomingMessage } from "node:http";
import { guardedRequest, type NetworkAccess, Unreachable } from "../auth/guarded-request.ts";
import type { DeliveryOutcome } from "../contract/event-requests.ts";
import { EVENTS } from "../contract/limits.ts";
import { retryAfterSeconds } from "../core/event-retries.ts";
import type { Sending } from "../engine/events/delivery.ts";

export type WebhookReach = NetworkAccess & { milliseconds?: number };

const HEADER_BYTES = 8 * 1024;
/** Gives a receiver time to finish a short response before the connection closes. */
const LINGER_MS = 250;

/** Never throws because of the receiver, only if the caller aborts. */
export async function sendEvent(sending: Sending, reach: WebhookReach, given: AbortSignal): Promise<DeliveryOutcome> {
  const { milliseconds = EVENTS.timeoutMs, ...rest } = reach;
  const url = new URL(sending.url);
  const begun = performance.now();
  const took = () => ({ milliseconds: Math.round(performance.now() - begun) });
  // The owner may no longer allow this host.
  if (url.protocol !== "https:" && !sending.allowed)
    return { error: "events are sent only to https addresses", ...took() };
  const timer = new AbortController();
  const timeout = setTimeout(
    () => timer.abort(new Unreachable(`no response in ${milliseconds / 1000} s`)),
    milliseconds,
  );
  const signal = AbortSignal.any([timer.signal, given]);
  const headers = {
    ...sending.headers,
    "content-length": String(Buffer.byteLength(sending.body)),
    "user-agent": "Postern",
  };
  try {
    const asked = { url, method: "POST", headers, body: sending.body, allowed: sending.allowed, signal } as const;
    const reply = await guardedRequest({ ...asked, headerBytes: HEADER_BYTES }, rest, (answer) =>
      readStatus(answer, sending),
    );
    return { ...reply, ...took() };
  } catch (error) {
    if (given.aborted) throw error;
    return { error: wordsFor(error as NodeJS.ErrnoException), ...took() };
  } finally {
    clearTimeout(timeout);
  }
}

async function readStatus(
  answer: IncomingMessage,
  { challenge }: Sending,
): Promise<Omit<DeliveryOutcome, "milliseconds">> {
  const status = answer.statusCode ?? 0;
  const after = retryAfterSeconds(answer.headers["retry-after"], Date.now());
  const known = { status, ...(after === undefined ? {} : { retry_after_seconds: after }) };
  if (challenge && status >= 200 && status < 300) return { ...known, answer: await startOf(answer) };
  // Ignore the body, even if it is endless.
  await Promise.race([
    startOf(answer).catch(() => ""),
    new Promise((resolve) => setTimeout(resolve, LINGER_MS).unref()),
  ]);
  return known;
}

async function startOf(answer: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of answer as AsyncIterable<Buffer>) {
    parts.push(part);
    bytes += part.byteLength;
    if (bytes >= EVENTS.answerBytes) break;
  }
  return Buffer.concat(parts).subarray(0, EVENTS.answerBytes).toString("utf8").slice(0, EVENTS.answerBytes);
}

/** Returns the text for the log, without the names and addresses of private hosts. */
function wordsFor(error: NodeJS.ErrnoException): string {
  if (error instanceof Unreachable) return error.publicly;
  const { code = "", message } = error;
  const known: Record<string, string> = {
    ENOTFOUND: "the host has no address",
    EAI_AGAIN: "the host's address could not be looked up",
    ECONNREFUSED: "the connection was refused",
    ECONNRESET: "the connection was reset",
    EHOSTUNREACH: "the host cannot be reached",
    ENETUNREACH: "the network cannot be reached",
    ETIMEDOUT: "the connection timed out",
    HPE_HEADER_OVERFLOW: "the response headers are too long",
  };
  if (known[code] !== undefined) return known[code];
  if (/CERT|ALTNAME|SELF_SIGNED|UNABLE_TO|SSL|TLS/.test(code)) return `the host's certificate is not valid (${code})`;
  if (code.startsWith("HPE_")) return "the response is not HTTP";
  return (code === "" ? message : code).slice(0, 100);
}
