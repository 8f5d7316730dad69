// Wiring only: a home, its engine in threads, its files lens, its HTTP surface.
import { existsSync } from "node:fs";
import { join } from "node:path";

import type { GuardedFetch } from "./auth/guarded-fetch.ts";
import { collectOnSchedule, connectingHost } from "./collect/connectors/connecting-host.ts";
import { importingHost } from "./collect/importing-host.ts";
import { lookAt } from "./collect/schedules/look.ts";
import { schedulingHost } from "./collect/schedules/scheduling-host.ts";
import { exportingHost } from "./engine/export/exporting-host.ts";
import { removeAddress, writeAddress } from "./engine/home-address.ts";
import { lockHome } from "./engine/home-lock.ts";
import type { EngineHost } from "./engine/host.ts";
import { runJobs } from "./engine/job-running.ts";
import type { ObjectPlace } from "./engine/objects-place.ts";
import { threadedHost } from "./engine/threads/threaded-host.ts";
import type { FilesLens } from "./files/shell/lens.ts";
import { notifyingHost } from "./notify/notifying-host.ts";
import type { WebhookReach } from "./notify/send.ts";
import { type DatabasePlace, openPulse, preparePlace } from "./store/place.ts";
import { createApp } from "./surfaces/http/app.ts";
import { type OperationsOptions, operationsOf } from "./surfaces/http/operations.ts";
import { listen } from "./surfaces/http/serve.ts";

export interface ServerOptions {
  home: string;
  /** The owner's data is there; the home holds what belongs to this machine. Others may serve the same owner meanwhile. */
  database?: DatabasePlace;
  /** Where blobs, exports and uploads are; absent: in the home. */
  objects?: ObjectPlace;
  /** 0 picks a free one. */
  port: number;
  publicUrl?: string;
  /** How client metadata documents are fetched; tests bring a resolver of their own. */
  clientFetch?: GuardedFetch;
  /** How events are sent, and how often is looked for some; tests bring a resolver of their own. */
  events?: { reach?: WebhookReach; pulseMs?: number };
  log: (text: string) => void;
  /** What the operator wants to know of it (docs/operating.md). */
  operating?: Pick<OperationsOptions, "metrics" | "onRequest">;
  /** Runs before the first request is taken: fills a demo home. */
  prepare?: (host: EngineHost) => Promise<void>;
}

export interface RunningServer {
  url: string;
  /** What it is called by others: its public name, if it has one. */
  origin: string;
  host: EngineHost;
  files(): Promise<FilesLens>;
  /** Not ready from now on; whoever comes all the same is still answered. */
  drain(): void;
  close(): Promise<void>;
}

const WATCH_MS = 2000;

export async function startServer({
  home,
  database,
  objects,
  port,
  publicUrl,
  clientFetch,
  events,
  log,
  operating,
  prepare,
}: ServerOptions): Promise<RunningServer> {
  const place = { home, database, objects };
  preparePlace(place);
  const lock = database === undefined ? lockHome(home) : undefined;
  const operations = await operationsOf({
    engine: threadedHost({ place, onFailure: log }),
    published: publicUrl !== undefined,
    log,
    ...operating,
  });
  const pulse = await openPulse(place);
  const notifying = notifyingHost({
    host: operations.engine,
    pulse,
    log,
    ...events,
  });
  const exporting = exportingHost({ home, objects, host: notifying, log });
  const importing = importingHost({ home, objects, host: exporting, log });
  const connecting = connectingHost({ home, host: importing, log, ask: "later" });
  const host = schedulingHost({ home, host: connecting, look: (due, signal) => look(due, signal), log });
  let lens: Promise<FilesLens> | undefined;
  /** Opened with the first call: most homes have no disk to look into. */
  const files = (): Promise<FilesLens> => {
    lens ??= import("./files/shell/lens.ts").then(({ FilesLens }) => new FilesLens({ home, host, log }));
    return lens;
  };
  const look = lookAt({
    home,
    objects,
    host: importing,
    scan: async (connectionId, signal) => (await files()).scanAgain(connectionId, signal),
    collect: collectOnSchedule(connecting),
  });
  try {
    await prepare?.(host);
    let bound = port;
    const app = createApp({
      home,
      database,
      objects,
      host,
      files,
      port: () => bound,
      publicUrl,
      clientFetch,
      shared: database !== undefined,
      log,
      ...operations.parts,
    });
    const listening = await listen(app, port);
    bound = listening.port;
    const url = `http://127.0.0.1:${bound}`;
    const origin = publicUrl === undefined ? url : new URL(publicUrl).origin;
    if (lock !== undefined) writeAddress(home, origin);
    notifying.answersAt(origin);
    const catalogue = join(home, "files", "catalogue.db");
    // Scans that were under way when the last process ended go on.
    if (existsSync(catalogue)) await files();
    // A command beside this server may approve the first root.
    const watch = setInterval(() => {
      if (lens === undefined && existsSync(catalogue))
        files().catch((error: Error) => log(`files: ${error.stack ?? error.message}`));
      if (lens !== undefined) clearInterval(watch);
    }, WATCH_MS).unref();
    const jobs = runJobs({ place, hosts: [notifying, exporting, importing, connecting, host], pulse, log });
    return {
      url,
      origin,
      host,
      files,
      drain() {
        operations.parts.readiness.drain();
        listening.drain();
      },
      async close() {
        clearInterval(watch);
        if (lock !== undefined) removeAddress(home);
        operations.parts.readiness.drain();
        const closed = listening.close();
        operations.endStreams();
        await closed;
        // Before the lens: a scan that is cut short has not failed.
        await jobs.close();
        await (await lens)?.close();
        await host.close();
        lock?.release();
      },
    };
  } catch (error) {
    await host.close();
    lock?.release();
    throw error;
  }
}
