// T-09: a damaged index page can hide complete records. Such damage causes an error, never a shorter result.
import { closeSync, cpSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openHome } from "../../src/engine/home.ts";
import type { EngineHost } from "../../src/engine/host.ts";
import { readCheck } from "../../src/store/sqlite/home-check.ts";
import { Sweep } from "../../src/store/sqlite/sweep.ts";
import { HOME_OWNER, type Loose, ndjson, newHome } from "../harness.ts";
import { book, library } from "../library.ts";

/** More records than a check reads in two chunks. */
const BOOKS = 12_000;
const home = newHome();
let connection: string;
/** A grant with hidden fields. Its change feed also reads the history of each field. */
let reader: { token: string };

beforeAll(async () => {
  const host = openHome(home, { create: true, note: () => undefined });
  const call = (method: Loose, query: Loose): Promise<Loose> => host.call(method, query, HOME_OWNER);
  await call("putConnector", { connector_key: "library", declaration: library });
  connection = (await call("createConnection", { connector_id: "library" })).connection_id;
  const ingest = (lines: ReturnType<typeof book>[]) =>
    call("ingest", { connection_id: connection, stream: "books", text: ndjson(lines) });
  for (let from = 0; from < BOOKS; from += 1000)
    await ingest(Array.from({ length: 1000 }, (_, n) => book(idOf(from + n), { pages: from + n })));
  await ingest(Array.from({ length: 900 }, (_, n) => book(idOf(n * 7), { title: "Changed", pages: n })));
  const selections = [{ connection_id: connection, stream: "books", fields: ["id", "pages"] }];
  reader = { token: (await call("issueGrant", { selections })).access_token };
  await host.close();
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** All ids have the same length, so that index pages have the same number of entries. */
const idOf = (n: number): string => `book-${String((n * 7919) % 100_003).padStart(6, "0")}`;

type Damage = (file: Pages, index: string) => void;

/** The pages of records.db, which are changed in place. */
class Pages {
  readonly #file: number;
  readonly #size: number;
  readonly #database: DatabaseSync;

  constructor(path: string) {
    this.#database = new DatabaseSync(path, { readOnly: true });
    this.#size = this.#database.prepare("PRAGMA page_size").get()!.page_size as number;
    this.#file = openSync(path, "r+");
  }

  of(index: string, type: "leaf" | "internal"): number[] {
    const rows = this.#database
      .prepare("SELECT pageno FROM dbstat WHERE name = ? AND pagetype = ? ORDER BY path")
      .all(index, type);
    return rows.map(({ pageno }) => pageno as number);
  }

  change(page: number, edit: (bytes: Buffer) => void): void {
    const bytes = Buffer.alloc(this.#size);
    const at = (page - 1) * this.#size;
    readSync(this.#file, bytes, 0, this.#size, at);
    edit(bytes);
    writeSync(this.#file, bytes, 0, this.#size, at);
  }

  close(): void {
    this.#database.close();
    closeSync(this.#file);
  }
}

const hideLastEntry: Damage = (pages, index) => {
  const leaves = pages.of(index, "leaf");
  pages.change(leaves[leaves.length >> 1]!, (bytes) => bytes.writeUInt16BE(bytes.readUInt16BE(3) - 1, 3));
};

/** Makes two entries of an inner page point to the same leaf, so that no entry points to the other leaf. */
const leadToOtherLeaf: Damage = (pages, index) => {
  const [inner] = pages.of(index, "internal");
  pages.change(inner!, (bytes) => {
    const middle = bytes.readUInt16BE(3) >> 1;
    const cell = (n: number): number => bytes.readUInt16BE(12 + 2 * n);
    bytes.writeUInt32BE(bytes.readUInt32BE(cell(middle - 1)), cell(middle));
  });
};

async function damagedHome(damage: Damage, index: string): Promise<string> {
  const broken = newHome();
  cpSync(home, broken, { recursive: true });
  for (const suffix of ["", "-wal", "-shm"]) rmSync(join(broken, `projections.db${suffix}`), { force: true });
  const pages = new Pages(join(broken, "records.db"));
  damage(pages, index);
  pages.close();
  return broken;
}

/** Returns the number of records on all pages of a query. */
async function countOf(host: EngineHost, query: Loose, credential: Loose = HOME_OWNER): Promise<number> {
  let cursor: string | undefined;
  let counted = 0;
  do {
    const page: Loose = await host.call("records", { ...query, cursor, limit: 1000 } as never, credential);
    counted += page.data.length;
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return counted;
}

const QUESTIONS: Record<string, (host: EngineHost) => Promise<number>> = {
  newest: (host) => countOf(host, { stream: "books", connection_id: connection }),
  oldest: (host) => countOf(host, { stream: "books", connection_id: connection, order: "asc" }),
  changes: (host) => countOf(host, { stream: "books", connection_id: connection, changes_since: "beginning" }),
  "changes of some fields": (host) => countOf(host, { stream: "books", changes_since: "beginning" }, reader),
  filter: (host) => countOf(host, { stream: "books", connection_id: connection, filter: { pages: { gte: 0 } } }),
  points: async (host) => {
    let found = 0;
    for (let n = 0; n < BOOKS; n++)
      found += await host
        .call("record", { stream: "books", connection_id: connection, id: idOf(n) } as never, HOME_OWNER)
        .then(
          () => 1,
          (error) => {
            if (error.code === "not_found") return 0;
            throw error;
          },
        );
    return found;
  },
};

describe.each([
  ["record_by_order", hideLastEntry],
  ["record_by_id", hideLastEntry],
  ["record_by_version", hideLastEntry],
  ["trail", hideLastEntry],
  ["record_by_order", leadToOtherLeaf],
  ["record_by_id", leadToOtherLeaf],
  ["record_by_version", leadToOtherLeaf],
] as const)("damage in %s", (index, damage) => {
  it(`T-09 makes reads that use it fail, and is found by the sweep (${damage.name})`, async () => {
    const broken = await damagedHome(damage, index);
    try {
      let errors = 0;
      for (const [name, ask] of Object.entries(QUESTIONS)) {
        if (name === "points" && index !== "record_by_id") continue;
        const host = openHome(broken, { note: () => undefined });
        try {
          expect({ [name]: await ask(host) }).toEqual({ [name]: BOOKS });
        } catch (error) {
          if ((error as { code?: string }).code !== "store_damaged") throw error;
          errors++;
        } finally {
          await host.close().catch(() => undefined);
        }
      }
      expect(errors).toBeGreaterThan(0);
      rmSync(join(broken, "check.json"), { force: true });
      const sweep = new Sweep(broken);
      while (sweep.step());
      expect(readCheck(broken).damage).not.toBeNull();
    } finally {
      rmSync(broken, { recursive: true, force: true });
    }
  });
});
