// This server's counters and measurements, for GET /metrics.
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { PdppError } from "../contract/errors.ts";
import { laneOf } from "../engine/calls/calls.ts";
import { type EngineHost, hostAround } from "../engine/host.ts";
import { counter, histogram, measured, type PrometheusMetric, render } from "../surfaces/http/prometheus.ts";
import { version } from "../surfaces/mcp/version.ts";
import type { RequestWatch } from "./request-watch.ts";

export interface Metrics extends RequestWatch {
  /** Returns the same host with its calls counted. */
  counted(host: EngineHost): EngineHost;
  /** Returns the metrics, including the jobs of these hosts. */
  text(hosts: readonly EngineHost[]): Promise<string>;
}

/** Histogram buckets in seconds, from a single-record read to an export. */
const DURATIONS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
/** A busy store must not delay the metrics, so after this time the job metrics are omitted. */
const JOBS_MS = 500;
/** How often the event loop delay is sampled. Node counts the sampling interval itself as delay. */
const LAG_STEP_MS = 10;

const lagSeconds = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e9 - LAG_STEP_MS / 1000);

export function serverMetrics(): Metrics {
  const requests = counter("postern_http_requests_total", "Requests by route, method and status class.");
  const durations = histogram(
    "postern_http_request_duration_seconds",
    "Seconds from the request's headers to the last byte of the response.",
    DURATIONS,
  );
  const calls = counter("postern_engine_calls_total", "Engine calls by lane and outcome: ok or an error code.");
  const events = counter("postern_events_total", "Events sent to subscribers, by the outcome of each attempt.");
  const waiting = new Map<string, number>();
  let inFlight = 0;
  // Covers only the interval since the last scrape.
  const lag = monitorEventLoopDelay({ resolution: LAG_STEP_MS });
  lag.enable();

  const gauges: PrometheusMetric[] = [
    measured("gauge", "postern_http_requests_in_flight", "Requests in progress.", () => [{ value: inFlight }]),
    measured("gauge", "postern_engine_calls_in_flight", "Calls that are waiting or running, by lane.", () =>
      [...waiting].map(([lane, value]) => ({ labels: { lane }, value })),
    ),
    measured("gauge", "postern_event_loop_lag_seconds", "Delay of the event loop since the last scrape.", () => {
      const samples = [
        { labels: { quantile: "0.5" }, value: lagSeconds(lag.percentile(50)) },
        { labels: { quantile: "0.99" }, value: lagSeconds(lag.percentile(99)) },
        { labels: { quantile: "1" }, value: lagSeconds(lag.max) },
      ];
      lag.reset();
      return samples;
    }),
    measured("gauge", "process_resident_memory_bytes", "Memory used by this process.", () => [
      { value: process.memoryUsage.rss() },
    ]),
    measured("counter", "process_cpu_seconds_total", "CPU time used by this process, including its threads.", () => {
      const { user, system } = process.cpuUsage();
      return [{ value: (user + system) / 1e6 }];
    }),
    measured("gauge", "process_start_time_seconds", "Start time of this process, in Unix time.", () => [
      { value: Math.round(performance.timeOrigin / 1000) },
    ]),
    measured("gauge", "postern_uptime_seconds", "How long this process has been running.", () => [
      { value: Math.round(process.uptime()) },
    ]),
    measured("gauge", "postern_build_info", "Version of this process.", () => [
      { labels: { version, node: process.versions.node }, value: 1 },
    ]),
  ];

  return {
    began() {
      inFlight++;
    },
    ended({ route, method, status, ms }) {
      inFlight--;
      requests.add({ route, method, status: status === undefined ? "none" : `${Math.floor(status / 100)}xx` });
      durations.observe({ route }, ms / 1000);
    },
    counted: (host) =>
      hostAround(host, (next) => async (name, query, credential, requestId) => {
        const lane = laneOf(name, query);
        const change = (by: number): unknown => waiting.set(lane, (waiting.get(lane) ?? 0) + by);
        change(1);
        let outcome = "ok";
        try {
          return await next(name, query, credential, requestId);
        } catch (error) {
          outcome = error instanceof PdppError ? error.code : "api_error";
          throw error;
        } finally {
          change(-1);
          calls.add({ lane, outcome });
          if (name === "noteDelivery") events.add({ outcome: delivered(query) });
        }
      }),
    async text(hosts) {
      const open = measured("gauge", "postern_homes_open", "Homes that this process has open.", () => [
        { value: hosts.length },
      ]);
      return render([requests, durations, calls, events, ...(await jobs(hosts)), open, ...gauges]);
    },
  };
}

function delivered(query: unknown): string {
  const { status = 0, error } = (query as { outcome: { status?: number; error?: string } }).outcome;
  return error === undefined && status >= 200 && status < 300 ? "delivered" : "failed";
}

const TASKS = { import: "importTasks", export: "exportTasks", collect: "collectTasks" } as const;
const OPEN = ["queued", "running"] as const;

/** Jobs are counted in the store, regardless of which process runs them. */
async function jobs(hosts: readonly EngineHost[]): Promise<PrometheusMetric[]> {
  const asked = Promise.all(
    Object.entries(TASKS).map(async ([kind, name]) => {
      const tasks = (await Promise.all(hosts.map((host) => host.call(name, {}, { home: true })))).flat();
      return OPEN.map((status) => ({
        labels: { kind, status },
        value: tasks.filter((task) => task.status === status).length,
      }));
    }),
  );
  const over = new AbortController();
  const late = sleep(JOBS_MS, undefined, { ref: false, signal: over.signal }).catch(() => undefined);
  const samples = await Promise.race([asked.catch(() => undefined), late]);
  over.abort();
  if (samples === undefined) return [];
  return [measured("gauge", "postern_jobs", "Imports, exports and connector runs by status.", () => samples.flat())];
}
