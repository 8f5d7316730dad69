// T-01: bytes in a bucket exist as long as a record refers to them, however late a removal runs. No write waits for the
// bucket.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type Loose, ndjson } from "../../test/harness.ts";
import { book, library } from "../../test/library.ts";
import { type TestOwner, testOwner } from "../../test/postgres.ts";
import { startS3, type TestS3 } from "../../test/s3.ts";
import { openStore } from "../store/place.ts";
import { blobFileOf, blobName, blobOfName } from "./blob-files.ts";
import { blobSweep, listStrays, sweepBlobs } from "./blob-sweep.ts";
import type { EngineHost } from "./host.ts";
import { localHost } from "./local-host.ts";
import { type ObjectStorage, openObjects } from "./objects-place.ts";
import { uploadBlob } from "./upload-blob.ts";

const OWNER = { home: true } as const;
const DAY = 86_400_000;
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
beforeEach(() => {
  now = Date.now();
});
afterEach(() => s3.onRequest(undefined));
afterAll(async () => {
  await host.close();
  await owner.close();
  await s3.close();
});

const call = async (method: Parameters<EngineHost["call"]>[0], query: object): Promise<Loose> =>
  await host.call(method, query as never, OWNER);
const sweep = (): Promise<void> => sweepBlobs({ objects, host, goesOn: () => OWNER, now: () => now });
const deleteBook = (id: string): Promise<Loose> => call("deleteRecord", { stream: "books", connection_id, id });
const upload = async (text: string): Promise<Loose> =>
  uploadBlob({ objects, host, credential: OWNER }, pieces(text), "text/plain");

/** The number of objects that contain these bytes. */
async function copies(text: string): Promise<number> {
  const { blobId } = blobFileOf(Buffer.from(text));
  let count = 0;
  for await (const { name } of objects.list("blobs/")) if (blobOfName(name)?.blobId === blobId) count++;
  return count;
}

async function addBook(id: string, { object: _object, ...cover }: Loose): Promise<void> {
  await call("ingest", { stream: "books", connection_id, text: ndjson([book(id, { cover })]) });
}

/** The blob's text, read through a record. */
async function textOf({ blob_id }: Loose): Promise<string | undefined> {
  const { blobId, generation } = await call("blob", { blob_id });
  const bytes = await objects.open(blobName(blobId, generation));
  return bytes && Buffer.concat(await bytes.toArray()).toString();
}

async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

test("P-07 a record is deleted immediately even if the bucket does not respond, and its bytes are removed by the next sweep", async () => {
  await addBook("a", await upload("gone"));
  now += 2 * DAY;
  await sweep();
  s3.onRequest(() => true);
  await deleteBook("a");
  await call("ingest", { stream: "books", connection_id, text: ndjson([book("b")]) });
  s3.onRequest(undefined);
  expect(await copies("gone")).toBe(1);
  await sweep();
  expect(await copies("gone")).toBe(0);
  expect(await call("unusedBlobs", {})).toEqual({ next_at: null });
});

test("T-01 bytes acknowledged while their removal is in progress are kept, however late the removal runs", async () => {
  await addBook("c", await upload("again"));
  now += 2 * DAY;
  await sweep();
  await deleteBook("c");
  const [paused, resumed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const sweeping = sweepBlobs({
    host,
    goesOn: () => OWNER,
    now: () => now,
    objects: {
      ...objects,
      async delete(names) {
        paused.resolve();
        await resumed.promise;
        await objects.delete(names);
      },
    },
  });
  await paused.promise;
  now = Date.now();
  const cover = await upload("again");
  await addBook("d", cover);
  resumed.resolve();
  await sweeping;
  expect(await textOf(cover)).toBe("again");
  expect(await copies("again")).toBe(1);
});

test("P-07 objects that cannot be removed remain listed and are removed later", async () => {
  await addBook("f", await upload("stuck"));
  now += 2 * DAY;
  await sweep();
  await deleteBook("f");
  s3.onRequest((request, response) => {
    if (request.method === "DELETE") response.destroy();
    return request.method === "DELETE";
  });
  await expect(sweep()).rejects.toMatchObject({ code: "store_unavailable" });
  s3.onRequest(undefined);
  expect(await copies("stuck")).toBe(1);
  await sweep();
  expect(await copies("stuck")).toBe(0);
});

test("T-01 an uploaded blob is kept for up to a day until its record arrives, even if another record that refers to it is deleted", async () => {
  const cover = await upload("awaited");
  await addBook("g", cover);
  await deleteBook("g");
  await sweep();
  await addBook("h", cover);
  expect(await textOf(cover)).toBe("awaited");
  await deleteBook("h");
  now += 2 * DAY;
  await sweep();
  expect(await copies("awaited")).toBe(0);
});

test("T-01 only objects that no row ever referred to are removed after two days", async () => {
  const cover = await upload("kept");
  await addBook("i", cover);
  const { blobId } = blobFileOf(Buffer.from("kept"));
  const old = (now - 3 * DAY).toString(36);
  const recent = (now - DAY / 2).toString(36);
  for (const generation of [`${old}-left`, `${recent}-left`])
    await objects.put(blobName(blobId, generation), pieces("kept"));
  await listStrays({ objects, host, goesOn: () => OWNER, now: () => now });
  await sweep();
  expect(await objects.size(blobName(blobId, `${old}-left`))).toBeUndefined();
  expect(await copies("kept")).toBe(2);
  expect(await textOf(cover)).toBe("kept");
});

test("T-01 bytes that were stored too long ago cannot be referred to, because they may have been removed", async () => {
  const generation = `${(now - DAY).toString(36)}-late`;
  const { blobId, sizeBytes, sha256 } = blobFileOf(Buffer.from("late"));
  const late = { blob_id: blobId, mime_type: "text/plain", size_bytes: sizeBytes, sha256, generation };
  await expect(call("putBlob", late)).rejects.toMatchObject({ code: "store_unavailable" });
});

test("T-01 a blob that becomes unused during a sweep is removed by the next sweep, which follows immediately", async () => {
  now = Date.now() - 2 * DAY;
  await addBook("late", await upload("bytes of a late removal"));
  now = Date.now();
  await sweep();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: looked, resolve: hasLooked } = Promise.withResolvers<void>();
  const held: EngineHost = {
    ...host,
    call: (async (name: string, ...rest: [never, never]) => {
      const answer = await host.call(name as never, ...rest);
      if (name === "unusedBlobs") {
        hasLooked();
        await released;
      }
      return answer;
    }) as EngineHost["call"],
  };
  const job = blobSweep({ objects, host: held, log: () => undefined });
  job.begin(OWNER);
  await looked;
  await deleteBook("late");
  await job.news();
  release();
  await expect.poll(() => copies("bytes of a late removal")).toBe(0);
  await job.rest();
});
