// Sends requests to S3-compatible storage: signs them, retries where that may help, and turns failures into our errors.
import { hash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { AwsV4Signer } from "aws4fetch";
import { PdppError } from "../contract/errors.ts";
import type { S3Place } from "./objects.ts";

export interface S3Request {
  method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  /** Without a key, the request is for the bucket itself. */
  key?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Uint8Array<ArrayBuffer>;
  /** True if the caller reads the bytes of the response with `bytesOf`. Otherwise they are in its text. */
  streams?: true;
}

export interface S3Timeouts {
  /** The timeout for a response, and for each further piece of it. Retries stop after twice this time. */
  timeoutMs: number;
  /** The pauses between attempts. */
  pausesMs: readonly number[];
}

const TIMEOUTS: S3Timeouts = { timeoutMs: 10_000, pausesMs: [100, 300, 900] };
/** Even a slow connection sends this many bytes per millisecond. */
const BYTES_PER_MS = 100;

const NONE = new Uint8Array();
const PASSING = new Set([408, 429, 500, 502, 503, 504]);
const PASSING_CODES = new Set(["RequestTimeout", "SlowDown", "InternalError", "OperationAborted"]);
const FULL_CODES = new Set(["XMinioStorageFull", "QuotaExceeded", "InsufficientStorage", "InsufficientCapacity"]);

const SAID: Record<string, string> = {
  NoSuchBucket: "there is no such bucket",
  AccessDenied: "the keys are not allowed to do that",
  InvalidAccessKeyId: "the access key is unknown",
  SignatureDoesNotMatch: "the secret key is wrong",
  ExpiredToken: "the session token has expired",
  RequestTimeTooSkewed: "the clock of this machine is wrong",
  AuthorizationHeaderMalformed: "the bucket is in another region",
  PermanentRedirect: "the bucket is at another endpoint, or in another region",
};

/** A response with an error status. */
export interface S3Refusal {
  status: number;
  code: string;
}

export interface S3Success {
  response: Response;
  text: string;
}

export type S3Answer = (S3Success & { refused?: undefined }) | { refused: S3Refusal };

export interface S3Client {
  /**
   * Retries if a retry may help; otherwise returns the response. Error statuses are thrown unless they are in
   * `expected`.
   */
  ask(request: S3Request, expected?: readonly number[]): Promise<S3Answer>;
  /** Like `ask`, but throws unless the request succeeds. */
  must(request: S3Request): Promise<S3Success>;
  /** Reads the bytes of a response. A long silence between two pieces is a failure. */
  bytesOf(response: Response): AsyncGenerator<Uint8Array>;
}

export function s3Client(place: S3Place, { timeoutMs, pausesMs }: S3Timeouts = TIMEOUTS): S3Client {
  async function once(request: S3Request): Promise<S3Answer> {
    const { method, body = NONE } = request;
    const url = urlOf(place, request);
    const headers = await signedHeaders(place, { method, url, headers: request.headers, body });
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(), timeoutMs + body.byteLength / BYTES_PER_MS);
    try {
      const response = await fetch(url, {
        method,
        headers,
        ...(body.byteLength > 0 || method === "PUT" || method === "POST" ? { body } : {}),
        // Do not follow redirects, because another address must not get what was signed for this one.
        redirect: "manual",
        signal: silence.signal,
      });
      const text = response.ok && request.streams ? "" : await response.text();
      if (response.ok) return { response, text };
      return { refused: { status: response.status, code: /<Code>([\w.-]{1,80})<\/Code>/.exec(text)?.[1] ?? "" } };
    } finally {
      clearTimeout(timer);
    }
  }

  async function ask(request: S3Request, expected: readonly number[] = []): Promise<S3Answer> {
    const deadline = Date.now() + 2 * timeoutMs;
    for (let tried = 0; ; tried++) {
      const answer = await once(request).catch((error: Error) => ({ lost: unreachable(error) }));
      const passing = "lost" in answer || (answer.refused !== undefined && isTemporary(answer.refused));
      const pause = pausesMs[tried];
      if (passing && pause !== undefined && Date.now() + pause < deadline) {
        await sleep(pause);
        continue;
      }
      if ("lost" in answer) throw answer.lost;
      if (answer.refused !== undefined && !expected.includes(answer.refused.status)) throw refusal(answer.refused);
      return answer;
    }
  }

  return {
    ask,
    async must(request) {
      const answer = await ask(request);
      if (answer.refused !== undefined) throw refusal(answer.refused);
      return answer;
    },
    async *bytesOf({ body }) {
      if (body === null) return;
      const reader = body.getReader();
      try {
        for (;;) {
          const { promise: silence, reject } = Promise.withResolvers<never>();
          const timer = setTimeout(() => reject(new Error("silence")), timeoutMs);
          try {
            const { done, value } = await Promise.race([reader.read(), silence]);
            if (done) return;
            yield value;
          } catch (error) {
            throw unreachable(error as Error);
          } finally {
            clearTimeout(timer);
          }
        }
      } finally {
        reader.cancel().catch(() => undefined);
      }
    },
  };
}

/** The body's digest is signed too, so that no intermediary can change the body, even without TLS. */
async function signedHeaders(
  { keyId, secret, sessionToken, region }: S3Place,
  { method, url, headers, body }: { method: string; url: URL; headers?: Record<string, string>; body: Uint8Array },
): Promise<Headers> {
  const signer = new AwsV4Signer({
    method,
    url: url.href,
    headers: { ...headers, "x-amz-content-sha256": hash("sha256", body) },
    accessKeyId: keyId,
    secretAccessKey: secret,
    ...(sessionToken === undefined ? {} : { sessionToken }),
    region,
    service: "s3",
  });
  return (await signer.sign()).headers;
}

function urlOf({ endpoint, bucket, pathStyle, prefix }: S3Place, { key, query = {} }: S3Request): URL {
  const url = new URL(endpoint);
  if (!pathStyle) url.hostname = `${bucket}.${url.hostname}`;
  const parts = [...(pathStyle ? [bucket] : []), ...(key === undefined ? [] : (prefix + key).split("/"))];
  url.pathname = `${url.pathname.replace(/\/$/, "")}/${parts.map(encoded).join("/")}`;
  url.search = Object.entries(query)
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join("&");
  return url;
}

/** Percent-encodes everything but RFC 3986's unreserved characters, as S3 expects. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

const isTemporary = ({ status, code }: S3Refusal): boolean =>
  !FULL_CODES.has(code) && (PASSING.has(status) || PASSING_CODES.has(code));

export function refusal({ status, code }: S3Refusal): PdppError {
  if (status === 507 || FULL_CODES.has(code))
    return new PdppError("storage_full", "the object storage is full; nothing was stored");
  const redirects = status >= 300 && status < 400 ? SAID.PermanentRedirect : undefined;
  const said = SAID[code] ?? redirects ?? (status === 403 ? SAID.AccessDenied : undefined);
  const name = code === "" ? String(status) : code;
  if (said === undefined) return new PdppError("store_unavailable", `the object storage returned ${name}`);
  return new PdppError("store_unavailable", `the object storage returned ${name}: ${said}`, {
    next_step: "Correct PDPP_OBJECTS, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and start the server again.",
  });
}

/** Omits the address, because callers do not need to know where the storage is. */
function unreachable(error: Error): PdppError {
  if (error instanceof PdppError) return error;
  const { code = "" } = (error.cause ?? error) as { code?: string };
  const isSilent = error.name === "AbortError" || error.message === "silence";
  const reason = isSilent ? "no response in time" : /^[A-Z_]+$/.test(code) ? code : "the connection broke";
  return new PdppError("store_unavailable", `the object storage cannot be reached: ${reason}`);
}
