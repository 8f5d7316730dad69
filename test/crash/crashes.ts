// The crash run: uses a server, kills it at a random moment, restarts it, and compares its data with the acknowledged
// writes.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { PdppError } from "../../src/contract/errors.ts";
import { checkAll } from "./checks.ts";
import { catchUp, newMirror } from "./mirror.ts";
import { newModel } from "./model.ts";
import { CLIENTS, type Operation, type Session } from "./operations.ts";
import { randomFrom } from "./random.ts";
import { openServerHere } from "./server-here.ts";
import { request, type ServerProcess, startServerProcess, Unanswered } from "./server-process.ts";
import { makeHome } from "./world.ts";

export interface CrashOptions {
  seed: number;
  kills: number;
  /** The URL of an empty PostgreSQL database. Without one, the server keeps its data in files. */
  database?: string;
  /** Restarts the database after an immediate stop. Called after some of the kills. */
  crashDatabase?: () => Promise<void>;
  /**
   * After one in this many kills, the checks read from the server itself. After the others, this process opens the home
   * that the server left behind, which takes a fraction of the CPU time, and the next server continues from there.
   */
  serverChecksEvery?: number;
  /** On a slow machine, the test stops after this time, but not before the first kill. */
  withinMs?: number;
  onKill?: (kill: number, operations: number, held: string) => void;
}

/**
 * A server answers up to this many requests before it is killed. Counting requests keeps the load the same on a slow
 * machine.
 */
const MOST_REQUESTS = 60;
/** A random delay follows, so that a kill can happen at any moment of a request. */
const MOST_MS = 60;
/** Indexes are saved this long after the last change. Some kills wait for that moment. */
const IDLE_FLUSH_MS = 1000;
const QUIET_SHARE = 0.4;
const QUIET_SPREAD_MS = 160;
/** This share of the kills on PostgreSQL also stops the database, as if the machine had lost power. */
const DATABASE_SHARE = 0.1;
const MOST_TRIES = 5;

/** Returns the number of kills. */
export async function runCrashes(options: CrashOptions): Promise<number> {
  const { seed } = options;
  const home = mkdtempSync(join(tmpdir(), "postern-crash-"));
  try {
    return await crashAndCompare(home, options);
  } catch (error) {
    const engine = options.database === undefined ? "sqlite" : "postgres";
    const again = `npm run soak -- crash --engine ${engine} --seed ${seed}`;
    throw new Error(`seed ${seed}: ${(error as Error).message} (again: ${again})`, { cause: error });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function crashAndCompare(
  home: string,
  {
    seed,
    kills,
    database,
    crashDatabase,
    serverChecksEvery = 1,
    withinMs = Number.POSITIVE_INFINITY,
    onKill,
  }: CrashOptions,
): Promise<number> {
  const end = performance.now() + withinMs;
  const owner = await makeHome(home, database);
  const env: Record<string, string> = database === undefined ? {} : { DATABASE_URL: database };
  const random = randomFrom(seed);
  const model = newModel();
  const mirror = newMirror();
  let server: ServerProcess;
  let url: string;
  const start = async (): Promise<void> => {
    server = await startServerProcess(home, env);
    url = server.url;
  };
  const check = async (): Promise<void> => {
    // These are all reads, so they can be repeated.
    const patient: Session = { ...session, ask: (path, init) => insist(() => session.ask(path, init)) };
    await checkAll(patient, mirror, async (path) => {
      const { status, bytes } = await insist(() => picture(path));
      if (status !== 200) throw new Error(`GET ${path} returned ${status}`);
      return bytes;
    });
  };
  const checkHere = async (): Promise<void> => {
    const here = await insist(() => openServerHere(home, database));
    url = here.url;
    try {
      await check();
    } finally {
      await here.close();
    }
  };
  let requests = 0;
  let killAfter = 0;
  let killNow: () => void = () => undefined;
  const session: Session = {
    model,
    random,
    async ask(path, { token = owner, read = false, ...init } = {}) {
      const id = `crash_${seed}_${requests++}`;
      const answer = await request(url + path, token, id, init);
      // On a busy machine the server or this client can be too slow, and the server reports it.
      if (answer.status === 503 || answer.status === 408)
        throw new Unanswered(`${path} returned ${answer.status}: ${answer.body}`);
      if (read) model.reads.set(id, Date.now());
      if (requests >= killAfter) killNow();
      return answer;
    },
  };
  const picture = async (path: string): Promise<{ status: number; bytes: Uint8Array }> => {
    // Uses a new connection, because the server may have closed an idle one.
    const headers = { Authorization: `Bearer ${owner}`, Connection: "close" };
    try {
      const response = await fetch(url + path, { headers });
      if (response.status !== 503) return { status: response.status, bytes: await response.bytes() };
    } catch (error) {
      throw new Unanswered(`GET ${path}`, { cause: error });
    }
    throw new Unanswered(`GET ${path} returned 503`);
  };
  const follow: Operation = (reader) => catchUp(mirror, reader);
  const [writes, authority, reads] = CLIENTS;
  await start();
  let killed = 0;
  try {
    while (killed < kills && (killed === 0 || performance.now() < end)) {
      // Some servers are killed while starting, some while saving their indexes, and most while working.
      const quiet = random.next() < QUIET_SHARE;
      if (quiet || random.next() < 0.8) await writes![0]!(session).catch(unlessUnanswered);
      const enough = new Promise<void>((resolve) => (killNow = resolve));
      killAfter = requests + random.below(MOST_REQUESTS);
      // The checks determine whether an unacknowledged first write was stored, so nothing can be written after it.
      const clients = quiet || model.uncertain !== undefined ? [] : [writes!, authority!, [...reads!, follow]];
      const used = clients.map((operations) => useUntilDead(session, operations));
      // The clients stop only when the server dies, unless one of them finds an error.
      if (used.length > 0) await Promise.race([enough, Promise.all(used)]);
      await sleep(quiet ? IDLE_FLUSH_MS + (random.next() - 0.3) * QUIET_SPREAD_MS : random.next() * MOST_MS);
      await server!.kill();
      killed++;
      if (random.next() < DATABASE_SHARE) await crashDatabase?.();
      const operations = (await Promise.all(used)).reduce((sum, count) => sum + count, 0);
      if (killed % serverChecksEvery !== 0) await checkHere();
      await start();
      if (killed % serverChecksEvery === 0) await check();
      const { items, grants, blobs } = model;
      const held = `${items.size} records, ${grants.length} grants, ${blobs.size} blobs`;
      onKill?.(killed, operations, held);
    }
  } catch (error) {
    await server!.kill();
    throw error;
  }
  await server!.stop();
  return killed;
}

/** Repeats the request if the server was too slow to answer. */
async function insist<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await ask();
    } catch (error) {
      const isTemporary = error instanceof Unanswered || (error instanceof PdppError && error.status === 503);
      if (!isTemporary || tries === MOST_TRIES) throw error;
    }
    await sleep(tries * 1000);
  }
}

function unlessUnanswered(error: unknown): void {
  if (!(error instanceof Unanswered)) throw error;
}

export async function useUntilDead(session: Session, operations: readonly Operation[]): Promise<number> {
  for (let done = 0; ; done++) {
    try {
      await session.random.pick(operations)(session);
    } catch (error) {
      if (error instanceof Unanswered) return done;
      throw error;
    }
  }
}
