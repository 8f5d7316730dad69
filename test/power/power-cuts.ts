// Power cuts: uses and kills a server, rebuilds its home as a power cut could have left it, and compares it with the
// acknowledged writes.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type CheckMissing, checkAll } from "../crash/checks.ts";
import { useUntilDead } from "../crash/crashes.ts";
import { catchUp, newMirror } from "../crash/mirror.ts";
import { newModel } from "../crash/model.ts";
import { CLIENTS, type Operation, type Session } from "../crash/operations.ts";
import { type Random, randomFrom } from "../crash/random.ts";
import { request, type ServerProcess, startServerProcess } from "../crash/server-process.ts";
import { Disk } from "./disk.ts";
import { checkImports, importing } from "./imports.ts";
import { compileWriteLog, loggedWrites } from "./write-log.ts";

export interface PowerOptions {
  seed: number;
  cuts: number;
  onCut: (cut: number, summary: string) => void;
}

export interface PowerFigures {
  cuts: number;
  homes: number;
  operations: number;
  records: number;
  blobs: number;
  /**
   * Acknowledged reads, and those that the power cuts removed from the log. Each lost read is in a period that the log
   * reports.
   */
  reads: number;
  readsLost: number;
  /** How long before a cut the oldest lost read was acknowledged. */
  longestLostMs: number;
}

const MAKE_HOME = fileURLToPath(new URL("./make-home.ts", import.meta.url));
/** The number of cuts per home. A longer history would only make the checks slower. */
const CUTS_PER_HOME = 10;
/**
 * A server answers up to this many requests before the power cut. Counting requests keeps the load the same on a slow
 * machine.
 */
const MOST_REQUESTS = 300;
/** A random delay follows, so that a cut can also happen while the server is idle or writes its log. */
const MOST_MS = 300;
/** The share of restarts that lose power again before anything is checked. */
const CUT_AGAIN_SHARE = 0.2;

export async function runPowerCuts({ seed, cuts, onCut }: PowerOptions): Promise<PowerFigures> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "postern-power-")));
  const figures = { cuts: 0, homes: 0, operations: 0, records: 0, blobs: 0, reads: 0, readsLost: 0, longestLostMs: 0 };
  const machine = new Machine(folder, randomFrom(seed));
  try {
    while (figures.cuts < cuts) {
      figures.homes++;
      await useOneHome(machine, figures, { seed, cuts: Math.min(cuts, figures.cuts + CUTS_PER_HOME), onCut });
    }
    rmSync(folder, { recursive: true, force: true });
    return figures;
  } catch (error) {
    const again = `npm run soak -- power ${cuts} --seed ${seed}; the home and the log of its writes are in ${folder}`;
    throw new Error(`seed ${seed}: ${(error as Error).message} (again: ${again})`, { cause: error });
  }
}

/** A home whose writes are logged, and whose power can be cut. */
class Machine {
  readonly home: string;
  readonly random: Random;
  readonly #log: string;
  readonly #library: string;
  #disk: Disk | undefined;

  constructor(folder: string, random: Random) {
    this.home = join(folder, "home");
    this.random = random;
    this.#log = join(folder, "writes");
    this.#library = compileWriteLog(folder);
  }

  /** Creates a home, cuts the power right afterwards, and returns the owner's token. */
  async makeHome(): Promise<string> {
    rmSync(this.home, { recursive: true, force: true });
    mkdirSync(this.home, { mode: 0o700 });
    const child = spawn(process.execPath, [MAKE_HOME, this.home], {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, ...this.#logged() },
    });
    const ended = once(child, "exit");
    const said = await Promise.race([once(child.stdout, "data"), ended.then(() => undefined)]);
    child.kill("SIGKILL");
    await ended;
    if (said === undefined) throw new Error("the home could not be made");
    this.#losePower();
    return String(said[0]).trim();
  }

  start(): Promise<ServerProcess> {
    return startServerProcess(this.home, this.#logged());
  }

  async cut(server: ServerProcess): Promise<void> {
    await server.kill();
    this.#losePower();
  }

  /** After a clean stop, the log has every change except those that it cannot record. */
  async stop(server: ServerProcess): Promise<void> {
    await server.stop();
    this.#disk!.replay(readFileSync(this.#log));
    const difference = this.#disk!.difference();
    if (difference !== undefined)
      throw new Error(`replaying the log of writes does not reproduce the home: ${difference}`);
  }

  #logged(): Record<string, string> {
    rmSync(this.#log, { force: true });
    this.#disk = new Disk(this.home);
    return loggedWrites(this.#library, this.home, this.#log);
  }

  #losePower(): void {
    this.#disk!.replay(readFileSync(this.#log));
    this.#disk!.cut(this.random);
    this.#disk!.writeTo(this.home);
  }
}

async function useOneHome(machine: Machine, figures: PowerFigures, { seed, cuts, onCut }: PowerOptions): Promise<void> {
  const { random } = machine;
  const owner = await machine.makeHome();
  const model = newModel();
  const mirror = newMirror();
  const imports = { begun: 0, acknowledged: 0 };
  let requests = 0;
  let cutNow: () => void = () => undefined;
  let cutAfter = 0;
  let server = await machine.start();
  const session: Session = {
    model,
    random,
    async ask(path, { token = owner, read = false, ...init } = {}) {
      const id = `power_${seed}_${figures.homes}_${requests++}`;
      const answer = await request(server.url + path, token, id, init);
      if (read) {
        model.reads.set(id, Date.now());
        figures.reads++;
      }
      if (requests >= cutAfter) cutNow();
      return answer;
    },
  };
  const pictures = async (path: string): Promise<Uint8Array> => {
    // Uses a new connection, because the server may have closed an idle one.
    const headers = { Authorization: `Bearer ${owner}`, Connection: "close" };
    const response = await fetch(server.url + path, { headers });
    if (response.status !== 200) throw new Error(`GET ${path} returned ${response.status}`);
    return response.bytes();
  };
  const [writes, authority, reads] = CLIENTS;
  const follow: Operation = (reader) => catchUp(mirror, reader);
  const clients = [writes!, authority!, [...reads!, follow], [importing(imports)]];
  try {
    while (figures.cuts < cuts) {
      const enough = new Promise<void>((resolve) => (cutNow = resolve));
      cutAfter = requests + random.below(MOST_REQUESTS);
      const used = clients.map((operations) => useUntilDead(session, operations));
      // The clients stop only when the server dies, unless one of them finds an error.
      await Promise.race([enough, Promise.all(used)]);
      await sleep(random.next() * MOST_MS);
      const cutAt = Date.now();
      await machine.cut(server);
      figures.cuts++;
      const operations = (await Promise.all(used)).reduce((sum, count) => sum + count, 0);
      server = await machine.start();
      while (random.next() < CUT_AGAIN_SHARE) {
        await machine.cut(server);
        figures.cuts++;
        server = await machine.start();
      }
      let lost = 0;
      const inAGap: CheckMissing = (missing, gaps) => {
        for (const [id, answeredAt] of missing) {
          if (!gaps.some(({ since, until }) => since <= answeredAt && cutAt <= until))
            throw new Error(
              `${id}, acknowledged ${cutAt - answeredAt} ms before the cut, is missing from the log, which reports gaps of ${JSON.stringify(gaps.map(({ since }) => cutAt - since))} ms`,
            );
          figures.longestLostMs = Math.max(figures.longestLostMs, cutAt - answeredAt);
        }
        lost = missing.size;
      };
      await checkAll(session, mirror, pictures, inAGap);
      await checkImports(imports, session);
      figures.operations += operations;
      figures.readsLost += lost;
      const { items, grants, blobs } = model;
      const held = `${items.size} records, ${grants.length} grants, ${blobs.size} blobs, ${imports.acknowledged} imported`;
      onCut(figures.cuts, `${operations} operations; ${held}; ${lost} reads lost from the log`);
    }
  } catch (error) {
    await server.kill();
    throw error;
  }
  await machine.stop(server);
  figures.records += model.items.size + imports.acknowledged;
  figures.blobs += model.blobs.size;
}
