// GET /metrics, for the operator's scraper only. Other callers get 404.
import { hash, timingSafeEqual } from "node:crypto";
import type { EngineHost } from "../engine/host.ts";
import { CONTENT_TYPE } from "../surfaces/http/prometheus.ts";
import { baseHeaders, type Exchange } from "../surfaces/http/respond.ts";
import type { Metrics } from "./metrics.ts";

export interface MetricsPageOptions {
  metrics: Metrics;
  /** All homes that this process has open. */
  hosts: () => readonly EngineHost[];
  /** A token that grants access from any address. */
  token?: string;
  /** True if our own proxy is in front, so every request appears to come from this machine. */
  published: boolean;
}

export type MetricsPage = (exchange: Exchange) => Promise<Response | undefined>;

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;
const FORWARDED = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"];

export function metricsPage({ metrics, hosts, token, published }: MetricsPageOptions): MetricsPage {
  const digest = (text: string): Buffer => hash("sha256", text, "buffer");
  const expected = token === undefined ? undefined : digest(`Bearer ${token}`);
  const isAllowed = ({ request, node }: Exchange): boolean => {
    const given = request.headers.get("authorization");
    if (given !== null) return expected !== undefined && timingSafeEqual(digest(given), expected);
    const isNear = LOOPBACK.test(node?.incoming.socket.remoteAddress ?? "");
    return isNear && !published && !FORWARDED.some((name) => request.headers.has(name));
  };
  return async (exchange) => {
    const { request, requestId } = exchange;
    if ((request.method !== "GET" && request.method !== "HEAD") || !isAllowed(exchange)) return undefined;
    return new Response(await metrics.text(hosts()), {
      headers: { ...baseHeaders(requestId), "Content-Type": CONTENT_TYPE },
    });
  };
}
