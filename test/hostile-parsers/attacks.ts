// Attacks by code inside a parser that a malicious file has taken over. Each attack returns a value if it succeeds.
import { createHash, pbkdf2Sync } from "node:crypto";
import fs from "node:fs";
import { createRequire } from "node:module";
import { PROTOTYPE_ATTACKS } from "./prototype-attacks.ts";

export interface Targets {
  /** A file outside the input. */
  secret: string;
  beside: string;
  port: number;
  /** An SQLite database outside the input. */
  database: string;
  /** Another process of the same user. */
  victim?: number;
}

type Attack = (targets: Targets) => unknown;

const require = createRequire(import.meta.url);
const builtin = (name: string): Promise<Record<string, unknown>> => import(/* @vite-ignore */ `node:${name}`);
const called = (name: string, method: string, ...args: unknown[]): Attack => {
  return async () => ((await builtin(name)) as Record<string, (...all: unknown[]) => unknown>)[method]!(...args);
};
type AnyProcess = Record<string, (...args: unknown[]) => unknown>;
const ofProcess = process as unknown as AnyProcess;

export const ATTACKS: Record<string, Attack> = {
  "read the home's key": ({ secret }) => fs.readFileSync(secret),
  "read /etc/passwd": () => fs.readFileSync("/etc/passwd"),
  "read a file beside the input": ({ beside }) => fs.readFileSync(beside),
  "list a folder": () => fs.readdirSync("/etc"),
  "read the parent's environment": () => fs.readFileSync(`/proc/${process.ppid}/environ`),
  "write beside the input": ({ beside }) => fs.writeFileSync(`${beside}.new`, "x"),
  "make a link": ({ secret }) => fs.symlinkSync(secret, `${process.env.TMPDIR ?? "/tmp"}/link`),
  "open a database": async ({ database }) =>
    new ((await builtin("sqlite")).DatabaseSync as new (path: string) => object)(database),
  "open a database for the program": async ({ database }) => {
    const { openReadOnly } = await import("../../src/sandbox/read-only-database.ts");
    return openReadOnly(database);
  },
  "connect by net": ({ port }) => called("net", "connect", port, "127.0.0.1")({} as Targets),
  "require net": () => require("node:net"),
  "load net past the loader": () => require("node:module")._load("net"),
  "ask process for net": () => ofProcess.getBuiltinModule!("net"),
  "register a loader": () => require("node:module").registerHooks({}),
  fetch: ({ port }) => fetch(`http://127.0.0.1:${port}/`),
  "open a WebSocket": ({ port }) => new WebSocket(`ws://127.0.0.1:${port}/`),
  "use http": ({ port }) => called("http", "get", `http://127.0.0.1:${port}/`)({} as Targets),
  "use http2": () => builtin("http2"),
  "use tls": () => builtin("tls"),
  "send by UDP": () => called("dgram", "createSocket", "udp4")({} as Targets),
  "resolve by dns.Resolver": async () => new ((await builtin("dns")).Resolver as new () => object)(),
  "make a socket from standard error": () =>
    new (process.stderr.constructor as unknown as new () => { connect(port: number): void })().connect(1),
  "spawn a program": () => called("child_process", "spawnSync", "true")({} as Targets),
  "spawn by an internal binding": () => ofProcess.binding!("spawn_sync"),
  "replace itself": () => ofProcess.execve!("/bin/true", [], {}),
  "load native code": () => ofProcess.dlopen!({ exports: {} }, "/tmp/x.node"),
  "start a worker": async () =>
    new ((await builtin("worker_threads")).Worker as new (code: string, options: object) => object)("0", {
      eval: true,
    }),
  "use WASI": () => builtin("wasi"),
  "open the inspector": () => called("inspector", "open", 0)({} as Targets),
  "signal the parent": () => process.kill(process.ppid, 0),
  "signal the parent past process.kill": () => ofProcess._kill!(process.ppid, 0),
  "use vm": () => builtin("vm"),
  "use v8": () => builtin("v8"),
  "use diagnostics_channel": () => builtin("diagnostics_channel"),
  "open an EventSource": ({ port }) => new EventSource(`http://127.0.0.1:${port}/`),
  "send through the dispatcher behind fetch": async ({ port }) => {
    const attempts = [
      () => new Response(""),
      () => new Headers(),
      () => (globalThis as unknown as { WebAssembly: AnyProcess }).WebAssembly.compileStreaming!(new Uint8Array(8)),
    ];
    for (const attempt of attempts)
      await Promise.resolve()
        .then(attempt)
        .catch(() => undefined);
    const name = Object.getOwnPropertySymbols(globalThis).find((one) => one.description?.includes("Dispatcher"));
    const dispatcher = (globalThis as unknown as Record<symbol, { dispatch(...all: unknown[]): unknown }>)[name!]!;
    return dispatcher.dispatch({ origin: `http://127.0.0.1:${port}`, path: "/", method: "GET" }, { onError: () => 0 });
  },
  "read a report of the process": () => process.report.getReport(),
  "write a report of the process": ({ beside }) => process.report.writeReport(`${beside}.report`),
  "find handles of the process": () => ofProcess._getActiveHandles!(),
  "learn which folders exist": () => process.chdir("/etc"),
  "cache compiled code in a folder": ({ beside }) => require("node:module").enableCompileCache(`${beside}.cache`),
  "load an engine of OpenSSL": () => require("node:crypto").setEngine("/tmp/x.so"),
  "load native code as a module": () => require("node:module")._extensions[".node"]({ exports: {} }, "/tmp/x.node"),
  ...PROTOTYPE_ATTACKS,
  "find something in the environment": () => {
    const names = Object.keys(process.env).filter((name) => !["PATH", "TZ", "TMPDIR", "_"].includes(name));
    if (names.length === 0) throw new Error("there is nothing");
    return names;
  },
};

/** Runs native code for hours, which JavaScript cannot interrupt. */
export const spin = (): unknown => pbkdf2Sync("a", "b", 2 ** 31 - 1, 64, "sha512");

/** Allocates memory outside the heap, and writes to it so that it is resident. */
export function fill(): void {
  const held: Buffer[] = [];
  for (;;) {
    held.push(Buffer.alloc(16 * 1024 * 1024, held.length));
    createHash("sha256").update(held.at(-1)!).digest();
  }
}
