// Upgrades: a home of every earlier format opens, keeps its data, and can be returned to the build that created it.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, it } from "vitest";
import { HOME_FORMAT, homeFormat } from "../../src/engine/home-format.ts";
import { MIGRATIONS } from "../../src/store/sqlite/schema.ts";
import { openBeside } from "../harness.ts";
import { begin } from "../pdpp.ts";

const folder = mkdtempSync(join(tmpdir(), "pdpp-upgrade-"));
const FIXTURES = join(import.meta.dirname, "homes");
const OWNER = { home: true } as const;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Unpacks a home created with the commands of that build: a source, three notes (one changed, one deleted) and a grant.
 */
function unpack(name: string, as = name): string {
  const home = join(folder, as);
  mkdirSync(home);
  execFileSync("tar", ["-xzf", join(FIXTURES, `${name}.tar.gz`), "-C", home]);
  return home;
}

const names = readdirSync(FIXTURES).map((file) => file.slice(0, file.indexOf(".")));

it("O-05 there is a sample home of every format except the current one and format 2, which no build wrote", () => {
  const found = new Set(names.map((name) => Number(name.split("-")[0])));
  const written = MIGRATIONS.records.map((_step, index) => index + 1).filter((format) => format !== 2);
  expect(written.filter((format) => !found.has(format) && format !== HOME_FORMAT)).toEqual([]);
});

describe.each(names)("O-05 a home of format %s (records-audit)", (name) => {
  const [records, audit] = name.split("-").map(Number) as [number, number];

  it("O-05 opens with its notes and grant, and keeps copies of the upgraded files", async () => {
    const home = unpack(name);
    const host = await openBeside(home);
    try {
      const { data: connections } = await host.call("connections", {}, OWNER);
      expect(connections.map(({ display_name }) => display_name)).toEqual(["My notes"]);
      const page = await host.call("records", { stream: "notes" }, OWNER);
      expect(page.data.map((record) => ("data" in record ? record.data.body : null))).toEqual([
        "Notice period is 84 days",
        "The ferry to Holyhead leaves at nine",
      ]);
      const found = await host.call("search", { q: "holyhead" }, OWNER);
      expect(found.data.map(({ record_key }) => record_key)).toEqual(["n1"]);
      const grants = await host.call("grants", {}, OWNER);
      expect(grants.data.map(({ grant }) => grant.client.client_display?.name)).toEqual(["Reader"]);
    } finally {
      await host.close();
    }
    expect(homeFormat(home)).toBe(HOME_FORMAT);
    const copies = {
      ...(records < HOME_FORMAT ? { [`records.db.format-${records}`]: records } : {}),
      ...(audit < MIGRATIONS.audit.length ? { [`audit.db.format-${audit}`]: audit } : {}),
    };
    const kept = Object.keys(copies).length === 0 ? [] : readdirSync(join(home, "before-upgrade")).sort();
    expect(kept).toEqual(Object.keys(copies).sort());
    for (const [copy, format] of Object.entries(copies)) {
      const database = new DatabaseSync(join(home, "before-upgrade", copy), { readOnly: true });
      expect(database.prepare("PRAGMA user_version").get()).toEqual({ user_version: format });
      expect(database.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
      database.close();
    }
  });
});

it("O-05 a home that a newer pdpp upgraded is refused with instructions to go back, and the instructions work", async () => {
  const home = unpack("9-5", "refused");
  await (await openBeside(home)).close();
  const future = new DatabaseSync(join(home, "records.db"));
  future.exec(`PRAGMA user_version = ${HOME_FORMAT + 1}`);
  future.close();
  // Uses separate processes, because the files change between the commands.
  const pdpp = (...args: string[]) => begin([...args, "--home", home]).ended;
  const refused = await pdpp("connections");
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain(`this home has format ${HOME_FORMAT + 1}`);
  expect(refused.stderr).toContain(join(home, "before-upgrade"));
  expect(refused.stderr).toContain("docs/run/upgrading.md");

  copyFileSync(join(home, "before-upgrade", "records.db.format-9"), join(home, "records.db"));
  for (const suffix of ["-wal", "-shm"]) rmSync(join(home, `records.db${suffix}`), { force: true });
  expect(homeFormat(home)).toBe(9);
  const listed = await pdpp("version", "--json");
  expect(listed.json).toMatchObject({ format: HOME_FORMAT, home: { path: home, format: 9 } });
  expect((await pdpp("connections")).stdout).toContain("My notes");
});
