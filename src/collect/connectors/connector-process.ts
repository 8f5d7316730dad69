// Runs a connector as a process in its own group, with a minimal environment, and ends it reliably.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { COLLECT } from "../../contract/limits.ts";

export interface ConnectorCommand {
  file: string;
  args: readonly string[];
}

export interface ProcessEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Set if the process could not be started. */
  error?: Error;
}

export interface ConnectorProcess {
  pid: number | undefined;
  stdout: Readable;
  stderr: Readable;
  send(message: object): void;
  /** Closes the connector's input. */
  hangUp(): void;
  /** Sends SIGTERM to the process group, then SIGKILL to any processes that remain. */
  stop(): Promise<void>;
  /** Resolves when the connector has ended. Processes that it started may live until `stop`. */
  ended: Promise<ProcessEnd>;
}

/** The environment variables that a program needs to start. None is secret or reveals the location of the home. */
const INHERITED = ["PATH", "LANG", "LC_ALL", "TZ", "SystemRoot"];
const CLOSE_MS = 2000;
/** Identifies a process that has outlived its server. */
const MARK = "PDPP_RUN_ID";

function environment(runId: string, scratch: string): NodeJS.ProcessEnv {
  const kept = INHERITED.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  return { ...Object.fromEntries(kept), HOME: scratch, TMPDIR: scratch, [MARK]: runId };
}

export function startProcess(command: ConnectorCommand, runId: string, scratch: string): ConnectorProcess {
  const child: ChildProcessWithoutNullStreams = spawn(command.file, command.args, {
    cwd: scratch,
    env: environment(runId, scratch),
    // In its own group, and on POSIX its own session, so that the processes it starts can be ended with it.
    detached: true,
    stdio: "pipe",
    windowsHide: true,
  });
  const ended = new Promise<ProcessEnd>((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }));
    child.once("error", (error) => {
      if (child.pid === undefined) resolve({ code: null, signal: null, error });
    });
  });
  // A write to a process that has closed its streams fails; that is not an error here.
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on("error", () => undefined);
  const closed = once(child, "close").catch(() => undefined);
  let stopping: Promise<void> | undefined;
  return {
    pid: child.pid,
    stdout: child.stdout,
    stderr: child.stderr,
    send(message) {
      if (!child.stdin.destroyed) child.stdin.write(`${JSON.stringify(message)}\n`);
    },
    hangUp: () => void child.stdin.end(),
    ended,
    stop() {
      stopping ??= stopGroup(child, ended, closed);
      return stopping;
    },
  };
}

async function stopGroup(
  child: ChildProcessWithoutNullStreams,
  ended: Promise<ProcessEnd>,
  closed: Promise<unknown>,
): Promise<void> {
  const { pid } = child;
  if (pid !== undefined) {
    signalGroup(pid, "SIGTERM");
    const cut = new AbortController();
    await Promise.race([ended, sleep(COLLECT.graceMs, undefined, { signal: cut.signal }).catch(() => undefined)]);
    cut.abort();
    // Also kills any processes that the connector left behind.
    signalGroup(pid, "SIGKILL");
    await ended;
  }
  child.stdin.destroy();
  // A process that escaped the group can keep the streams open forever.
  await Promise.race([closed, sleep(CLOSE_MS, undefined, { ref: false })]);
  child.stdout.destroy();
  child.stderr.destroy();
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(process.platform === "win32" ? pid : -pid, signal);
  } catch {
    // No process is left in the group.
  }
}

/**
 * Ends the process group of a run whose server was killed, if the group still belongs to that run. Does nothing on
 * systems where the environment of a process cannot be read.
 */
export function endLeftover(pid: number, runId: string): void {
  try {
    if (readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(`${MARK}=${runId}`))
      signalGroup(pid, "SIGKILL");
  } catch {
    // The process has ended.
  }
}
