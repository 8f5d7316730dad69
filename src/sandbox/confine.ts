// Takes away what Node's permission model leaves to a process: the network, signals to other processes, and free use of SQLite.
import Module, { registerHooks, syncBuiltinESMExports } from "node:module";
import { constants } from "node:os";
import { Writable } from "node:stream";
import { hideSqlite } from "./read-only-database.ts";

/** A list of what may be used: a module that a later Node adds is closed until somebody looks at it. */
const USABLE = new Set(
  [
    "assert",
    "buffer",
    "crypto",
    "events",
    "fs",
    "fs/promises",
    // The build loads packages through it; what it could undo is taken from it below.
    "module",
    "path",
    "perf_hooks",
    "process",
    "stream",
    "stream/promises",
    "string_decoder",
    "timers",
    "timers/promises",
    "url",
    "util",
    "zlib",
  ].map((name) => `node:${name}`),
);

const REFUSED_OF_PROCESS = [
  "_debugEnd",
  "_debugProcess",
  "_kill",
  "_linkedBinding",
  "abort",
  "binding",
  "dlopen",
  "execve",
  "initgroups",
  "kill",
  "loadEnvFile",
  "setegid",
  "seteuid",
  "setgid",
  "setgroups",
  "setuid",
] as const;

function refusal(name: string): () => never {
  return function refuse() {
    throw new Error(`${name} is not available to a parser`);
  };
}

/** Called before anything else is loaded. Answers how this process ends itself: a normal exit would wait for the read from the parent. */
export function confine(): () => void {
  // What process.kill calls; both are taken away below.
  const { _kill: kill } = process as unknown as { _kill(pid: number, signal: number): void };
  const end = (): void => kill(process.pid, constants.signals.SIGKILL);
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const resolved = nextResolve(specifier, context);
      if (resolved.url.startsWith("node:") && !USABLE.has(resolved.url)) refusal(resolved.url)();
      return resolved;
    },
  });
  const take = (target: object, name: string, value: unknown): void => {
    Object.defineProperty(target, name, { value, configurable: false, writable: false });
  };
  // Hooks that are registered later would be asked before ours.
  for (const name of ["register", "registerHooks"]) take(Module, name, refusal(`module.${name}`));
  const builtin = process.getBuiltinModule;
  take(process, "getBuiltinModule", (name: string) => {
    const url = name.startsWith("node:") ? name : `node:${name}`;
    return USABLE.has(url) ? builtin(url) : refusal(url)();
  });
  for (const name of REFUSED_OF_PROCESS) if (name in process) take(process, name, refusal(`process.${name}`));
  for (const name of ["exit", "reallyExit"]) take(process, name, end);
  for (const name of ["fetch", "WebSocket", "EventSource"]) take(globalThis, name, refusal(name));
  // Those of Node are sockets when they lead to a pipe, and a socket's class connects anywhere.
  const nowhere = new Writable({ write: (_piece, _encoding, done) => done() });
  for (const name of ["stdin", "stdout", "stderr"]) take(process, name, nowhere);
  hideSqlite();
  syncBuiltinESMExports();
  return end;
}
