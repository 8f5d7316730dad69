// Removes what Node's permission model still allows a process to use: the network, signals to other processes, and
// unrestricted SQLite.
import Module, { registerHooks, syncBuiltinESMExports } from "node:module";
import { constants } from "node:os";
import { Writable } from "node:stream";
import { hideSqlite } from "./read-only-database.ts";

/**
 * This is an allowlist, so a module that a later Node adds is refused until someone has reviewed it. Code in a hijacked
 * process can replace every method of the built-in classes, so nothing here calls one. The list has no prototype, and
 * `apply` and `startsWith` are captured before that code is loaded.
 */
const ALLOWED_MODULES: Readonly<Record<string, true>> = Object.freeze({
  __proto__: null as unknown as true,
  "node:assert": true,
  "node:buffer": true,
  "node:crypto": true,
  "node:events": true,
  "node:fs": true,
  "node:fs/promises": true,
  // The build loads packages through node:module. The functions that could undo the confinement are removed below.
  "node:module": true,
  "node:path": true,
  "node:perf_hooks": true,
  "node:process": true,
  "node:stream": true,
  "node:stream/promises": true,
  "node:string_decoder": true,
  "node:timers": true,
  "node:timers/promises": true,
  "node:url": true,
  "node:util": true,
  "node:zlib": true,
});

const { apply, defineProperty, deleteProperty } = Reflect;
const { startsWith } = String.prototype;
const isOfNode = (url: string): boolean => apply(startsWith, url, ["node:"]);

const REFUSED_OF_PROCESS = [
  "_debugEnd",
  "_debugProcess",
  "_getActiveHandles",
  "_getActiveRequests",
  "_kill",
  "_linkedBinding",
  "abort",
  "binding",
  "chdir",
  "dlopen",
  "execve",
  "initgroups",
  "kill",
  "loadEnvFile",
  "report",
  "setegid",
  "seteuid",
  "setgid",
  "setgroups",
  "setuid",
] as const;

/** Functions that could undo the allowlist, or write where permissions do not apply. */
const REFUSED_OF_MODULE = ["register", "registerHooks", "enableCompileCache", "flushCompileCache"] as const;

/** Each of these globals loads Node's HTTP client, whose dispatcher can connect anywhere. */
const REFUSED_GLOBALS = [
  "CloseEvent",
  "EventSource",
  "FormData",
  "Headers",
  "MessageEvent",
  "Request",
  "Response",
  "WebSocket",
  "fetch",
] as const;

function refusal(name: string): () => never {
  return function refuse() {
    throw new Error(`${name} is not available to a parser`);
  };
}

/** Delete the property first, because redefining one that Node creates on first use would load the code behind it. */
const take = (target: object, name: PropertyKey, value: unknown): void => {
  deleteProperty(target, name);
  if (!defineProperty(target, name, { value, configurable: false, writable: false }))
    throw new Error(`${String(name)} cannot be removed from the parser's process`);
};

/**
 * Must be called before anything else is loaded. Returns the function that ends this process, because a normal exit
 * would wait for the pending read from the parent.
 */
export function confine(): () => void {
  // process.kill calls `_kill`, and both are removed below. `pid` is captured too, because the process could later fake
  // another id.
  const { _kill: kill, pid } = process as unknown as { _kill(pid: number, signal: number): void; pid: number };
  const { SIGKILL } = constants.signals;
  const end = (): void => kill(pid, SIGKILL);
  closeModules();
  for (const name of REFUSED_OF_PROCESS) if (name in process) take(process, name, refusal(`process.${name}`));
  for (const name of ["exit", "reallyExit"]) take(process, name, end);
  for (const name of REFUSED_GLOBALS) take(globalThis, name, refusal(name));
  const { WebAssembly: webAssembly } = globalThis as unknown as { WebAssembly: object };
  for (const name of ["compileStreaming", "instantiateStreaming"])
    take(webAssembly, name, refusal(`WebAssembly.${name}`));
  // Node's standard streams are sockets if they are connected to pipes, and code could use a socket's class to connect
  // anywhere.
  const nowhere = new Writable({ write: (_piece, _encoding, done) => done() });
  for (const name of ["stdin", "stdout", "stderr"]) take(process, name, nowhere);
  hideSqlite();
  syncBuiltinESMExports();
  return end;
}

function closeModules(): void {
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const { url, format, importAttributes } = nextResolve(specifier, context);
      if ((isOfNode(url) || format === "builtin") && ALLOWED_MODULES[url] !== true) refusal(url)();
      return { url, format, importAttributes };
    },
  });
  // Hooks registered later would run before ours.
  for (const name of REFUSED_OF_MODULE) if (name in Module) take(Module, name, refusal(`module.${name}`));
  // The fourth argument of `_load` skips the hooks, or marks a module as already resolved.
  const loader = Module as unknown as { _load(request: string, parent: unknown, isMain: boolean): unknown };
  const load = loader._load;
  take(Module, "_load", (request: string, parent: unknown, isMain: boolean) =>
    apply(load, Module, [request, parent, isMain]),
  );
  const builtin = process.getBuiltinModule;
  take(process, "getBuiltinModule", (name: unknown) => {
    if (typeof name !== "string") return refusal("a module without a name")();
    const url = isOfNode(name) ? name : `node:${name}`;
    return ALLOWED_MODULES[url] === true ? builtin(url) : refusal(url)();
  });
  // Node keeps hooks in arrays. An accessor for an array index could intercept them before our hooks run.
  Object.preventExtensions(Array.prototype);
  Object.preventExtensions(Object.prototype);
}
