// A walk of 25 steps through /files/mcp over a real tree. Every number is compared with find, du, stat and sha256sum
// (S-16 to S-24).
import { execFile } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { expect } from "vitest";
import type { Loose } from "../harness.ts";
import type { ShellCall } from "./shell-client.ts";

const BUFFER = 1 << 30;
const CLOSED_MS = 20;
/** Runs asynchronously, because the server can run in this process and would otherwise drop its connections. */
const run = async (command: string, ...args: string[]): Promise<string> =>
  (await promisify(execFile)(command, args, { maxBuffer: BUFFER, env: { ...process.env, LC_ALL: "C" } })).stdout;
const lines = (text: string): string[] => text.split("\n").filter((line) => line !== "");

interface Found {
  files: number;
  dirs: number;
  size: number;
}

/** Counts the entries below a directory, without the directory itself. */
async function below(path: string, ...tests: string[]): Promise<Found> {
  const found = { files: 0, dirs: 0, size: 0 };
  for (const line of lines(await run("find", path, "-mindepth", "1", ...tests, "-printf", "%y %s\\n"))) {
    const [kind, size] = line.split(" ");
    if (kind === "d") found.dirs++;
    else {
      found.files++;
      found.size += Number(size);
    }
  }
  return found;
}

export interface Walk {
  steps: number;
  /** Links relative to the root, without duplicates. */
  links: Set<string>;
}

/**
 * `tree` must not have been scanned yet, must have files with equal content, and must have no hard links. `part` is
 * called before each part.
 */
export async function walkTree(shell: ShellCall, tree: string, part: (name: string) => void = () => {}): Promise<Walk> {
  const walk: Walk = { steps: 0, links: new Set() };
  const call = async (name: string, args: object = {}): Promise<Loose> => {
    // After this process has been busy, it notices a closed connection only after a turn of the event loop.
    await sleep(CLOSED_MS);
    const result = await shell(name, args);
    expect(result.isError, `${name} ${JSON.stringify(args)}: ${result.text}`).not.toBe(true);
    walk.steps++;
    linksIn(result.structuredContent, walk.links);
    return result.structuredContent;
  };
  const scanned = async (args: object = {}): Promise<Loose> => {
    const { jobId } = await call("index", { root: tree, ...args });
    for (;;) {
      const job = await call("job-progress", { jobId });
      if (job.status === "succeeded") return job;
      expect(["queued", "running"]).toContain(job.status);
      walk.steps--;
      await sleep(50);
    }
  };
  const rest = async (name: string, args: object, first: Loose, rows: (page: Loose) => Loose[]): Promise<Loose[]> => {
    const all = [...rows(first)];
    for (let { nextCursor } = first; nextCursor !== undefined; ) {
      const page = (await shell(name, { ...args, cursor: nextCursor })).structuredContent;
      all.push(...rows(page));
      nextCursor = page.nextCursor;
    }
    return all;
  };

  // Steps 1 to 3: the roots, the scan and its report.
  part("scan");
  expect((await call("cd", { path: "/" })).entries).toMatchObject([{ name: tree, note: "not scanned yet" }]);
  const whole = await below(tree);
  expect((await scanned()).report).toMatchObject({ ...whole, problems: 0 });

  // Steps 4 to 6: listings page by page, with the sums of each directory.
  part("listings");
  const top = await call("cd", { path: tree });
  const entries = await rest("cd", { path: "." }, top, (page) => page.entries);
  expect(entries.map(({ name }) => name).sort()).toEqual(lines(await run("ls", "-A", tree)).sort());
  for (const { name, kind, size, counts } of entries.filter((entry) => entry.kind === "dir")) {
    const { files, dirs, size: bytes } = await below(join(tree, name));
    expect({ name, kind, size, counts }).toEqual({ name, kind: "dir", size: bytes, counts: { files, dirs } });
  }
  const largest = entries.reduce((one, other) => (other.size > one.size ? other : one));
  const there = await call("cd", { path: largest.name });
  expect(there).toMatchObject({
    cwd: join(tree, largest.name),
    total: lines(await run("ls", "-A", join(tree, largest.name))).length,
  });
  expect((await call("cd", { path: ".." })).cwd).toBe(tree);

  // Steps 7 and 8: one file, by its path and by its nodeId.
  part("one file");
  const someFile = lines(await run("find", tree, "-name", "package.json", "-size", "+0"))[0]!;
  const file = await call("inspect", { path: someFile });
  const [size, modified, permissions] = (await run("stat", "-c", "%s\n%Y\n%A", someFile)).split("\n");
  expect(file).toMatchObject({ size: Number(size), permissions: permissions!.slice(1), path: someFile });
  expect(Math.floor(Date.parse(file.modifiedAt) / 1000)).toBe(Number(modified));
  expect((await call("inspect", { nodeId: file.nodeId })).path).toBe(someFile);

  // Steps 9 to 13: copies, which need digests first.
  part("digests and copies");
  const copies = { filter: { duplicate: true }, save: false };
  expect(await call("query-run", copies)).toMatchObject({ report: { matches: 0 }, digests: expect.any(String) });
  await scanned({ digests: true });
  const sums = await run("find", tree, "-type", "f", "-size", "+4095c", "-exec", "sha256sum", "{}", "+");
  const hashes = Map.groupBy(lines(sums), (line) => line.slice(0, 64));
  const twice = [...hashes.values()].filter((same) => same.length > 1);
  const duplicates = await call("query-run", copies);
  expect(duplicates).not.toHaveProperty("digests");
  expect(duplicates.report.matches).toBe(twice.flat().length);
  const [copy] = duplicates.report.sample;
  const seen = await call("inspect", { nodeId: copy.nodeId });
  expect(seen.digest).toBe(`sha256:${(await run("sha256sum", seen.path)).slice(0, 64)}`);

  // Steps 14 to 17: queries by name, size and kind, to the last row.
  part("queries");
  const json = await call("query-run", { filter: { name: "*.json" }, name: "json" });
  const byName = await below(tree, "-iname", "*.json");
  expect(json.report).toMatchObject({ matches: byName.files + byName.dirs });
  const rows = await rest("query-run", { queryId: json.queryId }, json, ({ report }) => report.sample);
  expect(new Set(rows.map(({ nodeId }) => nodeId)).size).toBe(byName.files + byName.dirs);
  const big = await call("query-run", { filter: { and: [{ kind: "file" }, { size: { min: 20_000 } }] }, name: "big" });
  const large = await below(tree, "-type", "f", "-size", "+19999c");
  expect(big.report).toMatchObject({ matches: large.files, totalSize: large.size });
  const dirs = await call("query-run", { filter: { kind: "dir" }, save: false });
  expect(dirs.report.matches).toBe(whole.dirs);
  expect(dirs.report.totalSize).toBe(
    entries.reduce((sum, { kind, size: bytes }) => sum + (kind === "dir" ? bytes : 0), 0),
  );

  // Steps 18 and 19: selections derived from others.
  part("selections");
  const selectionIds = [json.selectionId, big.selectionId];
  const both = await call("resource-set-ops", {
    op: "create",
    name: "big json",
    combine: "intersection",
    selectionIds,
  });
  const bigJson = await below(tree, "-type", "f", "-iname", "*.json", "-size", "+19999c");
  expect(both).toMatchObject({ counts: { entries: bigJson.files }, totalSize: bigJson.size });
  expect((await call("resource-set-ops", { op: "list" })).sets.length).toBeGreaterThanOrEqual(3);

  // Steps 20 to 23: the set, the directory and the file show changes on disk.
  part("rescan");
  rmSync(someFile);
  const grown = join(tree, largest.name, "grown.bin");
  writeFileSync(grown, "g".repeat(12_345));
  const changed = await scanned();
  expect(changed.report).toMatchObject(await below(tree));
  const later = await call("resource-set-ops", { op: "get", selectionId: json.selectionId });
  expect(later).toMatchObject({ missing: 1, counts: { entries: byName.files + byName.dirs - 1 } });
  const after = await below(tree);
  expect((await call("inspect", { path: tree })).growth).toMatchObject({
    size: after.size - whole.size,
    files: after.files - whole.files,
    dirs: after.dirs - whole.dirs,
  });
  expect((await call("inspect", { path: grown })).versions).toMatchObject([
    { size: 12_345, foundAt: expect.any(String) },
  ]);

  // Steps 24 and 25: units and cleanup.
  part("clean up");
  expect((await call("session-preferences", { units: "bytes" })).units).toBe("bytes");
  await call("resource-set-ops", { op: "delete", selectionId: both.selectionId });
  expect((await shell("resource-set-ops", { op: "get", selectionId: both.selectionId })).isError).toBe(true);
  const isOver = (link: string): boolean =>
    link.includes(both.selectionId) || link.split(/[/?]/).includes(file.nodeId) || link.endsWith("/run");
  walk.links = new Set([...walk.links].filter((link) => !isOver(link)));
  return walk;
}

/** Collects every link in a result, including the links of its entries. */
function linksIn(value: Loose, links: Set<string>): void {
  const { entryLink, entries } = value;
  if (entryLink !== undefined) for (const { nodeId } of entries) links.add(entryLink.replace("{nodeId}", nodeId));
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner === "string" && inner.startsWith("/api/") && name !== "entryLink") links.add(inner);
    else if (inner !== null && typeof inner === "object") linksIn(inner as Loose, links);
  }
}
