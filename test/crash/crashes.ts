// The crash run: a server is used, killed at a random moment, started again and compared with what it had acknowledged.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { checkAll } from "./checks.ts";
import { catchUp, newMirror } from "./mirror.ts";
import { newModel } from "./model.ts";
import { CLIENTS, type Operation, type Session } from "./operations.ts";
import { randomFrom } from "./random.ts";
import { request, type ServerProcess, startServerProcess, Unanswered } from "./server-process.ts";
import { makeHome } from "./world.ts";

export interface CrashOptions {
  seed: number;
  kills: number;
  /** A slow machine stops earlier, after at least one kill. */
  withinMs?: number;
  onKill?: (kill: number, summary: string) => void;
}

/** Up to this long a server lives, once awake, before it is killed. */
const LIFE_MS = 600;
/** So long after the last change indexes are written down; some kills wait for that moment. */
const IDLE_FLUSH_MS = 1000;
const QUIET_SHARE = 0.4;
const QUIET_SPREAD_MS = 160;

/** Answers how often the server was killed. */
export async function runCrashes(options: CrashOptions): Promise<number> {
  const { seed } = options;
  const home = mkdtempSync(join(tmpdir(), "postern-crash-"));
  try {
    return await crashAndCompare(home, options);
  } catch (error) {
    throw new Error(`seed ${seed}: ${(error as Error).message} (again: npm run soak -- crash --seed ${seed})`, {
      cause: error,
    });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function crashAndCompare(
  home: string,
  { seed, kills, withinMs = Number.POSITIVE_INFINITY, onKill }: CrashOptions,
): Promise<number> {
  const end = performance.now() + withinMs;
  const owner = await makeHome(home);
  const random = randomFrom(seed);
  const model = newModel();
  const mirror = newMirror();
  let server: ServerProcess;
  let requests = 0;
  const session: Session = {
    model,
    random,
    async ask(path, { token = owner, read = false, ...init } = {}) {
      const id = `crash_${seed}_${requests++}`;
      const answer = await request(server.url + path, token, id, init);
      if (read) model.reads.set(id, Date.now());
      return answer;
    },
  };
  const pictures = async (path: string): Promise<Uint8Array> => {
    const response = await fetch(server.url + path, { headers: { Authorization: `Bearer ${owner}` } });
    if (response.status !== 200) throw new Error(`GET ${path} answered ${response.status}`);
    return response.bytes();
  };
  const follow: Operation = (reader) => catchUp(mirror, reader);
  const [writes, authority, reads] = CLIENTS;
  server = await startServerProcess(home);
  let killed = 0;
  while (killed < kills && (killed === 0 || performance.now() < end)) {
    // Some servers die while their threads still start, some while they write their indexes down, most at work.
    const quiet = random.next() < QUIET_SHARE;
    if (quiet || random.next() < 0.8) await writes![0]!(session);
    const used = quiet
      ? []
      : [writes!, authority!, [...reads!, follow]].map((operations) => useUntilDead(session, operations));
    const life = quiet ? IDLE_FLUSH_MS + (random.next() - 0.3) * QUIET_SPREAD_MS : random.next() * LIFE_MS;
    await sleep(life);
    await server.kill();
    killed++;
    const operations = (await Promise.all(used)).reduce((sum, count) => sum + count, 0);
    server = await startServerProcess(home);
    await checkAll(session, mirror, pictures);
    const { items, grants, blobs } = model;
    const held = `${items.size} records, ${grants.length} grants, ${blobs.size} blobs`;
    onKill?.(killed, `${operations} operations in ${life.toFixed(0)} ms; ${held}`);
  }
  await server.stop();
  return killed;
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
