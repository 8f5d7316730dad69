// Server processes that can be paused, on one database and one folder, with a short lease.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { DatabasePlace } from "../../src/store/place.ts";

export interface PausingServerOptions {
  /** The home of this server only. */
  home: string;
  /** The shared folder. */
  root: string;
  database: DatabasePlace;
  /** The process pauses itself once, before this operation on a path that contains `path`. */
  pauseAt?: {
    operation: "rm" | "rename";
    path: string;
    /** This file contains the path when the process has paused, and `resumed` when the operation is done. */
    marker: string;
  };
}

export interface PausingServer {
  url: string;
  pause(): void;
  resume(): void;
  /** Stops the process. Resolves when its jobs have ended and it has exited. */
  stop(): Promise<void>;
  /** Everything that the server logged. */
  log(): string;
}

export async function startPausingServer(options: PausingServerOptions): Promise<PausingServer> {
  const program = new URL("./pausing-server.ts", import.meta.url);
  const child = fork(program, [JSON.stringify(options)], { stdio: ["ignore", "ignore", "pipe", "ipc"] });
  const exited = once(child, "exit");
  let log = "";
  child.stderr!.on("data", (part: Buffer) => (log += part.toString()));
  return {
    url: await readyUrl(child, () => log),
    pause: () => void child.kill("SIGSTOP"),
    resume: () => void child.kill("SIGCONT"),
    async stop() {
      child.kill("SIGCONT");
      child.kill("SIGTERM");
      await exited;
    },
    log: () => log,
  };
}

async function readyUrl(child: ChildProcess, log: () => string): Promise<string> {
  const failed = once(child, "exit").then(([code]) => {
    throw new Error(`the server ended with ${code}: ${log()}`);
  });
  failed.catch(() => undefined);
  const [url] = (await Promise.race([once(child, "message"), failed])) as [string];
  return url;
}
