// What an operator has of a running server: probes, a line for each request, metrics, and an end without losses.
import type { ServerResponse } from "node:http";
import type { EngineHost } from "../../engine/host.ts";
import type { MetricsPage } from "./metrics-page.ts";
import { type ReadinessLook, readinessOf } from "./readiness.ts";
import type { RequestLine, RequestWatch } from "./request-watch.ts";
import type { Exchange } from "./respond.ts";

export interface OperationsOptions {
  engine: EngineHost;
  /** Whether there are metrics; with a token also for who comes from elsewhere. */
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
  /** Streams of events have no end to wait for; whoever reads one comes back by itself. */
  endStreams(): void;
}

/** What nobody asked for is not even loaded. */
export async function operationsOf({
  engine,
  metrics,
  onRequest,
  published,
  log,
}: OperationsOptions): Promise<Operations> {
  const eventStreams = new Set<ServerResponse>();
  const parts: Operations["parts"] = { readiness: readinessOf(engine, { log }), eventStreams };
  const watches: RequestWatch[] = onRequest === undefined ? [] : [{ began: () => undefined, ended: onRequest }];
  let counted = engine;
  if (metrics !== undefined) {
    const [{ serverMetrics }, { metricsPage }] = await Promise.all([
      import("./metrics.ts"),
      import("./metrics-page.ts"),
    ]);
    const counts = serverMetrics();
    watches.push(counts);
    counted = counts.counted(engine);
    // Asked of the engine itself: a look at the numbers does not change them.
    parts.metrics = metricsPage({ metrics: counts, host: engine, token: metrics.token, published });
  }
  if (watches.length > 0) parts.watch = (await import("./request-watch.ts")).watchRequests(watches);
  return {
    engine: counted,
    parts,
    endStreams() {
      for (const stream of eventStreams) stream.destroy();
    },
  };
}
