// pdpp files as people and other tools use it.
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Loose } from "../harness.ts";
import { ok, pdpp, type Run } from "../pdpp.ts";
import { PHOTOS_PER_YEAR, plantTree, YEARS } from "./tree.ts";

let home: string;
let tree: string;
const FILES = YEARS.length * PHOTOS_PER_YEAR + 8;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "pdpp-files-cli-"));
  tree = plantTree();
});
afterAll(() => {
  for (const path of [home, tree]) rmSync(path, { recursive: true, force: true });
});

const files = (...args: string[]): Promise<Run> => pdpp(["files", ...args, "--home", home]);
const lines = ({ stdout }: Run): string[] => stdout.trimEnd().split("\n");

describe("pdpp files", () => {
  test("P-09 P-05 index waits and ends with one line of JSON, and a second run reads only changes", async () => {
    const first = JSON.parse(lines(await ok(files("index", tree, "--json"))).at(-1)!) as Loose;
    expect(first).toMatchObject({ index_id: "ix1", status: "succeeded", files: FILES, dirs: 8, problems: 0, scans: 1 });
    expect(first.bytes).toBeGreaterThan(10_000);
    writeFileSync(join(tree, "letters", "new.txt"), "n".repeat(5000));
    const second = JSON.parse(lines(await ok(files("index", tree, "--json"))).at(-1)!) as Loose;
    expect(second).toMatchObject({ index_id: "ix1", files: FILES + 1, scans: 2 });
    const grown = (await ok(files("grown", tree, "--json"))).json;
    expect(grown.growth).toBe(5000);
  });

  test("P-09 ls, du, cd, find and largest print like shell commands, and unusual names are printed safely", async () => {
    expect(lines(await ok(files("cd", `${tree}/letters`)))).toEqual([`${tree}/letters`]);
    const listing = (await ok(files("ls"))).stdout;
    expect(listing).toContain("odd\\x0aname");
    expect(listing).not.toContain("\u202e");
    expect(lines(await ok(files("du", tree)))[0]).toContain("photos/");
    const found = lines(await ok(files("find", tree, "--name", "*.pdf", "--kind", "file")));
    expect(found.map((path) => path.slice(tree.length)).sort()).toEqual([
      "/letters/invoice-1.pdf",
      "/letters/old/invoice-0.pdf",
      "/letters/same-invoice.pdf",
    ]);
    expect(lines(await ok(files("largest", tree, "--limit", "1")))[0]).toContain("letters/new.txt");
  });

  test("P-09 without a path or a current directory, the only root is used; ls shows a file; du sorts like du in a shell", async () => {
    const folder = mkdtempSync(join(tmpdir(), "pdpp-files-one-"));
    const disk = join(folder, "disk");
    for (const [name, size, sparse] of [
      ["full", 60_000, false],
      ["holes", 900_000, true],
      ["small", 10, false],
    ] as const) {
      mkdirSync(join(disk, name), { recursive: true });
      writeFileSync(join(disk, name, "file"), sparse ? "" : "x".repeat(size));
      truncateSync(join(disk, name, "file"), size);
    }
    const one = (...args: string[]): Promise<Run> => pdpp(["files", ...args, "--home", join(folder, "home")]);
    try {
      await ok(one("index", disk));
      expect(lines(await ok(one("largest", "--limit", "1")))[0]).toContain("holes/file");
      const shown = lines(await ok(one("du"))).map((line) => line.trim().split(/ {2}/)[1]);
      // Sorted by the printed disk usage. The sparse file has the largest size but uses the least space.
      expect(shown).toEqual(["full/", "small/", "holes/", "."]);
      expect(lines(await ok(one("ls", join(disk, "small/file"))))).toEqual([
        expect.stringMatching(/^- +10 B .* file$/),
      ]);
      const elsewhere = await one("ls", "/etc");
      expect(elsewhere.stderr).toContain(`Run \`pdpp files ls ${disk}\`, or \`pdpp files roots\``);
      expect((await one("queries", "run", "fq_none")).stderr).toContain(
        "Run `pdpp files queries` to list your queries",
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("P-09 dupes finds duplicates below a path and above a minimum size, and shows how much space the copies use", async () => {
    for (const [name, text] of [
      ["photos/copy-1", "large ".repeat(2000)],
      ["photos/copy-2", "large ".repeat(2000)],
      ["letters/copy-3", "small ".repeat(1000)],
      ["letters/copy-4", "small ".repeat(1000)],
    ] as const)
      writeFileSync(join(tree, name), text);
    await ok(files("index", tree));
    const all = await ok(files("dupes", tree));
    expect(lines(all).filter((line) => line.includes("each"))).toHaveLength(2);
    expect(all.stderr).toContain("2 files with copies; the copies take up 17.6 KiB.");
    expect(lines(await ok(files("dupes", `${tree}/letters`)))).toHaveLength(3);
    expect((await ok(files("dupes", tree, "--min-size", "10k"))).stdout).not.toContain("copy-3");
    for (const name of ["photos/copy-1", "photos/copy-2", "letters/copy-3", "letters/copy-4"]) rmSync(join(tree, name));
    await ok(files("index", tree));
  });

  test("P-09 find --save stores a selection and a query", async () => {
    await ok(files("find", tree, "--name", "*.jpg", "--after", "2019-01-01", "--save", "Photos of 2019"));
    const [set] = (await ok(files("sets", "--json"))).json.sets;
    expect(set).toMatchObject({ name: "Photos of 2019", counts: { entries: PHOTOS_PER_YEAR } });
    expect(lines(await ok(files("sets", "show", set.selection_id)))).toHaveLength(PHOTOS_PER_YEAR);
    const [query] = (await ok(files("queries", "--json"))).json.queries;
    expect((await ok(files("queries", "run", query.query_id, "--json"))).json.selection_id).toBe(set.selection_id);
  });

  test("P-09 --json prints snake_case names in every command", async () => {
    const asked = [
      ["roots"],
      ["ls", tree],
      ["du", tree],
      ["largest", tree],
      ["find", tree],
      ["dupes", tree],
      ["grown", tree],
    ];
    for (const args of [...asked, ["cd", tree], ["sets"], ["queries"], ["jobs"], ["index", tree]]) {
      const { stdout } = await ok(files(...args, "--json"));
      const names = [...stdout.matchAll(/"(\w+)":/g)].map(([, name]) => name!);
      expect(names.length, args[0]).toBeGreaterThan(1);
      expect(
        names.filter((name) => /[A-Z]/.test(name)),
        args[0],
      ).toEqual([]);
    }
  });

  test("S-14 P-09 the records of a small tree exist when index ends; sync reports changes; text indexing is optional", async () => {
    const query = async (stream: string): Promise<Loose[]> =>
      (await ok(pdpp(["query", stream, "--limit", "100", "--home", home, "--json"]))).json.data;
    expect((await query("files")).length).toBe(100);
    expect(await query("file_text")).toEqual([]);
    expect((await ok(files("sync"))).stdout).toContain("0 records changed");
    await ok(files("roots", "text", "root1", "on"));
    expect((await ok(files("roots"))).stdout).toContain("with text");
    const synced = JSON.parse(lines(await ok(files("sync", "root1", "--json"))).at(-1)!) as Loose;
    expect(synced).toMatchObject({ root_id: "root1", status: "succeeded" });
    const [odd] = (await query("file_text")).filter(({ data }) => data.name.startsWith("odd"));
    expect(odd.data.text).toBe("odd");
    await ok(files("roots", "text", "root1", "off"));
    await ok(files("sync"));
    expect(await query("file_text")).toEqual([]);
    expect((await files("roots", "text", "root1", "perhaps")).code).toBe(2);
  });

  test("S-01 grants issue --files returns a file token, and files mcp works only with such a token", async () => {
    const issued = (await ok(pdpp(["grants", "issue", "--files", "--root", tree, "--home", home, "--json"]))).json;
    const request = { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "cd", arguments: { path: "/" } } };
    const hello = {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
    };
    const run = await pdpp(["files", "mcp", "--home", home], {
      input: `${JSON.stringify(hello)}\n${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n${JSON.stringify(request)}\n`,
      env: { PDPP_ACCESS_TOKEN: issued.access_token },
    });
    const answer = lines(run)
      .map((line) => JSON.parse(line) as Loose)
      .find(({ id }) => id === 2);
    expect(answer.result.structuredContent.entries.map(({ name }: Loose) => name)).toEqual([tree]);
    expect((await files("mcp")).code).not.toBe(0);
    const all = (await ok(pdpp(["grants", "issue", "--all", "--home", home, "--json"]))).json;
    const refused = await pdpp(["files", "mcp", "--home", home], { env: { PDPP_ACCESS_TOKEN: all.access_token } });
    expect([refused.code === 0, refused.stderr]).toEqual([false, expect.stringContaining("files")]);
  });

  test("S-13 a path that is missing, not a directory or not approved is refused with an explanation", async () => {
    for (const [args, words] of [
      [["index", `${tree}/letters/invoice-1.pdf`], "not a directory"],
      [["index", `${tree}/none`], "does not exist"],
      [["index", home], "home"],
      [["ls", "/etc"], "root"],
      [["find", tree, "--min-size", "much"], "size"],
      [["sets", "show", "sel_none"], "no selection"],
    ] as const) {
      const run = await files(...args);
      expect([args, run.code === 0, run.stderr.includes(words) || run.stderr]).toEqual([args, false, true]);
    }
  });

  test("P-09 roots remove asks first and keeps the files", async () => {
    expect((await files("roots", "remove", "root1")).code).not.toBe(0);
    await ok(files("roots", "remove", "root1", "--yes"));
    expect((await ok(files("roots", "--json"))).json.data).toEqual([]);
    expect((await ok(pdpp(["connections", "--home", home, "--json"]))).json.data).toEqual([]);
  });
});
