// K-05 in the CLI: one read across all connections, and connections selected by name.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Loose, ndjson } from "./harness.ts";
import { BOOKS, book, library } from "./library.ts";
import { ok, pdpp, printed } from "./pdpp.ts";

const folder = mkdtempSync(join(tmpdir(), "pdpp-all-"));
const local = (...args: string[]) => pdpp([...args, "--home", join(folder, "home")]);
const connections: string[] = [];

beforeAll(async () => {
  const declaration = join(folder, "library.json");
  writeFileSync(declaration, JSON.stringify(library));
  await ok(local("connectors", "add", declaration, "--key", "library"));
  for (const name of ["Home shelf", "Twin", "twin"]) {
    const made = await ok(local("connections", "create", "library", "--name", name, "--json"));
    connections.push(made.json.connection_id);
  }
  const cabin = book("c01", { title: "Heron diary", genre: "diary", published_at: "2030-05-01T00:00:00Z" });
  for (const [index, lines] of [BOOKS, [cabin]].entries()) {
    const file = join(folder, `${index}.ndjson`);
    writeFileSync(file, ndjson(lines));
    await ok(local("ingest", "books", file, "--connection", connections[index]!));
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("K-05 --connection all returns pages and counts, and shows the source of each record", async () => {
  const first = await ok(local("query", "books", "--connection", "all", "--limit", "2", "--count"));
  expect(first.stdout).toMatch(/^id +source /);
  expect(first.stdout).toMatch(/^c01 +Twin /m);
  expect(first.stdout).toContain("Home shelf");
  expect(first.stderr).toContain(`${BOOKS.length + 1} records match in total.`);
  const next = await ok(pdpp([...printed(first, "More"), "--json"]));
  expect(next.json.data.map(({ connection_id }: Loose) => connection_id)).toEqual([connections[0], connections[0]]);
  const counted = await ok(local("aggregate", "books", "count", "--connection", "all", "--json"));
  expect(counted.json).toMatchObject({ value: BOOKS.length + 1, connection_id: "all", connection_count: 3 });
});

it("K-05 a name selects the only connection that has it, ignoring case", async () => {
  const page = await ok(local("query", "books", "--connection", "home SHELF", "--limit", "1", "--json"));
  expect(page.json.connection_id).toBe(connections[0]);
  const counted = await ok(local("aggregate", "books", "count", "--connection", "Home shelf", "--json"));
  expect(counted.json.value).toBe(BOOKS.length);
  const exported = await ok(local("export", "books", "--connection", "Home shelf"));
  expect(exported.stdout.trim().split("\n")).toHaveLength(BOOKS.length);
  const found = await ok(local("search", "heron", "--connection", "Home shelf", "--json"));
  for (const { connection_id } of found.json.data) expect(connection_id).toBe(connections[0]);
});

it("K-05 for a name that several connections share, lists them with their ids; an unknown name is not found", async () => {
  const several = await local("query", "books", "--connection", "Twin");
  expect([several.code, several.stdout]).toEqual([4, ""]);
  expect(several.stderr).toContain('2 connections are called "Twin"');
  expect(several.stderr).toContain(`--connection ${connections[1]} `);
  expect(several.stderr).toContain(`--connection ${connections[2]} `);
  expect(several.stderr).not.toContain("--connection all");
  const none = await local("query", "books", "--connection", "Nobody");
  expect(none.stderr).toContain('no connection "Nobody" here');
});

it("K-05 without a connection, the error suggests --connection all", async () => {
  const run = await local("query", "books");
  expect(run.code).toBe(4);
  expect(run.stderr).toContain("--connection all ");
});

it("O-08 the schema, the connection list and a grant on everything show the same numbers of streams and records", async () => {
  const schema = await ok(local("schema"));
  const listed = await ok(local("connections"));
  const { data } = (await ok(local("connections", "--json"))).json as Loose;
  const streams = data.reduce((sum: number, row: Loose) => sum + row.streams.length, 0);
  const records = BOOKS.length + 1;
  expect(schema.stderr).toContain(`${records} records in ${streams} streams of ${data.length} connections.`);
  const today = new Date().toLocaleDateString("sv").slice(0, 8);
  for (const [index, count] of [BOOKS.length, 1].entries())
    expect(listed.stdout).toMatch(new RegExp(`^${connections[index]} .* ${count} +${today}`, "m"));
  const issued = await ok(local("grants", "issue", "--all"));
  expect(issued.stderr).toContain(`: ${streams} streams of ${data.length} connections, until revoked.`);
});
