// What a server does for its home besides answering: looks whether it is well, backs it up, and knows its backups.
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Worker } from "node:worker_threads";
import { failureText, fromErrorBody, PdppError } from "../contract/errors.ts";
import { programFile } from "../program-file.ts";
import type { HomeLocation } from "../store/place.ts";
import { FILES } from "../store/sqlite/sqlite-store.ts";
import type { BackupReport } from "./backup.ts";
import type { DoctorReport } from "./doctor.ts";
import type { KeptBackup } from "./kept-backups.ts";
import { homeOfOwner } from "./objects-place.ts";
import type { ChoreName, Chores, FromChore } from "./threads/chore.ts";

export type { HomeLocation };

export interface Housekeeping {
  /** Absent: of an owner among many, who has no business on the server's machine. */
  readonly home?: string;
  /** Whose data it is, where that is in a database; the home is then what `--home` of a command says. */
  readonly ownerInDatabase?: string;
  /** Of this program. */
  version(): Promise<string>;
  examine(): Promise<DoctorReport>;
  /** Into the home's own folder of backups. */
  backUp(onProgress: (text: string) => void): Promise<BackupReport>;
  /** Those that are in that folder, newest first. */
  backups(): Promise<KeptBackup[]>;
}

export function housekeeping(place: HomeLocation, log: (text: string) => void): Housekeeping {
  const { home } = place;
  const run = <C extends ChoreName>(chore: C, onProgress: (text: string) => void = () => {}): Promise<Chores[C]> =>
    new Promise((resolve, reject) => {
      const file = programFile(import.meta.url, "./threads/chore");
      const worker = new Worker(file, { workerData: { place, chore } });
      // A server that is told to stop does not wait for it: what is cut short leaves nothing that counts.
      worker.unref();
      worker.on("message", (message: FromChore) => {
        if ("progress" in message) onProgress(message.progress);
        else if ("done" in message) resolve(message.done as Chores[C]);
        else {
          if (message.trace !== undefined) log(message.trace);
          reject(fromErrorBody(message.error));
        }
      });
      worker.on("error", (error: Error) => log(`a chore stopped: ${failureText(error)}`));
      worker.on("exit", () => reject(new PdppError("store_unavailable", "the thread that did it stopped")));
    });

  /** A backup never changes: its manifest, which may be long, is read once. */
  const known = new Map<string, KeptBackup>();
  return {
    ...namedByCommands(place),
    async version() {
      const text = await readFile(new URL("../../package.json", import.meta.url), "utf8");
      return (JSON.parse(text) as { version: string }).version;
    },
    examine: () => run("examine"),
    async backUp(onProgress) {
      const report = await run("backUp", onProgress);
      const { directory, created_at, bytes, counts } = report;
      known.set(directory, { directory, created_at, bytes, records: counts.records });
      return report;
    },
    async backups() {
      const { backupNames } = await import("./kept-backups.ts");
      const directories = (await backupNames(home)).map((name) => join(home, FILES.backups, name));
      if (directories.some((directory) => !known.has(directory)))
        for (const one of await run("backups")) known.set(one.directory, one);
      return directories.flatMap((directory) => known.get(directory) ?? []);
    },
  };
}

/** With a database the home that commands name has a folder for each owner. */
function namedByCommands({ home, database }: HomeLocation): Pick<Housekeeping, "home" | "ownerInDatabase"> {
  if (database === undefined) return { home };
  const { subject } = database;
  return { home: home === homeOfOwner(dirname(home), subject) ? dirname(home) : home, ownerInDatabase: subject };
}
