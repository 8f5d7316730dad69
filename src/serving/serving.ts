// A home that is being served: its engine, its jobs, its files lens, and the app that answers requests.
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
  /** The engine, which is closed together with this object. */
  engine: EngineHost;
  /** Known once the server listens. */
  port: () => number;
  /** True on a multi-owner server, which closes a home when it is idle. */
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
  /** Restarts this server, so that it uses a restored home. Absent if the server cannot restart. */
  restart?: () => void;
  /** Metrics and request logging for the operator (docs/run/operating.md). */
  operating?: Pick<OperationsOptions, "metrics" | "onRequest">;
}

export interface Serving {
  app: HttpApp;
  host: EngineHost;
  jobs: Readonly<
    Record<"events" | "exports" | "imports" | "connectors" | "schedules" | "recognition" | "meaning", JobService>
  >;
  files(): Promise<FilesLens>;
  /** Starts running jobs. `origin` is the server's address as others see it. */
  begin(origin: string): Promise<void>;
  /** Reports "not ready" from now on. Requests that still arrive are answered. */
  drain(): void;
  /** Ends the event streams, which never end on their own. */
  endStreams(): void;
  /** Returns true if a job is running or waiting. The home must then stay open. */
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
  // Refuse before the served host checks anything, so that a hosted owner cannot learn whether a folder exists.
  const host = isOneOfMany ? hostedEngine(served) : served;
  const sweeping = blobSweep({ objects: openObjects(objects ?? homeObjects(home)), host, log });
  let lens: Promise<FilesLens> | undefined;
  /** Opens the lens with the first call, because most homes have no scanned disks. */
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
    // The schedule may come from a home on another server.
    if (isOneOfMany && (due.isDisk || due.target.kind === "folder"))
      throw notHosted("folders and disks on its machine cannot be read");
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
    // Polling a home directory costs next to nothing, so it needs no change reports.
    ...(place.database === undefined ? {} : { changes }),
    ...operations.parts,
  });
  let watch: NodeJS.Timeout | undefined;
  let planned: NodeJS.Timeout | undefined;
  async function watchFiles(): Promise<void> {
    const catalogue = join(home, "files", "catalogue.db");
    // Resume scans that were running when the last process ended.
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
      // Close the jobs before the lens, so that an interrupted scan is not recorded as failed.
      await running?.close();
      await (await lens)?.close();
      for (const service of services.toReversed()) await service.close();
      await host.close();
    },
  };
}
