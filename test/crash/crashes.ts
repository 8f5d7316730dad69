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
import { CONNECTOR, makeHome } from "./world.ts";

export interface CrashOptions {
  seed: number;
  kills: number;
  onKill?: (kill: number, summary: string) => void;
}

/** Up to this long a server lives, once awake, before it is killed. */
const LIFE_MS = 400;
/** A write that changes nothing the model knows of: it wakes the writer. */
const WARM_UP = '{"state":{"awake":true}}';

export async function runCrashes({ seed, kills, onKill }: CrashOptions): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), "postern-crash-"));
  try {
    await crashAndCompare(home, seed, kills, onKill);
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
  seed: number,
  kills: number,
  onKill: CrashOptions["onKill"],
): Promise<void> {
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
      if (read) model.reads.add(id);
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
  for (let kill = 1; kill <= kills; kill++) {
    // Some servers die while their threads still start, most in the middle of work.
    if (random.next() < 0.8) await session.ask(`/v1/state/${CONNECTOR}`, { method: "PUT", body: WARM_UP });
    const life = random.next() * LIFE_MS;
    const used = [writes!, authority!, [...reads!, follow]].map((operations) => useUntilDead(session, operations));
    await sleep(life);
    await server.kill();
    const operations = (await Promise.all(used)).reduce((sum, count) => sum + count, 0);
    server = await startServerProcess(home);
    await checkAll(session, mirror, pictures);
    const { items, grants, blobs } = model;
    const held = `${items.size} records, ${grants.length} grants, ${blobs.size} blobs`;
    onKill?.(kill, `${operations} operations in ${life.toFixed(0)} ms; ${held}`);
  }
  await server.stop();
}

async function useUntilDead(session: Session, operations: readonly Operation[]): Promise<number> {
  for (let done = 0; ; done++) {
    try {
      await session.random.pick(operations)(session);
    } catch (error) {
      if (error instanceof Unanswered) return done;
      throw error;
    }
  }
}
