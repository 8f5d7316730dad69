// The CLI end to end, in real processes: the same results on a home alone, alongside its server, and over HTTP.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formatHandle } from "../src/contract/handle.ts";
import { EMITTED, type Loose, ndjson } from "./harness.ts";
import { AUTHORS, BOOKS, book, LOANS, library } from "./library.ts";
import { ok, pdpp, printed, type Run, type RunOptions, type Serving, serve, settled } from "./pdpp.ts";

const folder = mkdtempSync(join(tmpdir(), "pdpp-cli-"));
const home = join(folder, "home");
const file = (name: string, content: string): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

/**
 * Long text with characters beyond the BMP, and with control sequences that would colour a terminal red and reverse its
 * text.
 */
const TEXT = `${"Wörter 😀 \x1b[31mrot\x9b31m \u202eabc\r\n".repeat(300)}the needle is here\n${"漢字 ".repeat(500)}`;
const LONG = book("long/1?:ü", {
  title: "\x1b]0;owned\x07title",
  genre: "long",
  published_at: "2020-01-01T00:00:00Z",
  notes: TEXT,
});

const declaration = file("library.json", JSON.stringify(library));
const books = file("books.ndjson", ndjson([...BOOKS, LONG]));
let connection = "";
let starting: Promise<{ server: Serving; owner: string }> | undefined;

const local = (args: readonly string[], options?: RunOptions): Promise<Run> => pdpp([...args, "--home", home], options);
/** Returns this home's server. The first test that needs the server starts it. */
function running(): Promise<{ server: Serving; owner: string }> {
  starting ??= (async () => {
    const server = await serve(home);
    const issued = await ok(local(["owner", "token", "--json"]));
    return { server, owner: issued.json.access_token as string };
  })();
  return starting;
}

async function remote(args: readonly string[], { env, ...options }: RunOptions = {}): Promise<Run> {
  const { server, owner } = await running();
  return pdpp([...args, "--server", server.url], { ...options, env: { PDPP_ACCESS_TOKEN: owner, ...env } });
}

beforeAll(async () => {
  const first = await ok(
    pdpp([
      "ingest",
      "books",
      books,
      "--declaration",
      declaration,
      "--connector",
      "library",
      "--name",
      "Mine",
      "--json",
      "--home",
      home,
    ]),
  );
  connection = first.json.connection_id;
  expect(first.json).toMatchObject({
    records_attempted: 13,
    records_accepted: 13,
    records_changed: 13,
    records_rejected: 0,
  });
  await Promise.all([
    ok(local(["ingest", "authors", "-", "--connection", connection], { input: ndjson(AUTHORS) })),
    ok(local(["ingest", "loans", "--connector", "library"], { input: ndjson(LOANS) })),
  ]);
});

afterAll(async () => {
  await (await starting)?.server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const handle = (id: string): string => formatHandle({ kind: "record", connection_id: connection, stream: "books", id });
const window = (more: object = {}): string =>
  formatHandle({
    kind: "field-window",
    connection_id: connection,
    stream: "books",
    id: LONG.key as string,
    field: "notes",
    ...more,
  });

/** Every kind of read, and every kind of error. */
const CASES: [code: number, args: () => string[]][] = [
  [0, () => ["schema"]],
  [0, () => ["schema", "books"]],
  [0, () => ["schema", "books", "--connection", connection, "--full"]],
  [0, () => ["query", "books", "--limit", "5", "--count"]],
  [
    0,
    () => [
      "query",
      "books",
      "--filter",
      "pages>=90",
      "--filter",
      "pages<501",
      "--sort",
      "-pages",
      "--fields",
      "title,pages",
    ],
  ],
  [0, () => ["query", "books", "--view", "card", "--order", "asc", "--connection", connection]],
  [0, () => ["query", "books", "--filter", "genre=poem", "--expand", "author,loans", "--expand-limit", "loans=1"]],
  [0, () => ["query", "books", "--changes-since", "beginning", "--limit", "100"]],
  [0, () => ["aggregate", "books", "sum", "pages", "--group-by", "genre", "--filter", "price>=0"]],
  [
    0,
    () => [
      "aggregate",
      "books",
      "count",
      "--group-by-time",
      "published_at",
      "--granularity",
      "month",
      "--time-zone",
      "Europe/Lisbon",
    ],
  ],
  [0, () => ["fetch", handle(LONG.key as string), "--fields", "title"]],
  [0, () => ["fetch", "books:b01", "--connection", connection, "--expand", "loans"]],
  [0, () => ["fetch", `pdpp://record/${connection}/books/b01`]],
  [0, () => ["fetch", window({ offset: 100, limit: 50 })]],
  [
    0,
    () => [
      "read",
      handle(LONG.key as string),
      "--field",
      "notes",
      "--around",
      "needle",
      "--before",
      "20",
      "--after",
      "30",
    ],
  ],
  [0, () => ["connections"]],
  [0, () => ["connectors"]],
  [2, () => ["query", "books", "--filter", "nothing=1"]],
  [2, () => ["query", "books", "--cursor", "AQAA"]],
  [2, () => ["fetch", "not a handle"]],
  [5, () => ["fetch", "books:nobody"]],
  [5, () => ["query", "nowhere"]],
  [5, () => ["read", "books:b01", "--field", "extra", "--pointer", "/a"]],
];

describe("L-12, L-04, L-06: the same results on a home alone, alongside its server and over --server", () => {
  const alone: Run[] = [];

  it("alone", async () => {
    await eachCase(async (args, index) => {
      alone[index] = await local([...args, "--json"]);
    });
    expect(alone.map(({ code, stderr }, index) => [code, stderr, CASES[index]![1]()])).toEqual(
      CASES.map(([code, args]) => [code, "", args()]),
    );
    for (const run of alone) expect(run.json).toBeTypeOf("object");
  });

  it.each(["alongside its server", "over HTTP"])("%s", async (place) => {
    await running();
    await eachCase(async (args, index) => {
      const run = await (place === "over HTTP" ? remote : local)([...args, "--json"]);
      expect([run.code, settled(run.json)], args.join(" ")).toEqual([alone[index]!.code, settled(alone[index]!.json)]);
    });
  });

  async function eachCase(work: (args: string[], index: number) => Promise<void>): Promise<void> {
    const queue = [...CASES.entries()];
    const next = async (): Promise<void> => {
      for (let item = queue.shift(); item; item = queue.shift()) await work(item[1][1](), item[0]);
    };
    await Promise.all([next(), next(), next()]);
  }
});

describe("output for people", () => {
  it("L-12: the next page can be read with the printed command", async () => {
    const seen: string[] = [];
    let args = ["query", "books", "--limit", "5", "--sort", "-title", "--fields", "genre", "--home", home];
    for (let pages = 1; pages <= 3; pages++) {
      const run = await ok(pdpp(args));
      seen.push(
        ...run.stdout
          .trim()
          .split("\n")
          .slice(2)
          .map((line) => line.split("  ")[0]!),
      );
      if (pages < 3) args = printed(run, "More");
      else expect(run.stderr).not.toContain("More:");
    }
    expect(new Set(seen).size).toBe(13);
    const one = await pdpp(["query", "books", "--filter", "genre=atlas", "--home", home]);
    const record = await ok(pdpp(printed(one, "To read one in full")));
    expect(record.stdout).toContain("title: omega");
  });

  it("L-04, L-13: a long field can be read window by window, to its last character", async () => {
    let text = "";
    let run = await ok(local(["read", handle(LONG.key as string), "--field", "notes", "--limit", "4000"]));
    expect(run.stderr).toContain("characters 0 to 4000 of ");
    for (;;) {
      text += run.stdout.slice(0, -1);
      if (!run.stderr.includes("Next: ")) break;
      run = await ok(pdpp(printed(run, "Next")));
    }
    expect(text.replaceAll(/\s|�/g, "")).toBe(TEXT.replaceAll(/[\s\x1b\x9b\u202e]/g, ""));
    const found = await ok(
      local(["read", handle(LONG.key as string), "--field", "notes", "--around", "漢字", "--after", "5"]),
    );
    const again = await ok(pdpp(printed(found, "Next match")));
    expect(again.stdout).toContain("漢字");
  });

  it("L-13: a window of a changed text is refused, and the error says how to continue", async () => {
    const input = (notes: string) => ({ input: ndjson([book("moving", { notes })]) });
    await ok(local(["ingest", "books", "--connection", connection], input("before ".repeat(20))));
    const first = await ok(local(["read", handle("moving"), "--field", "notes", "--limit", "10"]));
    await ok(local(["ingest", "books", "--connection", connection], input("after ".repeat(20))));
    const stale = await pdpp(printed(first, "Next"));
    expect([stale.code, stale.stdout]).toEqual([6, ""]);
    expect(stale.stderr).toContain("--field");
  });

  it("stored text can never control the terminal", async () => {
    const runs = await Promise.all([
      local(["query", "books", "--filter", "genre=long"]),
      local(["fetch", handle(LONG.key as string)]),
      local(["fetch", handle(LONG.key as string), "--json"]),
      local(["read", handle(LONG.key as string), "--field", "notes"]),
      local(["read", handle(LONG.key as string), "--field", "notes", "--json"]),
    ]);
    for (const { code, stdout, stderr } of runs) {
      expect(code).toBe(0);
      expect(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]/.exec(stdout + stderr)).toBeNull();
    }
  });

  it("L-14: says what to do if there is no data", async () => {
    const empty = join(folder, "empty");
    const nothing = await pdpp(["schema", "--home", empty]);
    expect([nothing.code, nothing.stderr]).toEqual([5, expect.stringContaining("pdpp serve")]);
    await ok(pdpp(["connectors", "add", declaration, "--home", empty]));
    const runs = await Promise.all(
      [["schema"], ["connections"], ["grants", "list"]].map((args) => pdpp([...args, "--home", empty])),
    );
    runs.push(await pdpp(["ingest", "books", "--connector", "library", "--home", empty]));
    expect(runs.map(({ code, stdout }) => [code, stdout.trim().split("\n").length])).toEqual(runs.map(() => [0, 1]));
    const none = await pdpp(["query", "books", "--home", empty]);
    expect([none.code, none.stdout]).toEqual([0, expect.stringContaining("pdpp ingest --help")]);
  });
});

describe("writing", () => {
  it.each(["here", "over --server"])(
    "P-01: ingests %s: valid lines are stored, rejected ones are shown, the exit code is 7, and a second run has the same result",
    async (place) => {
      const run = place === "here" ? local : remote;
      const id = `w-${place}`;
      const lines = `${ndjson([book(id, { title: "one", pages: 3 })])}not json\n\n${ndjson([{ key: "k", data: { id: "other" } }, book(`${id}2`)])}`;
      const first = await run(["ingest", "books", "--connection", connection, "--json"], { input: lines });
      expect(first.code).toBe(7);
      expect(first.json).toMatchObject({
        records_attempted: 4,
        records_accepted: 2,
        records_changed: 2,
        records_rejected: 2,
      });
      expect(first.json.rejections.map((row: Loose) => row.input_index)).toEqual([1, 2]);
      const second = await run(["ingest", "books", file(`${id}.ndjson`, lines), "--connector", "library"]);
      expect([second.code, second.stdout]).toEqual([
        7,
        expect.stringMatching(/4 records: 0 new, 0 changed, 2 unchanged, 2 refused[\s\S]*not JSON/),
      ]);
      const gone = await ok(
        run(["ingest", "books", "--connection", connection], {
          input: ndjson([id, `${id}2`].map((key) => ({ key, op: "delete" }))),
        }),
      );
      expect(gone.stdout).toContain("0 new, 2 changed");
    },
  );

  it("X-13: stores which file and which run a record was imported from", async () => {
    const line = { ...book("with-origin"), provenance: { file: "export.zip", entry: "books.csv", offset: 12 } };
    await ok(local(["ingest", "books", "--connection", connection], { input: ndjson([line]) }));
    const { json } = await ok(remote(["fetch", "books:with-origin", "--json"]));
    expect([json.provenance, json.emitted_at]).toEqual([line.provenance, EMITTED]);
  });

  it("creates, renames and deletes connections, and asks before deleting", async () => {
    const made = await ok(remote(["connections", "create", "library", "--name", "Second", "--json"]));
    const id = made.json.connection_id;
    const choose = await local(["ingest", "books", "--connector", "library", "--json"], { input: "" });
    expect([choose.code, choose.json.error.available_connections_total]).toEqual([4, 2]);
    const ambiguous = await remote(["query", "books"]);
    expect([ambiguous.code, ambiguous.stderr]).toEqual([4, expect.stringContaining(`--connection ${id}`)]);
    await ok(local(["connections", "rename", id, "Third"]));
    expect((await ok(remote(["connections"]))).stdout).toContain("Third");
    const asked = await local(["connections", "delete", id]);
    expect([asked.code, asked.stderr]).toEqual([4, expect.stringMatching(/Third.*0 records[\s\S]*--yes/)]);
    expect((await remote(["connections", "delete", id, "--json"])).json.error.code).toBe("input_needed");
    await ok(pdpp(printed(asked, "To confirm, run")));
    expect((await remote(["connections", "delete", id, "--yes", "--json"])).code).toBe(5);
  });
});

describe("exit codes and --json", () => {
  it.each<[number, string, string[]]>([
    [2, "no command", []],
    [2, "an unknown command", ["nonsense"]],
    [2, "an unknown option", ["query", "books", "--nonsense", "--json"]],
    [2, "a missing argument", ["aggregate", "books", "--json"]],
    [2, "an invalid number", ["query", "books", "--limit", "many", "--json"]],
    [2, "a local command with --server", ["backup", "x", "--server", "http://127.0.0.1:1", "--token", "t", "--json"]],
    [5, "a missing file", ["ingest", "books", "missing.ndjson", "--connector", "library", "--json"]],
    [1, "a server that does not respond", ["schema", "--server", "http://127.0.0.1:9", "--token", "t", "--json"]],
  ])("%i for %s", async (code, _what, args) => {
    const run = await pdpp([...args, ...(args.includes("--server") || args.length < 2 ? [] : ["--home", home])]);
    expect(run.code).toBe(code);
    if (args.includes("--json")) expect(run.json.error.next_step.length).toBeGreaterThan(0);
  });

  it("--json prints valid JSON for the commands that the cases above do not cover", async () => {
    const runs = await Promise.all([
      local(["activity", "verify", "--json"]),
      remote(["activity", "--limit", "2", "--json"]),
      local(["grants", "list", "--json"]),
      local(["doctor", "--json"]),
      local(["connectors", "add", declaration, "--key", "library", "--json"]),
    ]);
    expect(runs.map(({ code, json }) => [code, typeof json])).toEqual(runs.map(() => [0, "object"]));
    const earlier = await ok(pdpp(printed(await ok(local(["activity", "--limit", "2"])), "Earlier")));
    expect(earlier.stdout.trim().split("\n")).toHaveLength(4);
  });

  it.each(["query", "doctor"])("shows help for %s", async (name) => {
    const help = await ok(pdpp([name, "--help"]));
    expect(help.stdout).toMatch(/usage:[\s\S]*Examples:/);
  });
});

describe("P-08: activity verify and doctor", () => {
  it("after a line was tampered with, both exit with code 1 and say where it is; no output contains secrets", async () => {
    const { server, owner } = await running();
    await ok(remote(["query", "books", "--limit", "7"]));
    const log = server.output();
    await server.stop();
    expect(log).not.toMatch(/pdpp_(at|owner)_/);
    const healthy = await ok(local(["doctor", "--deep"]));
    expect(healthy.stdout).toContain("no server is running");
    expect(readFileSync(join(home, "audit.db")).includes(owner)).toBe(false);
    tamper("UPDATE entry SET body = replace(body, '\"records\":7', '\"records\":0') WHERE body LIKE '%\"records\":7%'");
    const [verify, machine, doctor] = await Promise.all([
      local(["activity", "verify"]),
      local(["activity", "verify", "--json"]),
      local(["doctor"]),
    ]);
    expect([verify.code, machine.code, doctor.code]).toEqual([1, 1, 1]);
    expect(verify.stdout).toMatch(/broken at entry \d+: entry \d+ was changed/);
    expect(machine.json).toMatchObject({ intact: false, broken_at: expect.any(Number) });
    expect(doctor.stdout).toMatch(/^fail {2}audit chain +broken at entry \d+[^\n]*\n +→ /m);
  });

  it("doctor reports a home that others can read, a lost database and a missing home", async () => {
    const { chmodSync } = await import("node:fs");
    chmodSync(home, 0o755);
    writeFileSync(join(home, "records.db"), Buffer.alloc(8192, 7));
    const [damaged, missing] = await Promise.all([
      local(["doctor"]),
      pdpp(["doctor", "--home", join(folder, "nowhere"), "--json"]),
    ]);
    expect(damaged.code).toBe(1);
    expect(damaged.stdout).toMatch(/^fail {2}permissions[^\n]*\n +→ chmod 700/m);
    expect(damaged.stdout).toMatch(/^fail {2}records\.db[^\n]*\n +→ /m);
    expect([missing.code, missing.json.checks.at(-1)]).toEqual([
      1,
      expect.objectContaining({ name: "home", status: "fail" }),
    ]);
  });

  function tamper(sql: string): void {
    const database = new DatabaseSync(join(home, "audit.db"));
    const { changes } = database.prepare(sql).run();
    database.close();
    expect(Number(changes)).toBeGreaterThan(0);
  }
});
