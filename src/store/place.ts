// Where an owner's data is: in the files of a home directory, or in a database shared by many owners and processes.
import type { ObjectPlace } from "./objects.ts";
import { openChangeCounter as openSqliteCounter } from "./sqlite/change-counter.ts";
import { openSqliteStore, prepareFolder, prepareHome, type StoreOptions } from "./sqlite/sqlite-store.ts";
import type { Store } from "./store.ts";

/** Loaded only for a database, so that a command on a home directory starts fast. */
const postgres = () => import("./postgres/postgres.ts");

export interface DatabasePlace {
  url: string;
  subject: string;
  /** How long a process may stall; absent: the default of a server. */
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
   * With a database, this folder holds the files of this machine: blobs, unless they are elsewhere, and files that can
   * be rebuilt.
   */
  home: string;
  database?: DatabasePlace;
  /** Where blobs, exports and uploads are; absent: in the home. */
  objects?: ObjectPlace;
}

/** Creates what is missing in a home directory. Only its owner can read it, whatever thread writes. */
export function preparePlace({ home, database }: HomeLocation): void {
  if (database === undefined) prepareHome(home);
  else prepareFolder(home);
}

/** `onFailure` gets messages for the operator. */
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

/** A number that changes with every commit of any process. */
export interface ChangeCounter {
  read(): number;
  close(): void;
}

export async function openChangeCounter({ home, database }: HomeLocation): Promise<ChangeCounter> {
  if (database === undefined) return openSqliteCounter(home);
  return (await postgres()).openChangeCounter(database.url, database.subject);
}

/** Whether this process runs the owner's jobs. */
export interface Leadership {
  /** Releases leadership once `lost` is done. */
  close(): Promise<void>;
}

export interface LeadershipOptions {
  /** term: the number of this election, which its jobs write with; absent: no other process could be elected. */
  gained: (term?: number) => Promise<void>;
  /** Jobs that run here must end, because another process may start them. */
  lost: () => Promise<void>;
  /**
   * When the next job is due, in milliseconds; null: nothing is scheduled. For an owner among many, whose home may be closed
   * by then. Absent: the time is not recorded.
   */
  nextAt?: () => Promise<number | null>;
  log: (text: string) => void;
}

/** A home directory has one server, which runs its jobs; of several servers on a database, one does. */
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

/** Asks some server to check whether there is a job to run. */
export async function requestJobCheck({ url, subject }: DatabasePlace): Promise<void> {
  await (await postgres()).requestJobCheck(url, subject);
}
