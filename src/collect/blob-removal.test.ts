// Stored bytes are deleted when no record refers to them any more: after an undo, a newer export or a deleted record.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ImportUndone } from "../contract/import.ts";
import { homeObjects, openObjects } from "../engine/objects-place.ts";
import { uploadBlob } from "../engine/upload-blob.ts";
import { importWorld } from "./import.fixture.ts";

let world: ReturnType<typeof importWorld>;
beforeEach(() => {
  world = importWorld();
});
afterEach(() => world.close());

const blobs = (): string[] =>
  readdirSync(join(world.home, "blobs"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8"))
    .sort();

const undo = (id: string): Promise<ImportUndone> => world.ask("undoImport", { id });

test("P-05 an undo also deletes the bytes that nothing else refers to", async () => {
  world.put("one/a.md", "![[own.png]] ![[shared.png]]");
  world.put("one/own.png", "own");
  world.put("one/shared.png", "shared");
  world.put("two/b.md", "![[same under another name.png]]");
  world.put("two/same under another name.png", "shared");
  const first = await world.one(["one"], { real: true });
  const second = await world.one(["two"], { real: true });
  expect(blobs()).toEqual(["own", "shared"]);
  expect(await undo(first.import_id)).toMatchObject({ records_removed: 1 });
  expect(blobs()).toEqual(["shared"]);
  await undo(second.import_id);
  expect(blobs()).toEqual([]);
  // After an undo, the same export can be imported again, bytes included.
  await world.one(["one"], { real: true });
  expect(blobs()).toEqual(["own", "shared"]);
});

test("P-05 attachments are deleted when a newer export lacks their note, and when their record is deleted", async () => {
  world.put("vault/a.md", "![[a.png]]");
  world.put("vault/b.md", "![[b.png]] but not a.png");
  world.put("vault/c.md", "gone tomorrow ![[c.png]]");
  for (const name of ["a", "b", "c"]) world.put(`vault/${name}.png`, name);
  const { connection_id } = await world.one(["vault"], { real: true });
  expect(blobs()).toEqual(["a", "b", "c"]);
  world.remove("vault/c.md");
  expect((await world.one(["vault"], { real: true })).progress.deleted).toBe(1);
  expect(blobs()).toEqual(["a", "b"]);
  const note = (await world.records("notes", connection_id)).find(({ data }) => data.path === "a.md");
  await world.ask("deleteRecord", { stream: "notes", connection_id, id: note!.id });
  expect(blobs()).toEqual(["b"]);
});

test("P-05 an ingest releases the bytes of records that it deletes or changes", async () => {
  for (const name of ["a", "b"]) {
    world.put(`vault/${name}.md`, `![[${name}.png]]`);
    world.put(`vault/${name}.png`, name);
  }
  const { connection_id } = await world.one(["vault"], { real: true });
  const notes = await world.records("notes", connection_id);
  const noteAt = (path: string) => notes.find(({ data }) => data.path === path)!;
  const ingest = async (line: object) => {
    const text = JSON.stringify({ emitted_at: new Date().toISOString(), ...line });
    expect(await world.ask("ingest", { stream: "notes", connection_id, text })).toMatchObject({ rejections: [] });
  };
  await ingest({ key: noteAt("a.md").id, op: "delete" });
  expect(blobs()).toEqual(["b"]);
  const { id, data } = noteAt("b.md");
  const { attachments, ...without } = data;
  const [{ blob }] = attachments as [{ blob: Record<string, unknown> }];
  const { fetch_url: _url, ...stored } = blob;
  await ingest({ key: id, data: { ...without, title: "Other", attachments: [{ name: "b.png", blob: stored }] } });
  expect(blobs()).toEqual(["b"]);
  await ingest({ key: id, data: without });
  expect(blobs()).toEqual([]);
});

test("P-05 bytes that are being stored again are kept, and no record refers to deleted bytes", async () => {
  world.put("one/a.md", "![[a.png]]");
  world.put("one/a.png", "bytes");
  const job = await world.one(["one"], { real: true });
  const objects = openObjects(homeObjects(world.home));
  const again = uploadBlob({ objects, host: world.host, credential: { home: true } }, pieces("bytes"), "text/plain");
  await Promise.all([undo(job.import_id), again]);
  expect(blobs()).toEqual(["bytes"]);
  const other = { blob_id: `blob_${"A".repeat(43)}`, mime_type: "text/plain", size_bytes: 5, sha256: "" };
  await expect(world.ask("putBlob", other)).rejects.toMatchObject({ code: "blob_not_found" });
});

async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

test("T-01 an import that changes a record releases the record's previous bytes", async () => {
  world.put("vault/a.md", "![[a.png]]");
  world.put("vault/a.png", "before");
  await world.one(["vault"], { real: true });
  expect(blobs()).toEqual(["before"]);
  world.put("vault/a.png", "after");
  await world.one(["vault"], { real: true });
  expect(blobs()).toEqual(["after"]);
});
