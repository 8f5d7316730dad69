// Runs a line as if a person pasted it into a shell, with a time limit, and ends all processes that it started.
import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

export interface RunOptions {
  cwd: string;
  env: NodeJS.ProcessEnv;
  seconds: number;
  /** Runs the line in a pseudo-terminal (`script` from util-linux), for programs that need one. */
  terminal?: boolean;
  /** Text to type when the program asks. */
  answer?: { to: RegExp; type: string };
  /** For a program that waits for a person: returns true once it has done its work and can be ended. */
  until?: () => boolean;
}

export interface Ran {
  line: string;
  /** null if the program was ended. */
  code: number | null;
  /** Output without colours or cursor movements. */
  stdout: string;
  stderr: string;
}

const GRACE_MS = 1500;
const POLL_MS = 200;

export async function run(
  line: string,
  { cwd, env, seconds, terminal = false, answer, until }: RunOptions,
): Promise<Ran> {
  const [command, args] = terminal ? ["script", ["-qec", line, "/dev/null"]] : ["sh", ["-c", line]];
  // Uses a separate process group, so that everything the line starts is ended with it.
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
  const out = { stdout: "", stderr: "" };
  let asked = false;
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => {
      out[name] += text;
      if (asked || answer?.to.test(out[name]) !== true) return;
      asked = true;
      child.stdin.write(answer.type);
    });
  child.stdin.on("error", () => undefined);
  if (!terminal) child.stdin.end();
  const ended = new Promise<number | null>((resolve) => {
    child.on("error", (error) => {
      out.stderr += error.message;
      resolve(127);
    });
    child.on("exit", (code) => resolve(code));
  });
  const stop = new AbortController();
  const late = sleep(seconds * 1000, "late" as const, { signal: stop.signal }).catch(() => "late" as const);
  const done = until === undefined ? late : whenTrue(until, stop.signal).then(() => "late" as const);
  const first = await Promise.race([ended, late, done]);
  stop.abort();
  if (first === "late") {
    signalGroup(child.pid, "SIGTERM");
    await Promise.race([ended, sleep(GRACE_MS)]);
  }
  signalGroup(child.pid, "SIGKILL");
  child.stdin.destroy();
  return { line, code: first === "late" ? null : first, stdout: plain(out.stdout), stderr: plain(out.stderr) };
}

async function whenTrue(holds: () => boolean, signal: AbortSignal): Promise<void> {
  while (!(holds() || signal.aborted)) await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // All processes of the group have already ended.
  }
}

const plain = (text: string): string =>
  text.replace(/\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)/g, "").replace(/\r/g, "");
