// P-07: pieces of an upload that several processes receive, in whatever order the pieces are stored.
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { folderObjects } from "../store/object-folder.ts";
import { sharedUploads } from "./upload-pieces.ts";

const UPLOAD = "job_pieces.0";
const WHOLE = "0123456789";
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "postern-pieces-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The uploads on another machine. It shares only the objects, which are in the home of machine "one". */
const uploadsOf = (machine: string) =>
  sharedUploads(join(folder, machine), folderObjects({ kind: "folder", root: join(folder, "one") }));

async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

const send = (machine: string, from: number, to: number): Promise<number> =>
  uploadsOf(machine).append(UPLOAD, pieces(WHOLE.slice(from, to)), { offset: from, size: WHOLE.length });

test("P-07 the number of received bytes never decreases, whatever a stalled process writes late", async () => {
  await send("one", 0, 3);
  await send("one", 3, 10);
  const first = await uploadsOf("one").file(UPLOAD);
  for (const [from, to] of [
    [0, 5],
    [0, 2],
    [2, 9],
    [3, 4],
  ] as const) {
    await send("other", from, to);
    expect(await uploadsOf("one").bytes(UPLOAD)).toBe(10);
  }
  const later = await uploadsOf("other").file(UPLOAD);
  expect([readFileSync(first, "utf8"), readFileSync(later, "utf8")]).toEqual([WHOLE, WHOLE]);
  // An import that continues elsewhere sees the same file.
  expect(statSync(later).mtimeMs).toBe(statSync(first).mtimeMs);
});

test("P-07 only the bytes before the first gap count, even if pieces overlap", async () => {
  await send("one", 0, 4);
  await send("other", 2, 6);
  await send("one", 8, 10);
  expect(await uploadsOf("one").bytes(UPLOAD)).toBe(6);
  await send("other", 5, 8);
  expect(await uploadsOf("one").bytes(UPLOAD)).toBe(10);
  expect(readFileSync(await uploadsOf("one").file(UPLOAD), "utf8")).toBe(WHOLE);
});

test("P-07 an empty file can be uploaded", async () => {
  const uploads = uploadsOf("one");
  expect(await uploads.append(UPLOAD, pieces(), { offset: 0, size: 0 })).toBe(0);
  expect(statSync(await uploads.file(UPLOAD)).size).toBe(0);
});

test("T-05 a joined file is kept while its import is open, because another process on the home may be reading it", async () => {
  await send("one", 0, 10);
  const [first, second] = [uploadsOf("one"), uploadsOf("one")];
  const path = await first.file(UPLOAD);
  expect(await second.file(UPLOAD)).toBe(path);
  await first.forgetOthers(async () => new Set(["job_pieces"]));
  expect(readFileSync(path, "utf8")).toBe(WHOLE);
  await first.forgetOthers(async () => new Set());
  expect(existsSync(path)).toBe(false);
  // The file is joined again for a process that still needs it.
  expect(readFileSync(await second.file(UPLOAD), "utf8")).toBe(WHOLE);
});
