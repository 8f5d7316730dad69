// The engine over HTTP. It uses the route table in reverse, so that CLI and MCP work on a remote server as on a local
// home.
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { type ErrorBody, fromErrorBody, PdppError } from "../../contract/errors.ts";
import type { BlobQuery } from "../../contract/read.ts";
import type { Route } from "../../contract/route.ts";
import type { Credential } from "../../engine/caller.ts";
import { ROUTES } from "../../engine/calls/calls.ts";
import { createHost, type EngineHost } from "../../engine/host.ts";
import { appendFilter } from "../../engine/read/context.ts";

export function httpHost(server: string): EngineHost {
  const base = server.replace(/\/+$/, "");
  return createHost(
    async (name, query, credential, requestId) => {
      if (name === "blob") return blobFacts(base, query as BlobQuery, credential);
      const route = ROUTES.find((candidate) => candidate.call === name && candidate.streams === undefined);
      if (route === undefined) throw new PdppError("invalid_request", `${name} does not work with --server`);
      const { path, body } = requestOf(route, query as Record<string, unknown>);
      return send(base + path, {
        method: route.method,
        headers: {
          ...bearer(credential),
          ...(requestId === undefined ? {} : { "Request-Id": requestId }),
          ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        },
        body,
      });
    },
    {
      changed() {
        // Nothing to do: the server handles this.
      },
      async close() {},
    },
  );
}

/** Reads a blob's metadata by requesting one byte, because a HEAD request cannot say why it failed. */
function blobFacts(base: string, { blob_id, connection_id }: BlobQuery, credential: Credential): Promise<string> {
  const search = connection_id === undefined ? "" : `?connection_id=${encodeURIComponent(connection_id)}`;
  const url = `${base}/v1/blobs/${encodeURIComponent(blob_id)}${search}`;
  return received(url, async () => {
    const response = await fetch(url, { headers: { ...bearer(credential), Range: "bytes=0-0" } });
    const size = /\/(\d+)$/.exec(response.headers.get("content-range") ?? "")?.[1];
    if (size === undefined) return { status: response.status, text: await response.text() };
    await response.body?.cancel();
    const facts = {
      blobId: blob_id,
      mimeType: response.headers.get("content-type") ?? "application/octet-stream",
      sizeBytes: Number(size),
      sha256: (response.headers.get("etag") ?? "").replaceAll('"', ""),
    };
    return { status: 200, text: JSON.stringify(facts) };
  });
}

const bearer = (credential: Credential): Record<string, string> =>
  "token" in credential ? { Authorization: `Bearer ${credential.token}` } : {};

/** Streams a file's bytes as they arrive. An error is thrown before the first byte. */
export async function fetchFile(
  server: string,
  call: "export" | "exportDownload",
  query: Record<string, unknown>,
  credential: Credential,
  headers: Record<string, string> = {},
): Promise<Response> {
  const route = ROUTES.find((candidate) => candidate.call === call)!;
  const url = server.replace(/\/+$/, "") + requestOf(route, query).path;
  let answered: Response | undefined;
  await received(url, async () => {
    const response = await fetch(url, { headers: { ...bearer(credential), ...headers } });
    answered = response;
    return { status: response.status, text: response.ok ? "" : await response.text() };
  });
  return answered!;
}

/** Sends a request. Every failure becomes the server's error, or an error saying that the server did not answer. */
export function send(url: string, init: RequestInit): Promise<string> {
  return received(url, async () => {
    const response = await fetch(url, init);
    return { status: response.status, text: await response.text() };
  });
}

/**
 * Uploads a body of any length, reading it no faster than the server accepts it. fetch reads ahead: it needs 900 MB of
 * memory to send 800 MB.
 */
export function upload(
  url: string,
  headers: Record<string, string>,
  bytes: AsyncIterable<Uint8Array>,
): Promise<string> {
  return received(url, async () => {
    // Loaded only when needed, because loading TLS costs 30 ms of CPU time, and a command on a local home does not use
    // it.
    const { request: begin } = url.startsWith("https:") ? await import("node:https") : await import("node:http");
    const request = begin(url, { method: "POST", headers });
    const answered = once(request, "response") as Promise<[IncomingMessage]>;
    // A server that responds early may close the connection. Its response then says why.
    pipeline(bytes, request).catch(() => undefined);
    const [response] = await answered;
    return { status: response.statusCode ?? 0, text: await text(response) };
  });
}

async function received(url: string, exchange: () => Promise<{ status: number; text: string }>): Promise<string> {
  const answer = await exchange().catch((error: Error) => {
    throw noAnswer(url, error);
  });
  if (answer.status >= 200 && answer.status < 300) return answer.text === "" ? "{}" : answer.text;
  let body: { error?: ErrorBody };
  try {
    body = JSON.parse(answer.text) as { error?: ErrorBody };
  } catch {
    body = {};
  }
  throw body.error
    ? fromErrorBody(body.error)
    : new PdppError("api_error", `${new URL(url).origin} responded with status ${answer.status}`);
}

/** Builds the error for a failed fetch. */
export function noAnswer(url: string, error: Error): PdppError {
  const { code, message } = (error as { cause?: NodeJS.ErrnoException }).cause ?? (error as NodeJS.ErrnoException);
  const cause = String(code).startsWith("ERR_SSL_") ? "it does not speak https; try http" : message;
  return new PdppError("store_unavailable", `no answer from ${new URL(url).origin}: ${cause}`, {
    next_step: "Check the address, or start the server with `pdpp serve`.",
  });
}

function requestOf(route: Route, query: Record<string, unknown>): { path: string; body?: string } {
  const rest = new Map(Object.entries(query).filter(([, value]) => value !== undefined));
  const path = route.path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    return encodeURIComponent(String(value));
  });
  const search = new URLSearchParams();
  for (const name of Object.keys(route.parameters)) {
    if (!rest.has(name)) continue;
    addParameter(search, name, rest.get(name));
    rest.delete(name);
  }
  const address = search.size > 0 ? `${path}?${search}` : path;
  if (route.body === undefined) {
    const extra = [...rest.keys()][0];
    if (extra !== undefined)
      throw new PdppError("invalid_request", `unknown parameter ${JSON.stringify(extra)}`, { param: extra });
    return { path: address };
  }
  const body = route.body === "merge" ? Object.fromEntries(rest) : rest.get(route.body.member);
  return { path: address, body: JSON.stringify(body) };
}

function addParameter(search: URLSearchParams, name: string, value: unknown): void {
  if (Array.isArray(value)) {
    for (const item of value) search.append(`${name}[]`, String(item));
  } else if (value !== null && typeof value === "object") {
    if (name === "filter") appendFilter(search, value);
    else for (const [key, inner] of Object.entries(value)) search.append(`${name}[${key}]`, String(inner));
  } else search.append(name, String(value));
}
