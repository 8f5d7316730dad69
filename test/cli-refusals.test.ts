// Errors from the CLI, and the command that each one suggests instead.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ndjson } from "./harness.ts";
import { BOOKS, library } from "./library.ts";
import { pdpp, type Run, type RunOptions } from "./pdpp.ts";

const folder = mkdtempSync(join(tmpdir(), "pdpp-refusals-"));
const home = join(folder, "home");
const declaration = join(folder, "library.json");
let connection = "";

const local = (args: readonly string[], options?: RunOptions): Promise<Run> => pdpp([...args, "--home", home], options);

beforeAll(async () => {
  writeFileSync(declaration, JSON.stringify(library));
  const input = ndjson(BOOKS);
  const first = await local(["ingest", "books", "--declaration", declaration, "--json"], { input });
  connection = first.json.connection_id;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("L-14: refusals say which command to run next", () => {
  it.each<[string, string[]]>([
    ["`pdpp grants list --home HOME` shows them.", ["grants", "show", "grt_x"]],
    ["`pdpp grants list --home HOME` shows them.", ["activity", "--grant", "grt_x"]],
    ["`pdpp query books --connection CONNECTION --home HOME`", ["fetch", "books:nope"]],
    ["choose one from `pdpp connectors --home HOME`.", ["connections", "create", "nope"]],
    ["`pdpp schema books --home HOME`", ["search", "x", "--stream", "books", "--filter", "a=b"]],
    ["Leave --around out", ["read", "books:b01", "--field", "notes", "--around", "zebrafish"]],
    ["--changes-since beginning.", ["query", "books", "--changes-since", "xxx"]],
    ["`pdpp schema books --home HOME`", ["query", "books", "--filter", "nope=1"]],
    ["`pdpp schema books --home HOME`", ["query", "books", "--sort", "nope"]],
    ["--limit must be a whole number of at least 1", ["query", "books", "--limit", "0"]],
    ["--sort is given twice", ["query", "books", "--sort", "a", "--sort", "b"]],
    ["did you mean --limit?", ["query", "books", "--lmit", "3"]],
  ])("%s", async (said, args) => {
    const { stderr, code } = await local(args);
    const expected = said.replace("HOME", home).replace(" CONNECTION ", ` ${connection} `);
    expect([stderr.includes(expected) ? expected : stderr, code]).toEqual([expected, expect.any(Number)]);
    expect(stderr).not.toMatch(/\b(GET|POST|PUT) \//);
  });

  it("a grant without data and an unknown command suggest what to run", async () => {
    const empty = join(folder, "no-connections");
    await pdpp(["connectors", "add", declaration, "--home", empty]);
    const [issue, typo, synonym, machine, version, help] = await Promise.all([
      pdpp(["grants", "issue", "--all", "--home", empty]),
      pdpp(["serach"]),
      pdpp(["streams"]),
      pdpp(["nope", "--json"]),
      pdpp(["--version"]),
      pdpp(["help", "query"]),
    ]);
    expect([issue.code, issue.stderr]).toEqual([2, expect.stringContaining("pdpp connections create CONNECTOR")]);
    expect([typo.code, typo.stderr]).toEqual([2, expect.stringContaining("Did you mean `pdpp search`?")]);
    expect([synonym.code, synonym.stderr]).toEqual([2, expect.stringContaining("Did you mean `pdpp schema`?")]);
    expect([machine.code, machine.json.error.code]).toEqual([2, "usage"]);
    expect([version.code, version.stdout]).toEqual([0, expect.stringMatching(/^pdpp \d+\.\d+\.\d+\n$/)]);
    expect([help.code, help.stdout]).toEqual([0, expect.stringContaining("usage: pdpp query STREAM")]);
  });
});

it("works when stderr is closed", async () => {
  const run = await pdpp(["schema", "--home", join(folder, "nowhere")], { closeStderr: true });
  expect(run.code).toBe(5);
  const read = await local(["query", "books", "--limit", "1"], { closeStderr: true });
  expect([read.code, read.stdout.split("\n").length]).toEqual([0, 4]);
});
