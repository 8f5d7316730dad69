// Where an owner's data is stored: in the files of a home directory, or in a database shared by many owners and
// processes.
import type { ObjectPlace } from "./objects.ts";
import { openChangeCounter as openSqliteCounter } from "./sqlite/change-counter.ts";
import { openSqliteStore, prepareFolder, prepareHome, type StoreOptions } from "./sqlite/sqlite-store.ts";
import type { Store } from "./store.ts";

/** Loaded only if there is a database, so that a command on a home directory starts fast. */
const postgres = () => import("./postgres/postgres.ts");

export interface DatabasePlace {
  url: string;
  subject: string;
  /** How long a process may stall. Defaults to the server's limits. */
  pauses?: PauseLimits;
}

export interface PauseLimits {
  /** A leader that stalls for longer is replaced. */
  leaseMs?: number;
  /** A process that stalls for longer in the middle of a write loses that write. */
  writeMs?: number;
}

export interface HomeLocation {
  /**
   * With a database, this folder contains this machine's own files: blobs, unless they are elsewhere, and files that
   * can be rebuilt.
   */
  home: string;
  database?: DatabasePlace;
  /** Where blobs, exports and uploads are stored. Defaults to the home. */
  objects?: ObjectPlace;
}

/**
 * Creates whatever is missing in a home directory. Only its owner can read its files, regardless of which thread writes
 * them.
 */
export function preparePlace({ home, database }: HomeLocation): void {
  if (database === undefined) prepareHome(home);
  else prepareFolder(home);
}

/** `onFailure` receives messages for the operator. */
export async function openStore(
  { home, database }: HomeLocation,
  { onFailure, ...options }: StoreOptions & { onFailure?: (failure: unknown) => void } = {},
): Promise<Store> {
  if (database === undefined) return openSqliteStore(home, options);
  const { openPostgresStore, sharedDatabase } = await postgres();
  const connections = sharedDatabase(database.url);
  try {
    const { alone } = options;
    return await openPostgresStore(connections.database, database.subject, {
      alone,
      pausedWriteMs: database.pauses?.writeMs,
      onFailure,
      release: connections.release,
    });
  } catch (error) {
    await connections.release();
    throw error;
  }
}

/** A number that changes with every commit by any process. */
export interface ChangeCounter {
  read(): number;
  close(): void;
}

export async function openChangeCounter({ home, database }: HomeLocation): Promise<ChangeCounter> {
  if (database === undefined) return openSqliteCounter(home);
  return (await postgres()).openChangeCounter(database.url, database.subject);
}

/** The claim of this process to run the owner's jobs. */
export interface Leadership {
  /** Releases leadership once `lost` is done. */
  close(): Promise<void>;
}

export interface LeadershipOptions {
  /**
   * `term` is the number of this election, which the jobs include in every write. It is absent if no other process
   * could be elected.
   */
  gained: (term?: number) => Promise<void>;
  /** Must end the jobs that run here, because another process may start them. */
  lost: () => Promise<void>;
  /**
   * Returns when the next job is due, in milliseconds, or null if nothing is scheduled. Needed on a server with many
   * owners, where the home may be closed by then. If absent, the time is not recorded.
   */
  nextAt?: () => Promise<number | null>;
  log: (text: string) => void;
}

/**
 * A home directory has one server, which runs its jobs. If several servers share a database, one of them is elected.
 */
export async function leadership({ database }: HomeLocation, options: LeadershipOptions): Promise<Leadership> {
  if (database !== undefined)
    return (await postgres()).lead(database.url, database.subject, options, database.pauses?.leaseMs);
  const begun = options.gained();
  return {
    async close() {
      await begun;
      await options.lost();
    },
  };
}

/** Asks one of the servers to check whether there is a job to run. */
export async function requestJobCheck({ url, subject }: DatabasePlace): Promise<void> {
  await (await postgres()).requestJobCheck(url, subject);
}
