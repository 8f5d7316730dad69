// The operator's view of a running server: probes, a line for each request, metrics, and a graceful stop.
import type { ServerResponse } from "node:http";
import type { EngineHost } from "../engine/host.ts";
import { type ReadinessLook, readinessOf } from "../surfaces/http/readiness.ts";
import type { Exchange } from "../surfaces/http/respond.ts";
import type { MetricsPage } from "./metrics-page.ts";
import type { RequestLine, RequestWatch } from "./request-watch.ts";

export interface OperationsOptions {
  engine: EngineHost;
  /** Whether there are metrics; with a token, also for callers from elsewhere. */
  metrics?: { token?: string };
  /** Told of every request at its end. */
  onRequest?: (line: RequestLine) => void;
  published: boolean;
  log: (text: string) => void;
}

export interface Operations {
  /** The engine, with its calls counted if anybody wants to know. */
  engine: EngineHost;
  /** For the app. */
  parts: {
    readiness: ReadinessLook;
    eventStreams: Set<ServerResponse>;
    watch?: (exchange: Exchange) => void;
    metrics?: MetricsPage;
  };
  /** Event streams have no end to wait for; their readers reconnect. */
  endStreams(): void;
}

/** Of a server for one owner. */
export async function operationsOf({ engine, published, log, ...wanted }: OperationsOptions): Promise<Operations> {
  const eventStreams = new Set<ServerResponse>();
  // Asked of the engine itself: a look at the numbers does not change them.
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
  /** The same engine, with its calls counted if anybody wants to know. */
  counted(engine: EngineHost): EngineHost;
  watch?: (exchange: Exchange) => void;
  metrics?: MetricsPage;
}

/** Loaded only when it is asked for. */
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
