// The shell over a small tree: navigation, a session while its disk is being scanned, and errors that suggest the next
// call.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HOME_OWNER, type TestServer, testServer } from "../../../test/harness.ts";
import type { PdppError } from "../../contract/errors.ts";
import type { FileShell } from "../../contract/file-shell.ts";
import { FilesLens } from "./lens.ts";
import { shellFor } from "./shell.ts";

let server: TestServer;
let lens: FilesLens;
let tree: string;
let shell: FileShell;
/** How many milliseconds the lens's clock is ahead. */
let later = 0;

beforeAll(async () => {
  server = await testServer();
  tree = mkdtempSync(join(tmpdir(), "pdpp-shell-"));
  for (let year = 2015; year < 2020; year++) {
    mkdirSync(join(tree, "photos", String(year)), { recursive: true });
    for (let n = 0; n < 25; n++) writeFileSync(join(tree, "photos", String(year), `IMG_${n}.jpg`), "x".repeat(n * 10));
  }
  mkdirSync(join(tree, "letters"));
  writeFileSync(join(tree, "letters", "invoice.pdf"), "%PDF-1.7 hello");
  writeFileSync(join(tree, "letters", "odd\nname.txt"), "odd");
  symlinkSync("invoice.pdf", join(tree, "letters", "latest"));
  lens = new FilesLens({ home: server.home, host: server.host, now: () => Date.now() + later });
  shell = shellFor(lens, { credential: HOME_OWNER, requestId: "req_shell", origin: server.url });
  await lens.addRoot({ path: tree });
});
afterAll(async () => {
  await lens?.close();
  await server?.close();
  rmSync(tree, { recursive: true, force: true });
});

async function refusal(call: Promise<unknown>): Promise<PdppError> {
  return call.then(
    () => expect.fail("it was not refused"),
    (error: PdppError) => error,
  );
}

describe("the shell", () => {
  test("S-03 the top level lists the roots, and an unindexed root says how to start", async () => {
    const top = await shell.cd({ path: "/" });
    expect(top.entries.map(({ name, kind }) => [name, kind])).toEqual([[tree, "dir"]]);
    const root = await shell.cd({ path: tree });
    expect(root).toMatchObject({ cwd: tree, entries: [], total: 0 });
    expect(root.hint).toContain(`index({"root":"${tree}"})`);
  });

  test("S-04 S-05 index returns immediately, cd into the root works, and the job reports its end", async () => {
    const started = await shell.index({ root: tree });
    expect(started).toMatchObject({ cwdHint: tree });
    expect((await shell.cd({ path: tree })).cwd).toBe(tree);
    await lens.files.jobEnded(started.jobId);
    const done = await shell.jobProgress({ jobId: started.jobId });
    expect(done).toMatchObject({ status: "succeeded", kind: "index", report: { files: 128, dirs: 7 } });
    expect(done.statusUrl).toBe(`/api/jobs/${started.jobId}`);
    expect(done.base).toBe(server.url);
  });

  test("S-03 changes directory by absolute and relative paths, pages by cursor, and remembers the current directory", async () => {
    await shell.cd({ path: tree });
    const photos = await shell.cd({ path: "photos/2019" });
    expect(photos).toMatchObject({ cwd: `${tree}/photos/2019`, total: 25 });
    expect(photos.entries).toHaveLength(20);
    expect(photos.breadcrumb.map(({ name }) => name).slice(1)).toEqual(["photos", "2019"]);
    const rest = await shell.cd({ path: ".", cursor: photos.nextCursor! });
    expect(rest.entries).toHaveLength(5);
    expect(new Set([...photos.entries, ...rest.entries].map(({ name }) => name)).size).toBe(25);
    expect(rest.nextCursor).toBeUndefined();
    const up = await shell.cd({ path: ".." });
    expect(up.entries.map(({ name, counts }) => [name, counts!.files])).toEqual(
      [2015, 2016, 2017, 2018, 2019].map((year) => [String(year), 25]),
    );
    expect((await shell.cd({ path: "../../.." })).cwd).toBe("/");
  });

  test("S-03 each session has its own current directory", async () => {
    const mine = await shell.cd({ path: `${tree}/letters`, sessionId: "new" });
    await shell.cd({ path: `${tree}/photos` });
    expect((await shell.cd({ path: ".", sessionId: mine.sessionId })).cwd).toBe(`${tree}/letters`);
    expect((await refusal(shell.cd({ path: ".", sessionId: "fs_other" }))).code).toBe("not_found");
  });

  test("S-06 inspects by node and by path, and returns links but no content", async () => {
    const { entries } = await shell.cd({ path: `${tree}/letters` });
    const invoice = entries.find(({ name }) => name === "invoice.pdf")!;
    const seen = await shell.inspect({ nodeId: invoice.nodeId });
    expect(seen).toMatchObject({
      path: `${tree}/letters/invoice.pdf`,
      kind: "file",
      size: 14,
      mimeType: "application/pdf",
    });
    expect(seen.urls.download).toBe(`/api/indexes/ix1/nodes/${invoice.nodeId}/download`);
    expect((await shell.inspect({ path: "latest" })).symlink).toEqual({ target: "invoice.pdf" });
    expect((await shell.inspect({ path: "odd\\x0aname.txt" })).size).toBe(3);
  });

  test("S-07 selections can be created, extended, combined, paged and deleted", async () => {
    const { entries } = await shell.cd({ path: `${tree}/photos/2019` });
    const ids = entries.map(({ nodeId }) => nodeId);
    const one = await shell.resourceSetOps({ op: "create", name: "first ten", nodeIds: ids.slice(0, 10) });
    const two = await shell.resourceSetOps({ op: "create", name: "next ten", nodeIds: ids.slice(5, 15) });
    if (!("sample" in one) || !("sample" in two)) expect.fail("no selections");
    expect(one).toMatchObject({ name: "first ten", counts: { entries: 10, files: 10, dirs: 0 } });
    expect(one.sample).toHaveLength(10);
    const both = [one.selectionId, two.selectionId];
    for (const [combine, count] of [
      ["union", 15],
      ["intersection", 5],
      ["difference", 5],
    ] as const) {
      const made = await shell.resourceSetOps({ op: "create", name: combine, combine, selectionIds: both });
      expect([combine, "counts" in made && made.counts.entries]).toEqual([combine, count]);
    }
    const less = await shell.resourceSetOps({ op: "remove", selectionId: one.selectionId, nodeIds: ids.slice(0, 3) });
    expect("counts" in less && less.counts.entries).toBe(7);
    const list = await shell.resourceSetOps({ op: "list" });
    expect("sets" in list && list.sets.map(({ name }) => name)).toContain("union");
    expect(await shell.resourceSetOps({ op: "delete", selectionId: one.selectionId })).toMatchObject({ deleted: true });
    expect((await refusal(shell.resourceSetOps({ op: "get", selectionId: one.selectionId }))).code).toBe("not_found");
  });

  test("S-23 the results of an unnamed query expire after a day, and those of a named one are kept", async () => {
    await shell.cd({ path: tree });
    const filter = { name: "*.pdf" };
    const unnamed = await shell.queryRun({ filter });
    const named = await shell.queryRun({ filter, name: "papers" });
    later = 86_400_000 + 1000;
    expect((await refusal(shell.queryGet({ queryId: unnamed.queryId }))).code).toBe("not_found");
    const { selectionId } = unnamed;
    expect((await refusal(shell.resourceSetOps({ op: "get", selectionId }))).code).toBe("not_found");
    expect(await shell.queryGet({ queryId: named.queryId })).toMatchObject({ name: "papers" });
    // The next query deletes expired results.
    await shell.queryRun({ filter });
    expect(await lens.store.set(selectionId)).toBeUndefined();
    expect(await lens.store.query(unnamed.queryId)).toBeUndefined();
    later = 0;
  });

  test("S-08 a query fills a selection, is saved and can be run again", async () => {
    await shell.cd({ path: tree });
    const ran = await shell.queryRun({
      filter: { and: [{ name: "*.jpg" }, { size: { min: 200 } }] },
      name: "big photos",
    });
    expect(ran.report.matches).toBe(25);
    expect(ran.report.sample).toHaveLength(10);
    const cards = await shell.queryList({});
    expect(cards.queries[0]).toMatchObject({ name: "big photos", filterSummary: "name *.jpg and size from 200" });
    expect(await shell.queryGet({ queryId: ran.queryId })).not.toHaveProperty("filter");
    expect(await shell.queryGet({ queryId: ran.queryId, full: true })).toHaveProperty("filter");
    const again = await shell.queryRun({ queryId: ran.queryId });
    expect(again.selectionId).toBe(ran.selectionId);
    const set = await shell.resourceSetOps({ op: "get", selectionId: ran.selectionId });
    expect("counts" in set && set.counts.entries).toBe(25);
  });

  test("S-09 preferences are small and persist", async () => {
    expect(await shell.sessionPreferences({ limit: 3 })).toMatchObject({ limit: 3 });
    expect((await shell.cd({ path: `${tree}/photos` })).entries).toHaveLength(3);
    await shell.sessionPreferences({ limit: 20 });
  });

  test("S-13 a path outside the roots is refused, and every error suggests the next call", async () => {
    for (const path of [
      "/etc",
      `${tree}/../../etc`,
      `${tree}2`,
      "/etc/passwd\0",
      `${tree}/letters/../../../etc/passwd`,
    ]) {
      const error = await refusal(shell.cd({ path }));
      expect(["root_not_allowed", "invalid_request"], path).toContain(error.code);
      expect(error.details.next_step, path).toContain("cd(");
    }
    const file = await refusal(shell.cd({ path: `${tree}/letters/invoice.pdf` }));
    expect(file.details.next_step).toContain("inspect(");
    expect((await refusal(shell.inspect({ nodeId: "n9-1" }))).code).toBe("not_found");
    expect((await refusal(shell.jobProgress({ jobId: "job_none" }))).details.next_step).toContain("index");
  });
});
