// T-08: salvage saves the readable part of a damaged home into a new one, and lists the unreadable part.
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { localHost } from "../../src/engine/local-host.ts";
import { openSqliteStore, prepareHome } from "../../src/store/sqlite/sqlite-store.ts";
import { EMITTED, HOME_OWNER, type Loose, newHome } from "../harness.ts";
import { declaration } from "../non-interference/world.ts";
import { ok, pdpp } from "../pdpp.ts";

const RECORDS = 600;
const folder = newHome();
const home = join(folder, "home");
const path = join(home, "records.db");
let whole: Buffer;

beforeAll(async () => {
  prepareHome(home);
  const host = localHost(openSqliteStore(home), { home, persist: false });
  await host.call("putConnector", { connector_key: "world", declaration }, HOME_OWNER);
  const { connection_id } = await host.call("createConnection", { connector_id: "world" }, HOME_OWNER);
  const line = (n: number) => ({ key: `r${n}`, data: { id: `r${n}`, title: `needle-${n}.` }, emitted_at: EMITTED });
  const text = Array.from({ length: RECORDS }, (_, n) => `${JSON.stringify(line(n))}\n`).join("");
  await host.call("ingest", { stream: "items", connection_id, text }, HOME_OWNER);
  await host.close();
  whole = readFileSync(path);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const titles = async (at: string): Promise<string[]> => {
  const host = localHost(openSqliteStore(at), { home: at, persist: false });
  const found: string[] = [];
  try {
    for (let cursor: string | undefined; ; ) {
      const query = { stream: "items", limit: 100, ...(cursor === undefined ? {} : { cursor }) };
      const page = await host.call("records", query, HOME_OWNER);
      found.push(...page.data.map((record: Loose) => record.data.title));
      if (!page.has_more) return found;
      cursor = page.next_cursor;
    }
  } finally {
    await host.close();
  }
};

async function salvaged(name: string, damage: (bytes: Buffer) => void) {
  const bytes = Buffer.from(whole);
  damage(bytes);
  writeFileSync(path, bytes);
  const to = join(folder, name);
  const report = (await ok(pdpp(["doctor", "--salvage", to, "--home", home, "--json"]))).json;
  // Salvage does not write to its source, so the damaged home stays unchanged.
  expect(readFileSync(path).equals(bytes)).toBe(true);
  return { report, found: await titles(to), to };
}

it("T-08 --salvage saves every record except those on a damaged page, and lists each lost record", async () => {
  const page = (bytes: Buffer) => Math.floor(bytes.indexOf("needle-300.") / 8192) * 8192;
  const { report, found, to } = await salvaged("page", (bytes) => bytes.fill(0xa5, page(bytes), page(bytes) + 8192));
  const lost = report.lost_records as { stream: string; id: string }[];
  expect(lost.length).toBeGreaterThan(0);
  expect(lost.length).toBeLessThan(RECORDS / 4);
  expect(new Set(lost.map(({ stream }) => stream))).toEqual(new Set(["items"]));
  const saved = found.map((title) => title.replace("needle-", "r").replace(".", ""));
  expect([...saved, ...lost.map(({ id }) => id)].sort()).toEqual(
    Array.from({ length: RECORDS }, (_, n) => `r${n}`).sort(),
  );
  expect(report.counts.records).toBe(saved.length);
  expect((await pdpp(["doctor", "--home", to])).code).toBe(0);
});

it("T-08 --salvage omits only the record with a changed byte", async () => {
  const { report, found } = await salvaged("byte", (bytes) => {
    bytes[bytes.indexOf("needle-300.")] = 0x4e;
  });
  expect(report.lost_records).toEqual([{ stream: "items", id: "r300", version: 301 }]);
  expect(report.tables.record).toEqual({ copied: RECORDS - 1, damaged: 1, partial: false });
  expect(found).toHaveLength(RECORDS - 1);
});

it("T-08 --salvage refuses a directory that is not empty, and gives advice if nothing can be read", async () => {
  writeFileSync(path, whole);
  const taken = join(folder, "taken");
  cpSync(home, taken, { recursive: true });
  const refused = await pdpp(["doctor", "--salvage", taken, "--home", home]);
  expect([refused.code === 0, refused.stderr]).toEqual([false, expect.stringContaining("Choose a new directory")]);
  writeFileSync(path, Buffer.from(whole).fill(0xa5, 0, 8192));
  const hopeless = await pdpp(["doctor", "--salvage", join(folder, "none"), "--home", home]);
  expect([hopeless.code === 0, hopeless.stderr]).toEqual([false, expect.stringContaining("pdpp restore")]);
  expect(hopeless.stderr).not.toMatch(/\n\s+at /);
});
