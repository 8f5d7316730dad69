// Housekeeping for a server's home: health checks, backups and the list of backups.
import { once } from "node:events";
import { mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Readable } from "node:stream";
import { Worker } from "node:worker_threads";
import { failureText, fromErrorBody, PdppError } from "../contract/errors.ts";
import { programFile } from "../program-file.ts";
import type { HomeLocation } from "../store/place.ts";
import type { BackupReport } from "./backup/backup.ts";
import { startBackup } from "./backup/backup-process.ts";
import type { KeptBackup } from "./backup/kept-backups.ts";
import { type BackupPlan, isDue, readPlan } from "./backup/plan.ts";
import type { RestoreReport } from "./backup/restore.ts";
import { DEFAULT_RETENTION, parseRetention } from "./backup/retention.ts";
import type { DoctorReport } from "./doctor.ts";
import { homeOfOwner } from "./objects-place.ts";
import type { FromHomeTask, HomeTaskName, HomeTasks } from "./threads/home-task.ts";

export type { HomeLocation };

export interface Housekeeping {
  /** Absent on a server with many owners, because an owner has no access to the server's machine. */
  readonly home?: string;
  /** The owner, if the data is in a database. `home` is then the directory for a command's `--home` option. */
  readonly ownerInDatabase?: string;
  /** This program's version. */
  version(): Promise<string>;
  examine(): Promise<DoctorReport>;
  /** Makes a backup in the home's own backup folder. */
  backUp(onProgress: (text: string) => void): Promise<BackupReport>;
  /** The backups in that folder, newest first. */
  backups(): Promise<KeptBackup[]>;
  /** A stored backup as one file, encrypted if there is a passphrase. */
  archive(snapshot: string, passphrase: string | undefined): Promise<Readable>;
  /** Creates a home from such a file without touching this one. It replaces this home when the server next starts. */
  restore(file: AsyncIterable<Uint8Array>, passphrase: string | undefined): Promise<RestoreReport>;
  /** Absent if this server cannot restart itself. */
  restart?(): void;
  /** The backup schedule, and the outcome of the last scheduled backup since the server started. */
  plan(): Promise<PlannedBackups | undefined>;
  /** Makes the scheduled backup if it is due. */
  followPlan(now: number): Promise<void>;
}

export interface PlannedBackups extends BackupPlan {
  failed?: { at: string; message: string };
}

export function housekeeping(place: HomeLocation, log: (text: string) => void, restart?: () => void): Housekeeping {
  const { home } = place;
  const run = <C extends HomeTaskName>(task: C): Promise<HomeTasks[C]> =>
    new Promise((resolve, reject) => {
      const file = programFile(import.meta.url, "./threads/home-task");
      const worker = new Worker(file, { workerData: { place, task } });
      // A stopping server does not wait for this thread, because interrupted work leaves nothing behind that looks
      // complete.
      worker.unref();
      worker.on("message", (message: FromHomeTask) => {
        if ("done" in message) resolve(message.done as HomeTasks[C]);
        else {
          if (message.trace !== undefined) log(message.trace);
          reject(fromErrorBody(message.error));
        }
      });
      worker.on("error", (error: Error) => log(`a home task stopped: ${failureText(error)}`));
      worker.on("exit", () =>
        reject(new PdppError("store_unavailable", "the housekeeping thread stopped unexpectedly")),
      );
    });

  let failed: PlannedBackups["failed"];
  let following = false;

  async function makePlanned({ directory, keep }: BackupPlan): Promise<void> {
    const options = { ...place, directory, retention: parseRetention(keep) };
    await startBackup({ kind: "backup", options }, { log }).ended;
  }

  return {
    ...namedByCommands(place),
    ...(restart === undefined ? {} : { restart }),
    async version() {
      const text = await readFile(new URL("../../package.json", import.meta.url), "utf8");
      return (JSON.parse(text) as { version: string }).version;
    },
    examine: () => run("examine"),
    async backUp(onProgress) {
      const { keptDirectory, removePartial } = await import("./backup/kept-backups.ts");
      // With a database, another process may be writing a backup in this folder, so partial ones are left alone.
      if (place.database === undefined) await removePartial(home);
      const directory = keptDirectory(home);
      await mkdir(dirname(directory), { recursive: true, mode: 0o700 });
      const options = { ...place, directory, kept: true, retention: parseRetention(DEFAULT_RETENTION) };
      return startBackup({ kind: "backup", options }, { onProgress, log }).ended;
    },
    async backups() {
      const { keptBackups } = await import("./backup/kept-backups.ts");
      return keptBackups(home);
    },
    async archive(snapshot, passphrase) {
      const { keptDirectory } = await import("./backup/kept-backups.ts");
      const given = passphrase === undefined ? {} : { passphrase };
      const job = { kind: "archive", directory: keptDirectory(home), snapshot, ...given } as const;
      const { output, ended } = startBackup(job, { log });
      // The first bytes arrive once the passphrase has been accepted.
      await Promise.race([once(output, "readable"), ended]);
      // This way the browser sees an aborted download instead of a truncated file.
      ended.catch((error: Error) => output.destroy(error));
      return output;
    },
    async restore(file, passphrase) {
      const { stageRestore } = await import("./backup/staged-restore.ts");
      return stageRestore(home, file, async (directory, into) => {
        const given = passphrase === undefined ? {} : { passphrase };
        const options = { directory, ...given, home: into, moveAside: false };
        return startBackup({ kind: "restore", options }, { log }).ended;
      });
    },
    async plan() {
      const plan = await readPlan(home);
      return plan && { ...plan, ...(failed === undefined ? {} : { failed }) };
    },
    async followPlan(now) {
      if (following) return;
      following = true;
      try {
        const plan = await readPlan(home);
        if (plan !== undefined && (await isDue(plan, now))) await makePlanned(plan);
        failed = undefined;
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        // Logged only if it is new, because the same failure every few minutes would fill the log.
        if (failed?.message !== message) log(`the scheduled backup failed: ${message}`);
        failed = { at: new Date(now).toISOString(), message };
      } finally {
        following = false;
      }
    },
  };
}

/** With a database, the home given to commands has a folder for each owner. */
function namedByCommands({ home, database }: HomeLocation): Pick<Housekeeping, "home" | "ownerInDatabase"> {
  if (database === undefined) return { home };
  const { subject } = database;
  return { home: home === homeOfOwner(dirname(home), subject) ? dirname(home) : home, ownerInDatabase: subject };
}
