// P-07: bytes in a bucket live as long as a record refers to them, and no write of the owner waits for the bucket.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type Loose, ndjson } from "../../test/harness.ts";
import { book, library } from "../../test/library.ts";
import { type TestOwner, testOwner } from "../../test/postgres.ts";
import { startS3, type TestS3 } from "../../test/s3.ts";
import { openStore } from "../store/place.ts";
import { blobName, storeBlob } from "./blob-files.ts";
import { sweepBlobs } from "./blob-sweep.ts";
import type { EngineHost } from "./host.ts";
import { localHost } from "./local-host.ts";
import { type ObjectStorage, openObjects } from "./objects-place.ts";

const OWNER = { home: true } as const;
const HOUR = 3_600_000;
let s3: TestS3;
let owner: TestOwner;
let objects: ObjectStorage;
let host: EngineHost;
let connection_id: string;
let now = Date.now();

beforeAll(async () => {
  [s3, owner] = [await startS3(), await testOwner()];
  objects = openObjects(s3.place);
  const home = s3.place.aside;
  const store = await openStore({ home, database: { url: owner.url, subject: owner.subject } });
  host = localHost(store, { home, objects: s3.place, persist: false, now: () => now });
  await call("putConnector", { connector_key: "library", declaration: library });
  ({ connection_id } = await call("createConnection", { connector_id: "library" }));
});
afterEach(() => s3.onRequest(undefined));
afterAll(async () => {
  await host.close();
  await owner.close();
  await s3.close();
});

const call = async (method: Parameters<EngineHost["call"]>[0], query: object): Promise<Loose> =>
  JSON.parse(await host.call(method, query as never, OWNER)) as Loose;
const sweep = (): Promise<void> => sweepBlobs({ objects, host, goesOn: () => OWNER, now: () => now });
const isThere = async (blobId: string): Promise<boolean> => (await objects.size(blobName(blobId))) !== undefined;
const deleteBook = (id: string): Promise<Loose> => call("deleteRecord", { stream: "books", connection_id, id });

async function send(text: string): Promise<Loose> {
  const stored = await storeBlob(objects, pieces(text));
  const { blobId: blob_id, sizeBytes: size_bytes, sha256 } = stored;
  return call("putBlob", { blob_id, mime_type: "text/plain", size_bytes, sha256 });
}

/** A book whose cover this is. */
async function store(id: string, text: string): Promise<string> {
  const { object: _object, ...cover } = await send(text);
  await call("ingest", { stream: "books", connection_id, text: ndjson([book(id, { cover })]) });
  return cover.blob_id;
}

async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

test("P-07 a record goes at once though the bucket is silent, and its bytes an hour later", async () => {
  const blobId = await store("a", "gone");
  s3.onRequest(() => true);
  await deleteBook("a");
  await call("ingest", { stream: "books", connection_id, text: ndjson([book("b")]) });
  s3.onRequest(undefined);
  await sweep();
  expect(await isThere(blobId)).toBe(true);
  now += HOUR;
  await sweep();
  expect(await isThere(blobId)).toBe(false);
  expect(await call("unusedBlobs", {})).toEqual({ next_at: null });
});

test("P-07 bytes that are named again within the hour stay", async () => {
  const blobId = await store("c", "again");
  await deleteBook("c");
  await store("d", "again");
  now += HOUR;
  await sweep();
  expect([await isThere(blobId), await call("unusedBlobs", {})]).toEqual([true, { next_at: null }]);
});

test("P-07 bytes are not removed between somebody's look and the write that names them", async () => {
  const { object: _object, ...cover } = await send("just in time");
  await call("ingest", { stream: "books", connection_id, text: ndjson([book("e", { cover })]) });
  await deleteBook("e");
  now += HOUR;
  s3.onRequest((request, response) => {
    if (request.method !== "HEAD") return false;
    sweep().then(() => response.writeHead(200, { "Content-Length": cover.size_bytes }).end());
    return true;
  });
  await call("putBlob", cover);
  s3.onRequest(undefined);
  expect(await isThere(cover.blob_id)).toBe(true);
});

test("P-07 what cannot be removed is named by nobody meanwhile, stays nameable after, and is tried again", async () => {
  const blobId = await store("f", "stuck");
  await deleteBook("f");
  now += HOUR;
  s3.onRequest((request, response) => {
    if (request.method === "DELETE") response.destroy();
    return request.method === "DELETE";
  });
  await expect(sweep()).rejects.toMatchObject({ code: "store_unavailable" });
  await expect(send("stuck")).rejects.toMatchObject({ code: "store_unavailable" });
  s3.onRequest(undefined);
  now += HOUR / 2;
  await store("g", "stuck");
  now += HOUR;
  await sweep();
  expect(await isThere(blobId)).toBe(true);
  await deleteBook("g");
  now += HOUR;
  await sweep();
  expect(await isThere(blobId)).toBe(false);
});
