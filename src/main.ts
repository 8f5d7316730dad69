// Wires up a server: a home, its services, and the port on which it listens.
import { isRestoreReady, putRestoredInPlace } from "./engine/backup/staged-restore.ts";
import { removeAddress, writeAddress } from "./engine/home-address.ts";
import { lockHome } from "./engine/home-lock.ts";
import type { EngineHost } from "./engine/host.ts";
import type { ObjectPlace } from "./engine/objects-place.ts";
import { threadedHost } from "./engine/threads/threaded-host.ts";
import { openServing, type Serving, type ServingOptions } from "./serving/serving.ts";
import { type DatabasePlace, preparePlace } from "./store/place.ts";
import { listen } from "./surfaces/http/serve.ts";
import type { TlsFiles } from "./surfaces/http/tls-files.ts";

export interface ServerOptions
  extends Pick<ServingOptions, "publicUrl" | "proxies" | "clientFetch" | "events" | "log" | "operating" | "restart"> {
  home: string;
  /**
   * The database with the owner's data. The home then contains only files of this machine, and other processes may
   * serve the same owner.
   */
  database?: DatabasePlace;
  /** Where blobs, exports and uploads are stored. Defaults to the home. */
  objects?: ObjectPlace;
  /** 0 picks a free port. */
  port: number;
  /** The address to listen on. Defaults to this machine only. */
  bind?: string;
  /** Without it, the server uses plain HTTP, for a proxy or for this machine only. */
  tls?: TlsFiles;
  /** An approximate memory limit for the server. Unlimited if absent. */
  memoryBytes?: number;
  /** Runs before the first request is accepted. Used to fill a demo home. */
  prepare?: (host: EngineHost) => Promise<void>;
}

export interface RunningServer extends Pick<Serving, "host" | "jobs" | "files"> {
  url: string;
  /** The server's origin: its public one, if it has one. */
  origin: string;
  /** Reports "not ready" from now on. Requests that still arrive are answered. */
  drain(): void;
  close(): Promise<void>;
}

export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { home, database, objects, port, bind, tls, publicUrl, log, prepare } = options;
  const place = { home, database, objects };
  if (database === undefined) takeRestored(home, log);
  preparePlace(place);
  const lock = database === undefined ? lockHome(home) : undefined;
  const engine = threadedHost({ place, memoryBytes: options.memoryBytes, onFailure: log });
  let bound = port;
  let serving: Serving | undefined;
  try {
    serving = await openServing({ ...options, place, engine, port: () => bound });
    await prepare?.(serving.host);
    const listening = await listen(serving.app, port, { hostname: bind, tls: tls && { ...tls, log } });
    bound = listening.port;
    const url = `${tls === undefined ? "http" : "https"}://127.0.0.1:${bound}`;
    const origin = publicUrl === undefined ? url : new URL(publicUrl).origin;
    if (database === undefined) writeAddress(home, origin);
    else await sayWhere(database, origin, log);
    await serving.begin(origin);
    const { host, jobs, files, drain, endStreams, close } = serving;
    return {
      url,
      origin,
      host,
      jobs,
      files,
      drain() {
        drain();
        listening.drain();
      },
      async close() {
        if (lock !== undefined) removeAddress(home);
        drain();
        const closed = listening.close();
        endStreams();
        await closed;
        await close();
        lock?.release();
      },
    };
  } catch (error) {
    await (serving ?? engine).close();
    lock?.release();
    throw error;
  }
}

/** Replaces this home with one that was restored in the browser. */
function takeRestored(home: string, log: ServerOptions["log"]): void {
  if (!isRestoreReady(home)) return;
  const lock = lockHome(home);
  try {
    log(`a backup was restored; the previous home is in ${putRestoredInPlace(home, Date.now())}`);
  } finally {
    lock.release();
  }
}

async function sayWhere(database: DatabasePlace, origin: string, log: ServerOptions["log"]): Promise<void> {
  const { keepAddress } = await import("./engine/owners.ts");
  await keepAddress(database, origin, log);
}
