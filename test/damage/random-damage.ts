// Changes random bytes of records.db in a copy of a filled home, and then makes every kind of call. Each result must be
// correct, or an error that says that the store is damaged.
import { closeSync, cpSync, fstatSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Credential } from "../../src/engine/caller.ts";
import { openHome } from "../../src/engine/home.ts";
import type { EngineHost } from "../../src/engine/host.ts";
import { type Random, randomFrom } from "../crash/random.ts";
import { HOME_OWNER, type Loose, newHome } from "../harness.ts";
import { library } from "../library.ts";

const BOOKS = 700;
const GENRES = ["novel", "poetry", "travel", "cooking"];

export interface DamageWorld {
  home: string;
  asked: Asked[];
  remove(): void;
}

interface Asked {
  method: "record" | "records" | "aggregate" | "search" | "grants" | "connections" | "schema";
  query: Loose;
  credential: Credential;
  truth: string;
}

export interface DamageCount {
  rounds: number;
  answers: number;
  errors: number;
  /** The call, with its result and the correct result. */
  wrong: { seed: number; asked: string; answer: string }[];
}

/** Creates a home with records of every age and shape, several grants, and the correct results. */
export async function damageWorld(): Promise<DamageWorld> {
  const home = newHome();
  const host = openHome(home, { create: true, note: () => undefined });
  const call = (method: Loose, query: Loose): Promise<Loose> => host.call(method, query, HOME_OWNER);
  await call("putConnector", { connector_key: "library", declaration: library });
  const { connection_id } = await call("createConnection", { connector_id: "library", display_name: "Shelf" });
  const { connection_id: other } = await call("createConnection", { connector_id: "library", display_name: "Attic" });
  for (const connection of [connection_id, other]) {
    for (let from = 0; from < BOOKS; from += 100) await ingest(call, connection, from, from + 100, "first");
    await ingest(call, connection, 100, 160, "changed");
    await call("ingest", {
      connection_id: connection,
      stream: "books",
      text: [200, 201].map((n) => gone(n)).join("\n"),
    });
  }
  const selections = [{ connection_id, stream: "books", fields: ["id", "title", "pages"] }];
  const credentials: Credential[] = [HOME_OWNER];
  for (const request of [{ all: true }, { selections }])
    credentials.push({ token: (await call("issueGrant", request)).access_token });
  const asked = questions(connection_id, credentials);
  for (const question of asked) question.truth = await answerTo(host, question);
  await host.close();
  return { home, asked, remove: () => rmSync(home, { recursive: true, force: true }) };
}

const book = (n: number, note: string): string =>
  JSON.stringify({
    key: `book-${n}`,
    emitted_at: "2024-06-01T00:00:00.000Z",
    data: {
      id: `book-${n}`,
      title: `Title ${n}`,
      genre: GENRES[n % GENRES.length],
      pages: (n * 37) % 800,
      published_at: new Date(Date.UTC(1990, 0, 1 + n * 3)).toISOString(),
      notes: `${note} note of book ${n}, ${"a few more words ".repeat(n % 20)}`,
    },
  });

const gone = (n: number): string =>
  JSON.stringify({ key: `book-${n}`, op: "delete", emitted_at: "2024-06-02T00:00:00.000Z" });

async function ingest(call: Loose, connection_id: string, from: number, to: number, note: string): Promise<void> {
  const lines = Array.from({ length: to - from }, (_, at) => book(from + at, note));
  await call("ingest", { connection_id, stream: "books", text: lines.join("\n") });
}

function questions(connection_id: string, credentials: readonly Credential[]): Asked[] {
  const books = { stream: "books", connection_id };
  const asks: [Asked["method"], Loose][] = [
    ...[0, 130, 200, 351, 699, 9999].map((n): [Asked["method"], Loose] => ["record", { ...books, id: `book-${n}` }]),
    ["records", { ...books, limit: 25 }],
    ["records", { ...books, limit: 100, order: "asc" }],
    ["records", { ...books, filter: { pages: { gte: 200, lt: 300 } }, limit: 50, count: "exact" }],
    ["records", { ...books, sort: "-pages", limit: 20 }],
    ["records", { ...books, changes_since: "beginning", limit: 200 }],
    ["aggregate", { ...books, metric: "count" }],
    ["aggregate", { ...books, metric: "sum", field: "pages" }],
    ["search", { q: "changed note", limit: 10 }],
    ["connections", {}],
    ["schema", {}],
    ["grants", {}],
  ];
  return credentials.flatMap((credential) => asks.map(([method, query]) => ({ method, query, credential, truth: "" })));
}

/** Returns the body without values that are newly sealed in each response, or the error code. */
async function answerTo(host: EngineHost, { method, query, credential }: Asked): Promise<string> {
  try {
    const body = await host.call(method, query as never, credential);
    return JSON.stringify(body, (key, value) =>
      /cursor|changes_since|next|links|last_used_at|^use$|sleeping/.test(key) ? undefined : value,
    );
  } catch (error) {
    return `error ${(error as { code?: string }).code ?? (error as Error).stack}`;
  }
}

/** The allowed errors: store_damaged, or home_too_new if the damage hit the version number. */
const NAMED = ["error store_damaged", "error home_too_new"];

export async function runDamage(
  { home, asked }: DamageWorld,
  { seed, rounds, onRound }: { seed: number; rounds: number; onRound?: (round: number, count: DamageCount) => void },
): Promise<DamageCount> {
  const count: DamageCount = { rounds, answers: 0, errors: 0, wrong: [] };
  for (let round = 0; round < rounds; round++) {
    const own = (seed + round) | 0;
    const broken = newHome();
    cpSync(home, broken, { recursive: true });
    changeBytes(join(broken, "records.db"), randomFrom(own));
    // Projections saved before the damage are still correct. Half of the rounds delete them, so that every row is read
    // again.
    if (round % 2 === 0)
      for (const suffix of ["", "-wal", "-shm"]) rmSync(join(broken, `projections.db${suffix}`), { force: true });
    await askAll(broken, asked, own, count);
    rmSync(broken, { recursive: true, force: true });
    onRound?.(round + 1, count);
  }
  return count;
}

async function askAll(home: string, asked: readonly Asked[], seed: number, count: DamageCount): Promise<void> {
  let host: EngineHost;
  try {
    host = openHome(home, { note: () => undefined });
  } catch (error) {
    const { code } = error as { code?: string };
    count.errors += asked.length;
    if (!NAMED.includes(`error ${code}`))
      count.wrong.push({ seed, asked: "open", answer: String((error as Error).stack) });
    return;
  }
  for (const question of asked) {
    const answer = await answerTo(host, question);
    if (answer === question.truth) count.answers++;
    else if (NAMED.includes(answer)) count.errors++;
    else
      count.wrong.push({
        seed,
        asked: `${question.method} ${JSON.stringify(question.query)}`,
        answer: firstDifference(answer, question.truth),
      });
  }
  await host.close().catch(() => undefined);
}

function firstDifference(answer: string, truth: string): string {
  let at = 0;
  while (at < answer.length && answer[at] === truth[at]) at++;
  return `${answer.slice(Math.max(0, at - 60), at + 100)} instead of ${truth.slice(Math.max(0, at - 60), at + 100)}`;
}

/** Damages anything from a single bit to a page of noise, as disks do. */
function changeBytes(path: string, random: Random): void {
  const file = openSync(path, "r+");
  try {
    const { size } = fstatSync(file);
    const places = random.pick([1, 1, 2, 8, 40]);
    const length = random.pick([1, 1, 1, 4, 64, 512]);
    for (let place = 0; place < places; place++) {
      const at = random.below(size - length);
      const bytes = Buffer.alloc(length);
      readSync(file, bytes, 0, length, at);
      for (let byte = 0; byte < length; byte++)
        bytes[byte] = bytes[byte]! ^ (random.next() < 0.5 ? 1 << random.below(8) : 1 + random.below(255));
      writeSync(file, bytes, 0, length, at);
    }
  } finally {
    closeSync(file);
  }
}
