// A home being served: its engine, its jobs, its files lens, and the app that answers for it.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { GuardedFetch } from "../auth/guarded-fetch.ts";
import { collectOnSchedule, connectorService } from "../collect/connectors/connector-service.ts";
import { importService } from "../collect/import-service.ts";
import { scheduleService } from "../collect/schedules/schedule-service.ts";
import { scheduledWork } from "../collect/schedules/scheduled-work.ts";
import type { ScheduledRead } from "../collect/schedules/scheduler.ts";
import { failureText } from "../contract/errors.ts";
import type { TrustedProxies } from "../contract/trusted-proxies.ts";
import type { SharedLimiter } from "../core/limiter.ts";
import { blobSweep } from "../engine/blob-sweep.ts";
import { exportService } from "../engine/export/export-service.ts";
import type { EngineHost } from "../engine/host.ts";
import { hostedEngine, hostedHousekeeping, notHosted } from "../engine/hosted.ts";
import { housekeeping } from "../engine/housekeeping.ts";
import { hasJobs, runJobs } from "../engine/job-running.ts";
import type { JobService } from "../engine/jobs.ts";
import { meaningService } from "../engine/meaning/meaning-service.ts";
import { homeObjects, openObjects } from "../engine/objects-place.ts";
import { servedHost } from "../engine/served-host.ts";
import { attachedTextService } from "../files/attached/attached-text-service.ts";
import type { FilesLens } from "../files/shell/lens.ts";
import { eventService } from "../notify/event-service.ts";
import type { WebhookReach } from "../notify/send.ts";
import { type HomeLocation, openChangeCounter } from "../store/place.ts";
import type { HttpApp } from "../surfaces/http/serve.ts";
import { createApp } from "./app.ts";
import { type OperationsOptions, operationsOf } from "./operations.ts";

export interface ServingOptions {
  place: HomeLocation;
  /** Closed together with this. */
  engine: EngineHost;
  /** Known once the server listens. */
  port: () => number;
  /** One of many owners; the home is closed when it is idle. */
  isOneOfMany?: boolean;
  /** How often one address may try to sign in, counted across all owners. */
  signIns?: SharedLimiter;
  publicUrl?: string;
  /** Proxies whose X-Forwarded-For is trusted. */
  proxies?: TrustedProxies;
  /** How client metadata documents are fetched; tests pass their own resolver. */
  clientFetch?: GuardedFetch;
  /** How events are sent, and how often to look for new ones; tests pass their own resolver. */
  events?: { reach?: WebhookReach; probeMs?: number };
  log: (text: string) => void;
  /** Stops this server and starts it again, which puts a restored home to use. Absent: it cannot restart. */
  restart?: () => void;
  /** Metrics and request lines for the operator (docs/run/operating.md). */
  operating?: Pick<OperationsOptions, "metrics" | "onRequest">;
}

export interface Serving {
  app: HttpApp;
  host: EngineHost;
  jobs: Readonly<
    Record<"events" | "exports" | "imports" | "connectors" | "schedules" | "recognition" | "meaning", JobService>
  >;
  files(): Promise<FilesLens>;
  /** Jobs run from now on; `origin` is the server's address as others see it. */
  begin(origin: string): Promise<void>;
  /** Reports "not ready" from now on; requests that still arrive are answered. */
  drain(): void;
  /** Event streams do not end by themselves. */
  endStreams(): void;
  /** Whether a job is running or waiting; the home must not be closed then. */
  busy(): Promise<boolean>;
  close(): Promise<void>;
}

const WATCH_MS = 2000;
/** How often the backup schedule is checked. */
const PLAN_MS = 5 * 60_000;

export async function openServing(options: ServingOptions): Promise<Serving> {
  const { place, port, isOneOfMany, signIns, publicUrl, proxies, clientFetch, events, log, operating } = options;
  const engine = isOneOfMany ? hostedEngine(options.engine) : options.engine;
  const { home, objects } = place;
  const operations = await operationsOf({ engine, published: publicUrl !== undefined, log, ...operating });
  const changes = await openChangeCounter(place);
  const ours = { home, objects, host: operations.engine, log };
  const jobs = {
    events: eventService({ ...ours, changes, ...events }),
    exports: exportService(ours),
    imports: importService(ours),
    connectors: connectorService({ ...ours, ask: "later" }),
    schedules: scheduleService({ ...ours, look: (...due) => look(...due) }),
    recognition: attachedTextService({ ...ours, objects: openObjects(objects ?? homeObjects(home)), isOneOfMany }),
    meaning: meaningService({ ...ours, changes, isOneOfMany }),
  };
  const services = Object.values(jobs);
  const served = servedHost(
    operations.engine,
    jobs,
    services.map(({ effects }) => effects),
  );
  // Refused before the served host checks anything: a hosted owner must not learn whether a folder exists.
  const host = isOneOfMany ? hostedEngine(served) : served;
  const sweeping = blobSweep({ objects: openObjects(objects ?? homeObjects(home)), host, log });
  let lens: Promise<FilesLens> | undefined;
  /** Opened with the first call: most homes have no scanned disks. */
  const files = (): Promise<FilesLens> => {
    lens ??= import("../files/shell/lens.ts").then(
      ({ FilesLens }) => new FilesLens({ home, host, inThread: true, log }),
    );
    return lens;
  };
  const runScheduled = scheduledWork({
    home,
    objects,
    host,
    scan: async (connectionId, signal) => (await files()).scanAgain(connectionId, signal),
    collect: collectOnSchedule(jobs.connectors),
  });
  const look: ScheduledRead = async (due, signal, credential) => {
    // The schedule may have come with a home from another server.
    if (isOneOfMany && (due.isDisk || due.target.kind === "folder"))
      throw notHosted("folders and disks of its machine are not read");
    return runScheduled(due, signal, credential);
  };
  const ownHouse = housekeeping(place, log, options.restart);
  const house = isOneOfMany ? hostedHousekeeping(ownHouse) : ownHouse;
  const app = createApp({
    place,
    host,
    house,
    files: isOneOfMany ? undefined : files,
    isOneOfMany,
    signIns,
    port,
    publicUrl,
    proxies,
    clientFetch,
    log,
    // Checking a home directory costs next to nothing.
    ...(place.database === undefined ? {} : { changes }),
    ...operations.parts,
  });
  let watch: NodeJS.Timeout | undefined;
  let planned: NodeJS.Timeout | undefined;
  async function watchFiles(): Promise<void> {
    const catalogue = join(home, "files", "catalogue.db");
    // Resumes scans that were running when the last process ended.
    if (existsSync(catalogue)) await files();
    // A command outside this server may approve the first root.
    watch = setInterval(() => {
      if (lens === undefined && existsSync(catalogue))
        files().catch((error: Error) => log(`files: ${failureText(error)}`));
      if (lens !== undefined) clearInterval(watch);
    }, WATCH_MS).unref();
  }
  let running: { close(): Promise<void> } | undefined;
  return {
    app,
    host,
    jobs,
    files,
    async begin(origin) {
      jobs.events.answersAt(origin);
      if (!isOneOfMany) {
        await watchFiles();
        planned = setInterval(() => void house.followPlan(Date.now()), PLAN_MS).unref();
      }
      running = runJobs({
        place,
        host,
        leavesWord: isOneOfMany,
        hosts: [...services, sweeping],
        changes,
        log,
      });
    },
    drain: () => operations.parts.readiness.drain(),
    endStreams: () => operations.endStreams(),
    busy: () => hasJobs(host),
    async close() {
      clearInterval(watch);
      clearInterval(planned);
      // Closed before the lens, so that an interrupted scan is not recorded as failed.
      await running?.close();
      await (await lens)?.close();
      for (const service of services.toReversed()) await service.close();
      await host.close();
    },
  };
}
