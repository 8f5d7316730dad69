// GET /healthz and /readyz, for supervisors and load balancers. They need no credential and are not recorded in the
// audit log.
import { PdppError } from "../../contract/errors.ts";
import type { ReadinessProbe } from "./readiness.ts";
import { type Exchange, json, problem } from "./respond.ts";

export const PROBES = {
  "/healthz": "Shows that the process responds, without reading the store",
  "/readyz": "Shows whether the process should be sent requests: its store responds, and it is not stopping",
} as const;

export type ProbePath = keyof typeof PROBES;

export const isProbe = (pathname: string): pathname is ProbePath => Object.hasOwn(PROBES, pathname);

export async function answerProbe(exchange: Exchange, path: ProbePath, readiness: ReadinessProbe): Promise<Response> {
  const { method } = exchange.request;
  if (method !== "GET" && method !== "HEAD") {
    const refused = new PdppError("method_not_allowed", `${path} takes GET and HEAD`);
    return problem(exchange, refused, { Allow: "GET, HEAD" });
  }
  if (path === "/healthz") return json(exchange, '{"status":"ok"}');
  const answer = await readiness.look();
  return json(exchange, JSON.stringify(answer), answer.status === "ready" ? 200 : 503);
}
