// The operator's view of a running server: probes, a log line per request, metrics, and a graceful stop.
import type { ServerResponse } from "node:http";
import type { EngineHost } from "../engine/host.ts";
import { type ReadinessProbe, readinessOf } from "../surfaces/http/readiness.ts";
import type { Exchange } from "../surfaces/http/respond.ts";
import type { MetricsPage } from "./metrics-page.ts";
import type { RequestLine, RequestWatch } from "./request-watch.ts";

export interface OperationsOptions {
  engine: EngineHost;
  /** Turns metrics on. With a token, callers from other addresses can read them too. */
  metrics?: { token?: string };
  /** Called at the end of every request. */
  onRequest?: (line: RequestLine) => void;
  published: boolean;
  log: (text: string) => void;
}

export interface Operations {
  /** The engine. Its calls are counted if metrics are on. */
  engine: EngineHost;
  /** The options for the app. */
  parts: {
    readiness: ReadinessProbe;
    eventStreams: Set<ServerResponse>;
    watch?: (exchange: Exchange) => void;
    metrics?: MetricsPage;
  };
  /** Event streams never end on their own, so end them. Their readers reconnect. */
  endStreams(): void;
}

/** For a server with one owner. */
export async function operationsOf({ engine, published, log, ...wanted }: OperationsOptions): Promise<Operations> {
  const eventStreams = new Set<ServerResponse>();
  // Use the uncounted engine, so that a scrape does not change the counters.
  const { counted, watch, metrics } = await countingOf(wanted, published, () => [engine]);
  return {
    engine: counted(engine),
    parts: {
      readiness: readinessOf(() => engine.call("ready", {}, { home: true }), { log }),
      eventStreams,
      watch,
      metrics,
    },
    endStreams() {
      for (const stream of eventStreams) stream.destroy();
    },
  };
}

interface Counting {
  /** Returns the same engine, with its calls counted if metrics are on. */
  counted(engine: EngineHost): EngineHost;
  watch?: (exchange: Exchange) => void;
  metrics?: MetricsPage;
}

/** Loads the counters only if metrics are on. */
export async function countingOf(
  { metrics, onRequest }: Pick<OperationsOptions, "metrics" | "onRequest">,
  published: boolean,
  engines: () => readonly EngineHost[],
): Promise<Counting> {
  const watches: RequestWatch[] = onRequest === undefined ? [] : [{ began: () => undefined, ended: onRequest }];
  const counting: Counting = { counted: (engine) => engine };
  if (metrics !== undefined) {
    const [{ serverMetrics }, { metricsPage }] = await Promise.all([
      import("./metrics.ts"),
      import("./metrics-page.ts"),
    ]);
    const counts = serverMetrics();
    watches.push(counts);
    counting.counted = counts.counted;
    counting.metrics = metricsPage({ metrics: counts, hosts: engines, token: metrics.token, published });
  }
  if (watches.length > 0) counting.watch = (await import("./request-watch.ts")).watchRequests(watches);
  return counting;
}
