// pdpp as people and scripts run it, on Node 24: in a process that is reused for the next command, or in a separate
// one.
import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { shellWords } from "../src/surfaces/cli/shell-words.fixture.ts";
import type { CommandRequest, CommandResult } from "./command-runner.ts";
import type { Loose } from "./harness.ts";

const BIN = fileURLToPath(new URL("../bin/pdpp.js", import.meta.url));
const RUNNER = fileURLToPath(new URL("command-runner.ts", import.meta.url));
/** Any further commands at the same time get separate processes. */
const RUNNERS = 3;

export interface Run {
  code: number;
  stdout: string;
  stderr: string;
  /** stdout parsed as JSON. Throws if it is not JSON. */
  readonly json: Loose;
}

export interface RunOptions {
  input?: string;
  /** Closes the command's stderr. */
  closeStderr?: boolean;
  env?: Record<string, string>;
  cwd?: string;
}

/** A running command, with its stderr so far and its result. */
export interface Running {
  stderr(): string;
  ended: Promise<Run>;
}

/** Runs a command when the test needs only its result. */
export async function pdpp(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  const runner = options.closeStderr || args[0] === "serve" ? undefined : freeRunner();
  if (runner === undefined) return begin(args, options).ended;
  busy.add(runner);
  runner.channel!.ref();
  const { input = "", env, cwd = process.cwd() } = options;
  runner.send({ args, input, env: environment(env), cwd } satisfies CommandRequest);
  const over = new AbortController();
  try {
    const result = once(runner, "message", over);
    const exit = once(runner, "exit", over).then(([code]) => {
      throw new Error(`${args.join(" ")} ended its process with ${code}; use begin()`);
    });
    return runOf((await Promise.race([result, exit]))[0] as CommandResult);
  } finally {
    over.abort();
    runner.channel?.unref();
    busy.delete(runner);
  }
}

const runners = new Set<ChildProcess>();
const busy = new Set<ChildProcess>();

function freeRunner(): ChildProcess | undefined {
  const free = [...runners].find((runner) => !busy.has(runner));
  if (free !== undefined || runners.size === RUNNERS) return free;
  const runner = fork(RUNNER, { cwd: "/", execArgv: [], stdio: "inherit" });
  runners.add(runner);
  runner.once("exit", () => runners.delete(runner));
  // The runner exits with this process, and does not keep it alive.
  runner.unref();
  runner.channel!.unref();
  return runner;
}

/** Starts a command in a separate process, which a test can watch and signal. */
export function begin(
  args: readonly string[],
  { input, env = {}, closeStderr = false, cwd }: RunOptions = {},
): Running {
  const child = start(args, env, cwd);
  const stdout = collect(child.stdout!);
  const stderr = collect(child.stderr!);
  if (closeStderr) child.stderr!.destroy();
  child.stdin!.on("error", () => undefined);
  child.stdin!.end(input ?? "");
  const ended = once(child, "close").then(([code]) => runOf({ code, stdout: stdout(), stderr: stderr() }));
  return { stderr, ended };
}

const runOf = (result: CommandResult): Run => ({
  ...result,
  get json() {
    return JSON.parse(result.stdout) as Loose;
  },
});

/** Waits for a run and fails the test unless it succeeded. */
export async function ok(run: Promise<Run>): Promise<Run> {
  const done = await run;
  if (done.code !== 0) throw new Error(`exit ${done.code}\n${done.stdout}\n${done.stderr}`);
  return done;
}

/** Replaces sealed positions, because they differ every time they are sealed. */
export const settled = (body: Loose): Loose =>
  JSON.parse(
    JSON.stringify(body, (name, value) =>
      ["next_cursor", "next_changes_since", "next", "links"].includes(name) ? "…" : value,
    ),
  );

/** Returns the printed command after a label such as `More:`, as arguments for the next run. */
export function printed(run: Run, label: string): string[] {
  const line = run.stderr.split("\n").find((candidate) => candidate.startsWith(`${label}: `));
  if (line === undefined) throw new Error(`no ${JSON.stringify(label)} in:\n${run.stderr}`);
  const [name, ...args] = shellWords(line.slice(label.length + 2));
  if (name !== "pdpp") throw new Error(`not a pdpp command: ${line}`);
  return args;
}

export interface Serving {
  url: string;
  pid: number;
  /** Everything that the server has printed. */
  output(): string;
  stderr(): string;
  tell(signal: NodeJS.Signals): void;
  /** The server's exit code, or the signal that ended it. */
  ended: Promise<number | string>;
  /** Sends these signals in quick succession. Returns the server's exit code, or the signal that ended it. */
  stop(...signals: NodeJS.Signals[]): Promise<number | string>;
}

export async function serve(
  home: string,
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<Serving> {
  const child = start(["serve", "--home", home, ...(args.includes("--port") ? [] : ["--port", "0"]), ...args], env);
  const stdout = collect(child.stdout!);
  const stderr = collect(child.stderr!);
  const ended = once(child, "close").then(([code, signal]) => (code ?? signal) as number | string);
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout!.on("data", () => {
      const ready = /^ready (\S+)\n/m.exec(stdout());
      if (ready) resolve(ready[1]!);
    });
    child.once("close", (code) => reject(new Error(`serve ended with ${code}: ${stderr()}`)));
  });
  return {
    url,
    pid: child.pid!,
    output: () => stdout() + stderr(),
    stderr,
    tell: (signal) => void child.kill(signal),
    ended,
    async stop(...signals) {
      for (const signal of signals.length > 0 ? signals : (["SIGTERM"] as const)) child.kill(signal);
      return ended;
    },
  };
}

function start(args: readonly string[], env: Record<string, string>, cwd?: string): ChildProcess {
  return spawn(process.execPath, [BIN, ...args], { cwd, env: environment(env), stdio: "pipe" });
}

function environment(more: Record<string, string> = {}): NodeJS.ProcessEnv {
  const { PDPP_ACCESS_TOKEN: _token, PDPP_HOME: _home, ...inherited } = process.env;
  return { ...inherited, ...more };
}

function collect(stream: NodeJS.ReadableStream): () => string {
  const parts: Buffer[] = [];
  stream.on("data", (part: Buffer) => parts.push(part));
  return () => Buffer.concat(parts).toString("utf8");
}
