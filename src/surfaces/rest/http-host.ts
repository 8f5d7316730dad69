// The engine over HTTP: the route table read backwards, so that CLI and MCP work on a remote server as on a local home.
import { type ErrorBody, fromErrorBody, PdppError } from "../../contract/errors.ts";
import type { EngineHost } from "../../engine/host.ts";
import { ROUTES, type Route } from "./routes.ts";

export function httpHost(server: string): EngineHost {
  const base = server.replace(/\/+$/, "");
  return {
    async call(method, query, credential, requestId) {
      const route = ROUTES.find((candidate) => candidate.call === method && candidate.streams === undefined);
      if (route === undefined) throw new PdppError("invalid_request", `${method} does not work over --server`);
      const { path, body } = requestOf(route, query as Record<string, unknown>);
      return send(base + path, {
        method: route.method,
        headers: {
          ...("token" in credential ? { Authorization: `Bearer ${credential.token}` } : {}),
          ...(requestId === undefined ? {} : { "Request-Id": requestId }),
          ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        },
        body,
      });
    },
    changed() {
      // The server knows.
    },
    async close() {},
  };
}

/** Sends, and turns every failure into the error that the server, or the lack of one, means. */
export async function send(url: string, init: RequestInit): Promise<string> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, init);
    text = await response.text();
  } catch (error) {
    const cause = (error as { cause?: { message?: string } }).cause?.message ?? (error as Error).message;
    throw new PdppError("store_unavailable", `no answer from ${new URL(url).origin}: ${cause}`, {
      next_step: "Check the address, or start it with `pdpp serve`.",
    });
  }
  if (response.ok) return text === "" ? "{}" : text;
  let body: { error?: ErrorBody };
  try {
    body = JSON.parse(text) as { error?: ErrorBody };
  } catch {
    body = {};
  }
  throw body.error
    ? fromErrorBody(body.error)
    : new PdppError("api_error", `${new URL(url).origin} answered ${response.status}`);
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
    for (const [key, inner] of Object.entries(value)) {
      if (inner !== null && typeof inner === "object") {
        for (const [operator, bound] of Object.entries(inner))
          search.append(`${name}[${key}][${operator}]`, String(bound));
      } else search.append(`${name}[${key}]`, String(inner));
    }
  } else search.append(name, String(value));
}
