// Imports from plan to report: each record once, none missing, and a reason for everything that was skipped.
import {
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ImportJob, ImportRun, ImportUndone } from "../contract/import.ts";
import { blobFileOf, blobPath } from "../engine/blob-files.ts";
import { localHost } from "../engine/local-host.ts";
import { openSqliteStore } from "../store/sqlite/sqlite-store.ts";
import { type ImportOnce, importWorld } from "./import.fixture.ts";
import { shellDeclaration } from "./importers/shell/declaration.ts";

let world: ReturnType<typeof importWorld>;
beforeEach(() => {
  world = importWorld();
});
afterEach(() => world.close());

const linesOf = (name: string, count: number): string =>
  Array.from({ length: count }, (_, n) => `${name}${n} text\n`).join("");
const none = { imported: 0, changed: 0, unchanged: 0, skipped: 0, failed: 0 };
const BOOKMARKS = `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<DT><H3>Work</H3>
<DL><p>
<DT><A HREF="https://example.org/a" ADD_DATE="1700000000">A &amp; B</A>
<DT><A HREF="not an address" ADD_DATE="1700000001">Broken</A>
</DL><p>
`;

describe("P-05 an import", () => {
  test("P-05 finds a free name for its source even if more than a hundred sources have similar names", async () => {
    const declaration = (n: number) => ({
      ...shellDeclaration,
      source: { ...shellDeclaration.source, id: `https://example.org/${n}` },
    });
    for (let n = 1; n <= 105; n++)
      await world.ask("putConnector", {
        connector_key: n === 1 ? "lines" : `lines-${n}`,
        declaration: declaration(n),
      });
    world.put("in/a.lines", "a1 one\n");
    expect(await world.one(["in"])).toMatchObject({ status: "succeeded", connector_key: "lines-106" });
  });

  test("P-05 reports per file what was imported, changed, unchanged, skipped and failed, with reasons and locations", async () => {
    world.put("in/a.lines", "a1 one\na2 two\n!skip draft\n!skip draft\n!skip empty\n");
    world.put("in/b.lines", "b1 one\n!error torn\n!invalid\nb1 one\nb1 two\n");
    const job = await world.one(["in"]);
    expect(job).toMatchObject({ status: "succeeded", importer: "lines", name: "in", connector_key: "lines" });
    expect(job.progress.counts).toEqual({ imported: 3, changed: 1, unchanged: 1, skipped: 3, failed: 2 });
    expect(job.progress.streams).toEqual({ lines: 5 });
    expect(job.progress.files).toEqual([
      {
        ...none,
        path: "a.lines",
        imported: 2,
        skipped: 3,
        streams: { lines: 2 },
        reasons: [
          { reason: "draft", count: 2, failed: false, offset: 2 },
          { reason: "empty", count: 1, failed: false, offset: 4 },
        ],
      },
      {
        ...none,
        path: "b.lines",
        imported: 1,
        changed: 1,
        unchanged: 1,
        failed: 2,
        streams: { lines: 3 },
        reasons: expect.arrayContaining([
          { reason: "torn", count: 1, failed: true, offset: 1 },
          { reason: expect.stringMatching(/^data/), count: 1, failed: true, offset: 2 },
        ]),
      },
    ]);
    expect(await world.ask("import", { id: job.import_id })).toEqual(job);
  });

  test("P-05 finds a free name for its source, however many sources of the same importer there are", async () => {
    for (let number = 1; number <= 120; number++) {
      const declaration = {
        ...shellDeclaration,
        source: { ...shellDeclaration.source, id: `https://a.example/${number}` },
      };
      await world.ask("putConnector", { connector_key: number === 1 ? "shell" : `shell-${number}`, declaration });
    }
    world.put("history/.bash_history", "ls\n");
    expect(await world.one(["history"], { real: true })).toMatchObject({ connector_key: "shell-121" });
    expect(await world.one(["history"], { real: true })).toMatchObject({ connector_key: "shell-121" });
  });

  test("P-05 of an unchanged file changes nothing, even under another name or unpacked from its archive", async () => {
    world.put("bookmarks.html", BOOKMARKS);
    const first = await world.one(["bookmarks.html"], { real: true });
    expect(first.progress.counts).toEqual({ ...none, imported: 1, skipped: 1 });
    const before = await world.ask<{ next_changes_since: string }>("records", {
      stream: "bookmarks",
      changes_since: "beginning",
    });
    renameSync(join(world.home, "../bookmarks.html"), join(world.home, "../Lesezeichen (1).html"));
    const again = await world.one(["Lesezeichen (1).html"], { real: true });
    expect(again.progress.counts).toEqual({ ...none, unchanged: 1, skipped: 1 });
    expect(again.connection_id).toBe(first.connection_id);
    const changes = await world.ask<{ data: object[] }>("records", {
      stream: "bookmarks",
      changes_since: before.next_changes_since,
    });
    expect(changes.data).toEqual([]);
  });

  test("X-13 stores in every record the file, entry, location and run that it was imported from", async () => {
    world.put("bookmarks.html", BOOKMARKS);
    const job = await world.one(["bookmarks.html"], { real: true });
    const [record] = await world.records("bookmarks");
    expect(record).toMatchObject({
      data: { url: "https://example.org/a", title: "A & B", folder: "Work" },
      emitted_at: job.started_at,
      provenance: {
        run_id: job.import_id,
        file: "bookmarks.html",
        digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
        entry: "bookmarks.html",
        offset: 62,
      },
    });
  });

  test("G-02 sets emitted_at to the start of the import that last changed the record, the same for all of its batches", async () => {
    world.put("in/a.lines", "a1 one\na2 two\n!wide 2500\n");
    const first = await world.one(["in"]);
    const times = async () =>
      new Map((await world.records("lines")).map(({ id, emitted_at, ingested_at }) => [id, [emitted_at, ingested_at]]));
    expect(new Set([...(await times()).values()].map(String))).toEqual(
      new Set([`${first.started_at},${first.started_at}`]),
    );

    world.put("in/a.lines", "a1 one\na2 other\n!wide 2500\n");
    const again = await world.one(["in"]);
    expect(again.progress.counts).toMatchObject({ changed: 1, unchanged: 2501 });
    const after = await times();
    expect(after.get("a2")).toEqual([again.started_at, again.started_at]);
    after.delete("a2");
    expect(new Set([...after.values()].map(String))).toEqual(new Set([`${first.started_at},${first.started_at}`]));
  });

  test("X-13 keeps the end of a name that is too long for a record", async () => {
    const name = `${"long/".repeat(45)}`;
    world.put(`in/${name.repeat(5)}a.lines`, "a1 one\n");
    await world.one(["in"]);
    const [record] = await world.records("lines");
    expect(record!.provenance!.entry).toHaveLength(1001);
    expect(record!.provenance!.entry).toMatch(/^….*\/a\.lines$/);
  });

  test("I-01 lists files up to a limit and only counts the rest, but lists every file with an error", async () => {
    for (let n = 0; n < 1010; n++) world.put(`in/${String(n).padStart(4, "0")}.lines`, `${n} x\n${n}b y\n`);
    for (const name of ["9998", "9999"]) world.put(`in/${name}.lines`, `${name} x\n!error\n`);
    const job = await world.one(["in"]);
    expect(job.progress.files).toHaveLength(1000);
    expect(job.progress.files_left_out).toBe(12);
    expect(job.progress.counts).toMatchObject({ imported: 2022, failed: 2 });
    expect(job.progress.files.filter(({ failed }) => failed > 0).map(({ path }) => path)).toEqual([
      "9998.lines",
      "9999.lines",
    ]);
  });

  test("I-01 reports if the plan expected a different number of items, and describes in plain words why a record was refused", async () => {
    world.put("plan-133.lines", "a1 one\n!invalid\n");
    const { progress } = await world.one(["plan-133.lines"]);
    expect(progress.files).toMatchObject([{ streams: { lines: 1 }, failed: 1, estimate: { planned: 133, found: 2 } }]);
    expect(progress.files[0]!.reasons[0]!.reason).toBe('data has "more", which the stream does not declare');
  });

  test("I-01 reports each file whose number of items differs from the plan, even if it is zero", async () => {
    world.put("in/10 planned, 11.lines", linesOf("a", 11));
    world.put("in/10 planned, 12.lines", linesOf("b", 12));
    world.put("in/10 planned, 8.lines", `${linesOf("c", 8)}!error\n`);
    world.put("in/10 planned, 7.lines", `${linesOf("d", 7)}!error\n`);
    world.put("in/1 planned, 0.lines", "\n");
    const { progress } = await world.one(["in"]);
    expect(progress.files.flatMap(({ path, estimate }) => (estimate === undefined ? [] : [[path, estimate]]))).toEqual([
      ["1 planned, 0.lines", { planned: 1, found: 0 }],
      ["10 planned, 12.lines", { planned: 10, found: 12 }],
      ["10 planned, 7.lines", { planned: 10, found: 8 }],
    ]);
    // The total over all files is as planned.
    expect(progress.remarks).toBeUndefined();
  });

  test("I-01 with many files, reports that their total differs if the files were not estimated one by one", async () => {
    world.put("in/a, plan-133.lines", "a1 one\n");
    world.put("in/b.lines", "b1 one\n");
    const { progress } = await world.one(["in"]);
    expect(progress.remarks).toEqual([
      "the plan estimated 133 items and the import found 2; if items are missing, compare with the source",
    ]);
  });

  test("is stored in the connection of the same account, or in the given one", async () => {
    world.put("a.lines", "a1 one\n");
    const first = await world.one(["a.lines"]);
    const savings = await world.one(["a.lines"], { as: "Savings" });
    expect(savings.connection_id).not.toBe(first.connection_id);
    expect((await world.one(["a.lines"])).connection_id).toBe(first.connection_id);
    expect((await world.one(["a.lines"], { as: "Savings" })).connection_id).toBe(savings.connection_id);
  });
});

describe("undo", () => {
  const undo = (job: ImportJob) => world.ask<ImportUndone>("undoImport", { id: job.import_id });

  test("P-05 removes the records that a run added, keeps those it only changed, and can be repeated after a new import", async () => {
    world.put("a.lines", "a1 one\n");
    const first = await world.one(["a.lines"]);
    world.put("a.lines", "a1 changed\na2 two\na3 three\na3 three again\n");
    const second = await world.one(["a.lines"]);
    expect(second.progress.counts).toEqual({ ...none, imported: 2, changed: 2 });
    expect(await undo(second)).toMatchObject({ records_removed: 2, records_kept: 1 });
    expect((await world.records("lines")).map(({ id }) => id)).toEqual(["a1"]);
    expect(await undo(second)).toMatchObject({ records_removed: 0, records_kept: 1 });
    const third = await world.one(["a.lines"]);
    expect(third.progress.counts).toEqual({ ...none, imported: 2, changed: 1, unchanged: 1 });
    expect(await undo(third)).toMatchObject({ records_removed: 2, records_kept: 0 });
    expect(await undo(first)).toMatchObject({ records_removed: 0 });
    expect((await world.ask<ImportJob>("import", { id: third.import_id })).status).toBe("cancelled");
  });

  test("of a large run proceeds in pages", async () => {
    world.put("a.lines", "!wide 5000\n");
    expect(await undo(await world.one(["a.lines"]))).toMatchObject({ records_removed: 5000, records_kept: 0 });
    expect(await world.records("lines")).toEqual([]);
  });
});

describe("an export that contains everything", () => {
  const ids = async () => (await world.records("lines")).map(({ id }) => id).sort();

  test("P-05 deletes records of the same account, stream and name that its source no longer has, and no others", async () => {
    world.put("a.snapshot", "a1 one\na2 two\na3 three\n");
    world.put("b.lines", "b1 other file\n");
    await world.bring(["a.snapshot", "b.lines"]);
    world.put("a.snapshot", "a1 one\na3 changed\n");
    const job = await world.one(["a.snapshot"]);
    expect(job.progress).toMatchObject({ counts: { ...none, unchanged: 1, changed: 1 }, deleted: 1 });
    expect(await ids()).toEqual(["a1", "a3", "b1"]);
    const { data } = await world.ask<{ data: { id: string; deleted?: true }[] }>("records", {
      stream: "lines",
      changes_since: "beginning",
      limit: 100,
    });
    expect(data.find(({ id }) => id === "a2")).toMatchObject({ deleted: true });
  });

  test("P-05 deletes nothing after a run with an error, a broken entry or a refused record", async () => {
    world.put("a.snapshot", "a1 one\na2 two\n");
    await world.one(["a.snapshot"]);
    for (const bad of ["!error torn", "!invalid", "!throw"]) {
      world.put("a.snapshot", `a1 one\n${bad}\n`);
      const job = await world.one(["a.snapshot"]);
      expect(job.status).toBe("succeeded");
      expect(job.progress.deleted).toBeUndefined();
      expect(job.progress.remarks).toEqual([expect.stringMatching(/^nothing was deleted, because .*import it again/)]);
    }
    expect(await ids()).toEqual(["a1", "a2"]);
  });

  test("P-05 deletes nothing if part of the folder could not be read, but a link does not count as unreadable", async () => {
    world.put("in/a.snapshot", "a1 one\n");
    world.put("in/b.snapshot", "b1 two\n");
    await world.one(["in"]);
    rmSync(join(world.home, "../in/b.snapshot"));
    world.put("in/broken.zip", "PK no archive");
    const job = await world.one(["in"]);
    expect(job.progress.deleted).toBeUndefined();
    expect(job.progress.remarks).toHaveLength(1);
    rmSync(join(world.home, "../in/broken.zip"));
    symlinkSync("/etc/passwd", join(world.home, "../in/link"));
    expect((await world.one(["in"])).progress.deleted).toBe(1);
    expect(await ids()).toEqual(["a1"]);
  });

  test("P-05 deletes nothing after a resumed run, and says so; the next complete run deletes the missing records", async () => {
    world.put("a.snapshot", "a1 one\na2 two\n");
    await world.one(["a.snapshot"]);
    world.put("a.snapshot", "a1 one\n!wide 7000\n!checkpoint\n!wide 7000\n!checkpoint\na9 last\n");
    const controller = new AbortController();
    const paused = await world.one(["a.snapshot"], {
      signal: controller.signal,
      onProgress: ({ progress }) => void (progress.checkpoint !== undefined && controller.abort()),
    });
    expect(paused.status).toBe("paused");
    const job = await world.one(["a.snapshot"]);
    expect(job).toMatchObject({ import_id: paused.import_id, status: "succeeded" });
    expect(job.progress.remarks).toEqual([expect.stringContaining("this run did not read everything")]);
    expect((await world.one(["a.snapshot"])).progress.deleted).toBe(1);
    expect((await ids()).filter((id) => id.startsWith("a") && !id.includes("-"))).toEqual(["a1", "a9"]);
  });
});

describe("an unfinished run", () => {
  /** Stops after the first batch. */
  async function pause(): Promise<ImportJob> {
    const controller = new AbortController();
    return world.one(["a.lines"], {
      signal: controller.signal,
      onProgress: ({ progress }) => void (progress.counts.imported > 0 && controller.abort()),
    });
  }

  test("P-05 is resumed only with the same input; with a changed file it starts again", async () => {
    world.put("a.lines", "!wide 12000\n");
    const paused = await pause();
    world.put("a.lines", "!wide 12000\nb1 more\n");
    const fresh = await world.one(["a.lines"]);
    expect(fresh.import_id).not.toBe(paused.import_id);
    expect(fresh.progress.counts.imported + fresh.progress.counts.unchanged).toBe(12_001);
    const old = await world.ask<ImportJob>("import", { id: paused.import_id });
    expect(old).toMatchObject({ status: "cancelled", progress: { remarks: [expect.stringContaining("changed")] } });
  });

  test("has the same counts as an uninterrupted run, once resumed", async () => {
    world.put("a.lines", "a1 one\na1 one\n!wide 12000\n!skip draft\na1 two\n");
    const paused = await pause();
    expect(paused.status).toBe("paused");
    const job = await world.one(["a.lines"]);
    expect(job.import_id).toBe(paused.import_id);
    expect(job.progress.counts).toEqual({ imported: 12_001, changed: 1, unchanged: 1, skipped: 1, failed: 0 });
    expect(job.progress.files).toHaveLength(1);
  });

  test("belongs to the latest runner, and batches from the previous runner are refused", async () => {
    world.put("a.lines", "a1 one\n");
    const { connection_id } = await world.one(["a.lines"]);
    const asked = { connection_id, importer: "lines", group: "g", fingerprint: "f", name: "a", total_bytes: 1 };
    const first = await world.ask<ImportRun>("beginImport", asked);
    const second = await world.ask<ImportRun>("beginImport", asked);
    expect([first.attempt, second.attempt]).toEqual([1, 2]);
    expect(second.job.import_id).toBe(first.job.import_id);
    const batch = {
      import_id: first.job.import_id,
      found: [],
      lines: new Uint8Array(),
      blobs: [],
      notes: [],
      bytes: 0,
    };
    await expect(world.ask("importBatch", { ...batch, attempt: 1 })).rejects.toThrow("another process has taken over");
    await world.ask("importBatch", { ...batch, attempt: 2 });
    await world.ask("cancelImport", { id: first.job.import_id });
    await expect(world.ask("importBatch", { ...batch, attempt: 2 })).rejects.toThrow("is cancelled");
  });
});

describe("a disk that fills up during a run", () => {
  test("P-05 stops the run with storage_full; it resumes once there is space, and nothing is lost or duplicated", async () => {
    world.put("a.lines", "!wide 12000\n!checkpoint\nz1 last\n");
    const limited = localHost(openSqliteStore(world.home, { pages: 600 }), { home: world.home, persist: false });
    let stored = 0;
    const onProgress = ({ progress }: ImportJob) => (stored = progress.counts.imported);
    await expect(world.one(["a.lines"], { host: limited, onProgress })).rejects.toMatchObject({ code: "storage_full" });
    await limited.close();
    expect(stored).toBeGreaterThan(0);
    const [waiting] = (await world.ask<{ data: ImportJob[] }>("imports", {})).data;
    expect(waiting).toMatchObject({ status: "running", progress: { counts: { imported: stored } } });
    const job = await world.one(["a.lines"]);
    expect(job).toMatchObject({ import_id: waiting!.import_id, status: "succeeded" });
    expect(job.progress.counts).toEqual({ ...none, imported: 12_001 });
    expect(readdirSync(join(world.home, "scratch"))).toEqual([]);
  });

  test("P-05 stops the run if bytes cannot be stored, without losing a record; it resumes after a repair", async () => {
    for (const name of ["a", "b", "c"]) {
      world.put(`notes/${name}.md`, `![[${name}.png]]`);
      world.put(`notes/${name}.png`, `bytes of ${name}`);
    }
    // A file blocks the path of the folder for the bytes of b.
    const { blobId } = blobFileOf(Buffer.from("bytes of b"));
    const inTheWay = dirname(blobPath(world.home, blobId, null));
    writeFileSync(inTheWay, "");
    const failure = { code: "store_unavailable", message: expect.stringMatching(/cannot be used \(\w+\)/) };
    await expect(world.one(["notes"], { real: true })).rejects.toMatchObject(failure);
    const [waiting] = (await world.ask<{ data: ImportJob[] }>("imports", {})).data;
    expect(waiting).toMatchObject({ status: "running", progress: { counts: { failed: 0 } } });
    rmSync(inTheWay);
    const job = await world.one(["notes"], { real: true });
    expect(job).toMatchObject({ import_id: waiting!.import_id, status: "succeeded" });
    expect(job.progress.counts).toEqual({ ...none, imported: 3 });
    for (const { data } of await world.records("notes")) {
      const [{ blob }] = data.attachments as [{ blob: { blob_id: string } }];
      const [row] = await world.ask<{ blobId: string; generation: string }[]>("knownBlobs", {
        blob_ids: [blob.blob_id],
      });
      const path = blobPath(world.home, blob.blob_id, row!.generation);
      expect(readFileSync(path, "utf8")).toBe(`bytes of ${(data.path as string)[0]}`);
    }
  });
});

describe("I-04 importing the same files again", () => {
  const remark = "nothing has changed since the last import, so the files were not read again";
  const again = async (once: ImportOnce = {}) => {
    const job = await world.one(["a.lines"], once);
    return { ...job.progress.counts, skipsReading: (job.progress.remarks ?? []).includes(remark) };
  };

  test("does not read them if the connection is still as the last import left it", async () => {
    world.put("a.lines", "a1 one\na2 two\n!skip draft\n");
    const first = await world.one(["a.lines"]);
    expect(await again()).toEqual({ ...none, unchanged: 2, skipped: 1, skipsReading: true });
    expect(await again()).toEqual({ ...none, unchanged: 2, skipped: 1, skipsReading: true });
    // Something else wrote to the connection.
    const place = { connection_id: first.connection_id, stream: "lines" };
    const [record] = await world.records("lines");
    await world.ask("deleteRecord", { ...place, id: record!.id });
    expect(await again()).toMatchObject({ imported: 1, unchanged: 1, skipsReading: false });
    expect(await again()).toMatchObject({ unchanged: 2, skipsReading: true });
  });

  test("reads them if a byte changed, with other answers, and after a failure", async () => {
    world.put("a.lines", "a1 one\n");
    await world.one(["a.lines"]);
    const facts = statSync(join(dirname(world.home), "a.lines"));
    world.put("a.lines", "a1 two\n");
    // The size and modification time are the same as before.
    utimesSync(join(dirname(world.home), "a.lines"), facts.atime, facts.mtime);
    expect(await again()).toMatchObject({ changed: 1, skipsReading: false });
    expect(await again({ answers: { other: "x" } })).toMatchObject({ unchanged: 1, skipsReading: false });
    world.put("a.lines", "a1 two\n!error broken\n");
    expect(await again()).toMatchObject({ failed: 1, skipsReading: false });
    expect(await again()).toMatchObject({ failed: 1, skipsReading: false });
  });
});
