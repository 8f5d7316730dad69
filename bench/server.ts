// Starts, in its own process, a program that prints `ready URL`: our server or a yardstick.
import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { newOneTimeCode, oneTimeCodeHash } from "../src/auth/one-time-code.ts";
import { localHost } from "../src/engine/local-host.ts";
import { openSqliteStore } from "../src/store/sqlite/sqlite-store.ts";
import type { Exchange } from "../src/surfaces/http/respond.ts";
import { sessionIn } from "../src/surfaces/web/visitor.ts";

export interface Started {
  url: string;
  port: number;
  /** Time from process start to the line `ready`. */
  startMs: number;
  residentBytes(): number;
  /** CPU milliseconds used so far, over all threads. */
  cpuMs(): number;
  stop(): Promise<void>;
}

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

export const startPostern = (home: string, env: Record<string, string> = {}): Promise<Started> =>
  start([path("../bin/pdpp.js"), "serve", "--home", home, "--port", "0"], env);

export const startYardstick = (name: string, ...args: string[]): Promise<Started> =>
  start([path(`yardsticks/${name}`), ...args]);

/** Running programs, which are killed at exit because a failed section does not stop its own programs. */
const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill();
});

async function start(args: readonly string[], env: Record<string, string> = {}): Promise<Started> {
  const began = performance.now();
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...env },
  });
  running.add(child);
  child.once("exit", () => running.delete(child));
  const url = await readyLine(child);
  const startMs = performance.now() - began;
  return {
    url,
    port: Number(new URL(url).port),
    startMs,
    residentBytes: () => residentBytes(child.pid!),
    cpuMs: () => cpuMs(child.pid!),
    async stop() {
      const exited = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await exited;
    },
  };
}

function readyLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout!.on("data", (part: Buffer) => {
      text += part.toString();
      const url = /^ready (\S+)$/m.exec(text)?.[1];
      if (url !== undefined) resolve(url);
    });
    child.once("exit", (code) =>
      reject(new Error(`${child.spawnargs.slice(1, 3).join(" ")} exited with code ${code} before it was ready`)),
    );
  });
}

function residentBytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) * 1024;
}

/** The scheduler counts in nanoseconds; /proc/PID/stat counts in ticks of 10 ms. */
export function cpuMs(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const spent = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]);
  return spent.reduce((sum, nanoseconds) => sum + Number(nanoseconds), 0) / 1e6;
}

/** Issues a token as the owner of the home directory. */
export async function issueToken(home: string, kind: "owner" | "grant"): Promise<string> {
  const host = localHost(openSqliteStore(home), { home, persist: false });
  try {
    const owner = { home: true } as const;
    const body =
      kind === "owner"
        ? await host.call("issueOwnerToken", {}, owner)
        : await host.call("issueGrant", { all: true }, owner);
    return body.access_token;
  } finally {
    await host.close();
  }
}

/** Signs the owner of a home in as a browser does; also returns the home's first connection. */
export async function openOwnerSession(
  home: string,
): Promise<{ session: ReturnType<typeof sessionIn>; connectionId: string }> {
  const host = localHost(openSqliteStore(home), { home, persist: false });
  try {
    const owner = { home: true } as const;
    const code = oneTimeCodeHash(newOneTimeCode());
    await host.call("putSetupCode", { code }, owner);
    await host.call("setOwner", { code, name: "Owner", password: "nobody signs in with it" }, owner);
    const { session } = await host.call("openSession", { label: "bench" }, owner);
    const { data } = await host.call("connections", {}, owner);
    const { secret } = await host.call("webSecret", {}, owner);
    const browser = sessionIn({ origin: "http://127.0.0.1" } as Exchange, secret, session, 3600);
    return { session: browser, connectionId: data[0]!.connection_id };
  } finally {
    await host.close();
  }
}
