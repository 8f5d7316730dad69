// P-07: two servers of one owner with separate homes, one database and one bucket. Either serves what the other stored.
import { createHash, randomBytes } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { zipOf } from "../../src/collect/archive/archives.fixture.ts";
import { openObjects } from "../../src/engine/objects-place.ts";
import { startServer } from "../../src/main.ts";
import { type Client, clientOf, HOME_OWNER, type Loose, newHome } from "../harness.ts";
import { book, library } from "../library.ts";
import { type TestOwner, testOwner } from "../postgres.ts";
import { startS3, type TestS3 } from "../s3.ts";

interface Machine extends Client {
  home: string;
  close(): Promise<void>;
}

const DIED = "store_unavailable";
let s3: TestS3;
let one: Machine;
let other: Machine;
let owner: TestOwner;
let connection: string;

async function machine(): Promise<Machine> {
  const home = newHome();
  const objects = { ...s3.place, aside: home };
  const { url, subject } = owner;
  const server = await startServer({ home, database: { url, subject }, objects, port: 0, log: () => undefined });
  const { access_token } = await server.host.call("issueOwnerToken", {}, HOME_OWNER);
  return {
    ...clientOf(server.url, access_token),
    home,
    async close() {
      await server.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

beforeAll(async () => {
  [s3, owner] = [await startS3(), await testOwner()];
  [one, other] = [await machine(), await machine()];
  await one.register("library", library);
  connection = await one.connect("library");
});
afterAll(async () => {
  await one.close();
  await other.close();
  await owner.close();
  await s3.close();
});

async function stored(prefix: string): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of openObjects(s3.place).list(prefix)) names.push(name);
  return names.sort();
}

const filesIn = (home: string): string[] =>
  ["blobs", "exports", "uploads", "scratch"].flatMap((folder) => {
    try {
      const found = readdirSync(join(home, folder), { recursive: true, withFileTypes: true });
      return found.filter((entry) => entry.isFile()).map(({ name }) => name);
    } catch {
      return [];
    }
  });

async function sendBlob(at: Client, bytes: Buffer<ArrayBuffer>): Promise<Loose> {
  const response = await fetch(`${at.url}/v1/blobs?stream=books&connection_id=${connection}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${at.owner}`, "Content-Type": "image/png" },
    body: bytes,
  });
  return { status: response.status, ...((await response.json()) as object) };
}

async function bytesFrom(at: Client, path: string, headers: Record<string, string> = {}): Promise<Buffer> {
  const response = await fetch(at.url + path, { headers: { Authorization: `Bearer ${at.owner}`, ...headers } });
  expect(response.status).toBeLessThan(300);
  return Buffer.from(await response.arrayBuffer());
}

async function until(at: Client, path: string): Promise<Loose> {
  for (;;) {
    const { body } = await at.get(path);
    if (["succeeded", "failed", "cancelled"].includes(body.status)) return body;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe("P-07 blobs", () => {
  test("P-07 can be uploaded to one server, read from the other, and deleted with their record", async () => {
    const bytes = randomBytes(20 * 1024 * 1024);
    const { status, object: _object, ...blob } = await sendBlob(one, bytes);
    expect(status).toBe(201);
    await one.ingest("books", connection, [book("b1", { cover: blob })]);
    const path = `/v1/blobs/${blob.blob_id}`;
    expect((await bytesFrom(other, path)).equals(bytes)).toBe(true);
    const part = await bytesFrom(other, path, { Range: "bytes=16777200-16777300" });
    expect(part.equals(bytes.subarray(16777200, 16777301))).toBe(true);
    const [name] = await stored("blobs/");
    await other.call("DELETE", "/v1/streams/books/records/b1");
    expect((await one.get(path)).status).toBe(404);
    // An upload is kept for a day, so that another record can refer to it. Here the day is over.
    const due = "UPDATE item SET due_at = 0 WHERE kind IN ('awaited_blob', 'unused_blob') AND subject_id =";
    await owner.database.session((session) => session.script(`${due} '${owner.subject}'`));
    await one.close();
    await other.close();
    [one, other] = [await machine(), await machine()];
    while ((await stored("blobs/")).includes(name!)) await new Promise((resolve) => setTimeout(resolve, 50));
    expect([...filesIn(one.home), ...filesIn(other.home)]).toEqual([]);
  });

  test("P-07 bytes that another server removed are stored again when they are uploaded again", async () => {
    const { status: _status, object: _object, ...blob } = await sendBlob(one, Buffer.from("once"));
    await openObjects(s3.place).delete(await stored("blobs/"));
    // Uploads the same bytes again, as a caller that assumes they are stored would.
    const put = other.call("POST", "/v1/blobs", {
      query: { stream: "books", connection_id: connection },
      body: "once",
    });
    expect((await put).body.blob_id).toBe(blob.blob_id);
    expect(await stored("blobs/")).toHaveLength(1);
  });

  test("P-07 unreachable storage is reported, and nothing half-written remains", async () => {
    const before = await stored("blobs/");
    s3.onRequest((_request, response) => {
      response.destroy();
      return true;
    });
    const refused = await sendBlob(one, Buffer.from("while it is away"));
    expect([refused.status, refused.error.code]).toEqual([503, DIED]);
    expect(JSON.stringify(refused)).not.toContain(s3.place.endpoint);
    s3.onRequest(undefined);
    expect([await stored("blobs/"), filesIn(one.home)]).toEqual([before, []]);
    expect((await sendBlob(one, Buffer.from("while it is away"))).status).toBe(201);
  });
});

test("P-07 an export made on one server can be downloaded from the other, even in ranges, and is deleted with its job", async () => {
  await one.ingest("books", connection, [book("e1", { title: "One" }), book("e2", { title: "Two" })]);
  for (const [asked, served] of [
    [one, other],
    [other, one],
  ] as const) {
    const { body } = await asked.call("POST", "/v1/exports", { body: { stream: "books", connection_id: connection } });
    const job = await until(asked, `/v1/exports/${body.export_id}`);
    expect(job.status).toBe("succeeded");
    expect(await stored("exports/")).toEqual([expect.stringMatching(new RegExp(`^exports/${body.export_id}[.]`))]);
    const whole = await bytesFrom(served, job.download_url);
    expect(createHash("sha256").update(whole).digest("hex")).toBe(job.sha256);
    const part = await bytesFrom(served, job.download_url, { Range: "bytes=5-14" });
    expect(part.equals(whole.subarray(5, 15))).toBe(true);
    expect((await served.call("DELETE", `/v1/exports/${body.export_id}`)).status).toBe(204);
    expect([await stored("exports/"), filesIn(one.home), filesIn(other.home)]).toEqual([[], [], []]);
  }
});

test("P-07 a stalled upload on one server does not remove bytes that the other received afterwards", async () => {
  const bytes = randomBytes(10 * 1024 * 1024);
  const { body: upload } = await one.call("POST", "/v1/imports", { body: { name: "a.bin", size: bytes.length } });
  const offsetAt = async (at: Client): Promise<number> =>
    (await at.get(`/v1/imports/${upload.import_id}`)).body.files[0].offset;
  const headers = (at: Client, offset: number) => ({
    Authorization: `Bearer ${at.owner}`,
    "Upload-Offset": String(offset),
  });
  const stalled = httpRequest(one.url + upload.upload_url, {
    method: "PATCH",
    headers: { ...headers(one, 0), "Content-Length": bytes.length },
  });
  stalled.on("error", () => undefined).write(bytes.subarray(0, 9 * 1024 * 1024));
  // Waits until one part is stored. The rest is still in memory.
  while ((await offsetAt(other)) === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  const held = await offsetAt(other);
  for (const [start, end] of [
    [held, held + 1000],
    [held + 1000, bytes.length],
  ] as const) {
    const body = bytes.subarray(start, end) as unknown as string;
    const sent = await fetch(other.url + upload.upload_url, { method: "PATCH", headers: headers(other, start), body });
    expect([sent.status, sent.headers.get("upload-offset")]).toEqual([204, String(end)]);
  }
  const before = await stored("uploads/");
  stalled.destroy();
  while ((await stored("uploads/")).length === before.length) await new Promise((resolve) => setTimeout(resolve, 20));
  expect([await offsetAt(one), await offsetAt(other)]).toEqual([bytes.length, bytes.length]);
  expect((await one.call("POST", `/v1/imports/${upload.import_id}/cancel`, { body: {} })).status).toBeLessThan(300);
});

test("P-07 a file uploaded in parts to both servers is imported completely with attachments, and no uploaded part remains", async () => {
  const picture = randomBytes(9 * 1024 * 1024);
  const archive = zipOf([
    { name: "vault/.obsidian/app.json", content: "{}" },
    { name: "vault/a.md", content: "# A\n\n![[a.png]]" },
    { name: "vault/a.png", content: picture },
  ]);
  const { body: upload } = await one.call("POST", "/v1/imports", { body: { name: "vault.zip", size: archive.length } });
  const pieces = [0, 1000, 10_000, Math.floor(archive.length / 2), archive.length];
  for (const [index, start] of pieces.slice(0, -1).entries()) {
    const at = index % 2 === 0 ? one : other;
    const response = await fetch(at.url + upload.upload_url, {
      method: "PATCH",
      headers: { Authorization: `Bearer ${at.owner}`, "Upload-Offset": String(start) },
      body: archive.subarray(start, pieces[index + 1]) as unknown as string,
    });
    expect([response.status, response.headers.get("upload-offset")]).toEqual([204, String(pieces[index + 1])]);
  }
  expect((await other.get(`/v1/imports/${upload.import_id}`)).body.files).toMatchObject([{ offset: archive.length }]);
  expect((await stored("uploads/")).length).toBeGreaterThanOrEqual(4);
  const plan = await other.call("POST", `/v1/imports/${upload.import_id}/plan`, { body: {} });
  expect(plan.body.groups).toHaveLength(1);
  expect((await other.call("POST", `/v1/imports/${upload.import_id}/run`, { body: {} })).status).toBe(202);
  const done = await until(one, `/v1/imports/${upload.import_id}`);
  expect(done).toMatchObject({ status: "succeeded" });
  const name = createHash("sha256").update(picture).digest("base64url");
  expect(await stored(`blobs/${name.slice(0, 2)}/`)).toEqual([
    expect.stringContaining(`blobs/${name.slice(0, 2)}/${name}.`),
  ]);
  for (const at of [one, other]) expect((await bytesFrom(at, `/v1/blobs/blob_${name}`)).equals(picture)).toBe(true);
  const left = async (): Promise<string[]> => [
    ...(await stored("uploads/")),
    ...filesIn(one.home),
    ...filesIn(other.home),
  ];
  while ((await left()).length > 0) await new Promise((resolve) => setTimeout(resolve, 50));
});
