// T-08: damaged files and homes of earlier builds lead to a plain message with advice, never a stack trace.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newHome, testServer } from "../harness.ts";
import { BOOKS, library } from "../library.ts";
import { ok, pdpp, type Run } from "../pdpp.ts";

const folder = newHome();
const whole = join(folder, "whole");

beforeAll(async () => {
  mkdirSync(whole);
  const server = await testServer({ home: whole });
  await server.register("library", library);
  await server.ingest("books", await server.connect("library"), BOOKS);
  await server.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function expectPlain(run: Run, what: string): void {
  const said = run.stderr + run.stdout;
  expect(said, what).not.toMatch(/\n\s+at /);
  expect(said, what).not.toMatch(/in a moment/);
}

it.each(["records.db", "audit.db"])("T-08 every command reports a damaged header of %s, with advice", async (name) => {
  const home = join(folder, `header-${name}`);
  cpSync(whole, home, { recursive: true });
  const bytes = readFileSync(join(home, name));
  writeFileSync(join(home, name), bytes.fill(0xa5, 0, 100));
  const commands = [
    ["connections"],
    ["export", "books"],
    ["backup", join(folder, `backup-${name}`)],
    ["move", "--from", home, "--to", join(folder, `moved-${name}`)],
    ["activity"],
    ["serve", "--port", "0"],
    ["doctor"],
  ];
  for (const args of commands) {
    const run = await pdpp([...args, ...(args[0] === "move" ? [] : ["--home", home])]);
    expect(run.code, args.join(" ")).not.toBe(0);
    expectPlain(run, args.join(" "));
    expect(run.stderr + run.stdout, args.join(" ")).toMatch(/damaged|not a database/);
    expect(run.stderr + run.stdout, args.join(" ")).toMatch(/pdpp doctor --salvage|pdpp restore|older backup/);
  }
});

it("T-08 damaged files that can be rebuilt do not block any command", async () => {
  const home = join(folder, "rebuilt");
  cpSync(whole, home, { recursive: true });
  for (const name of ["projections.db", "check.json"]) writeFileSync(join(home, name), Buffer.alloc(9000, 0xa5));
  for (const args of [["export", "books"], ["aggregate", "books", "count"], ["doctor"]]) {
    const run = await pdpp([...args, "--home", home]);
    expectPlain(run, args.join(" "));
    expect(run.code, `${args.join(" ")} ${run.stderr}`).toBe(0);
  }
});

/** Restores a home from an SQL dump made by a build of that format. */
function earlierHome(format: number): string {
  const home = join(folder, `format-${format}`);
  mkdirSync(home);
  writeFileSync(join(home, "key"), Buffer.alloc(32, 7), { mode: 0o600 });
  const database = new DatabaseSync(join(home, "records.db"));
  database.exec(readFileSync(join(import.meta.dirname, "earlier-homes", `format-${format}.sql`), "utf8"));
  database.close();
  return home;
}

function formatOf(home: string): unknown {
  const database = new DatabaseSync(join(home, "records.db"));
  try {
    return database.prepare("PRAGMA user_version").get()!.user_version;
  } finally {
    database.close();
  }
}

it("T-08 a home in the first format is upgraded to the current one and keeps its records", async () => {
  const home = earlierHome(1);
  const listed = await ok(pdpp(["connections", "--home", home, "--json"]));
  expect(listed.json.data).toHaveLength(1);
  const backup = await ok(pdpp(["backup", join(folder, "of-format-1"), "--home", home, "--json"]));
  expect(backup.json.counts.records).toBe(5);
});

it("T-08 a home that cannot be upgraded is refused, stays unchanged and can be salvaged", async () => {
  const home = earlierHome(3);
  for (const args of [["connections"], ["backup", join(folder, "of-format-3")], ["serve", "--port", "0"]]) {
    const run = await pdpp([...args, "--home", home]);
    expectPlain(run, args.join(" "));
    expect([run.code === 0, run.stderr]).toEqual([false, expect.stringContaining("pdpp doctor --salvage")]);
  }
  expect(formatOf(home)).toBe(3);
  const salvaged = join(folder, "salvaged");
  const report = await ok(pdpp(["doctor", "--salvage", salvaged, "--home", home, "--json"]));
  expect(report.json.counts.records).toBe(5);
  expect(existsSync(join(salvaged, "records.db"))).toBe(true);
});
