// Starts the process that makes a server's backups, and receives its messages.
import { fork } from "node:child_process";
import type { Readable } from "node:stream";
import { type ErrorBody, fromErrorBody, PdppError } from "../../contract/errors.ts";
import { programFile } from "../../program-file.ts";
import type { BackupOptions, BackupReport } from "./backup.ts";
import type { RestoreOptions, RestoreReport } from "./restore.ts";

export type BackupJob =
  | { kind: "backup"; options: Omit<BackupOptions, "now" | "onProgress"> }
  | { kind: "restore"; options: Omit<RestoreOptions, "now" | "onProgress" | "objectsFor"> }
  | { kind: "archive"; directory: string; snapshot: string; passphrase?: string };

export type FromBackupProcess = { progress: string } | { done: unknown } | { error: ErrorBody; trace?: string };

interface Answers {
  backup: BackupReport;
  restore: RestoreReport;
  archive: null;
}

export interface RunningBackup<K extends BackupJob["kind"]> {
  /** The archive's bytes. */
  output: Readable;
  ended: Promise<Answers[K]>;
  stop(): void;
}

interface Listener {
  onProgress?: (text: string) => void;
  log: (text: string) => void;
}

export function startBackup<J extends BackupJob>(job: J, { onProgress, log }: Listener): RunningBackup<J["kind"]> {
  // Passphrases and addresses are sent over the channel, because every user of the machine can see a process's
  // arguments.
  const child = fork(programFile(import.meta.url, "./process"), {
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    execArgv: ["--max-semi-space-size=4"],
  });
  child.stderr!.setEncoding("utf8").on("data", (text: string) => log(text.trimEnd()));
  // A stopping server does not wait for this process, because an interrupted backup leaves nothing behind that looks
  // complete.
  child.unref();
  child.channel?.unref();
  const ended = new Promise<Answers[J["kind"]]>((resolve, reject) => {
    child.on("message", (message: FromBackupProcess) => {
      if ("progress" in message) onProgress?.(message.progress);
      else if ("done" in message) resolve(message.done as Answers[J["kind"]]);
      else {
        if (message.trace !== undefined) log(message.trace);
        reject(fromErrorBody(message.error));
      }
    });
    child.once("error", reject);
    child.once("close", () => reject(new PdppError("store_unavailable", "the backup process stopped unexpectedly")));
  });
  if (job.kind !== "archive") child.stdout!.resume();
  child.send(job);
  return { output: child.stdout!, ended, stop: () => child.kill() };
}
