// L-05, L-13: exports as jobs: progress, digest, resumable downloads, and which callers can see them.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EXPORT } from "../../src/contract/limits.ts";
import { type Loose, type TestServer, testServer } from "../harness.ts";
import { book, library } from "../library.ts";

const COUNT = 1500;
let server: TestServer;
let connection: string;
beforeAll(async () => {
  server = await testServer();
  await server.register("library", library);
  connection = await server.connect("library", "Shelf");
  const books = Array.from({ length: COUNT }, (_, n) => book(`b${n}`, { title: `Title ${n}`, pages: n, secret: "s" }));
  await server.ingest("books", connection, books);
});
afterAll(() => server.close());

const create = async (query: Record<string, unknown> = {}, token = server.owner) =>
  server.call("POST", "/v1/exports", { token, body: { stream: "books", connection_id: connection, ...query } });

async function finished(id: string, token = server.owner): Promise<Loose> {
  for (;;) {
    const { body } = await server.get(`/v1/exports/${id}`, { token });
    if (body.error !== undefined && body.object === undefined) throw new Error(JSON.stringify(body));
    if (body.status !== "queued" && body.status !== "running") return body;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const made = async (query: Record<string, unknown> = {}, token = server.owner): Promise<Loose> =>
  finished((await create(query, token)).body.export_id, token);

async function download(id: string, headers: Record<string, string> = {}, token = server.owner, method = "GET") {
  const response = await fetch(`${server.url}/v1/exports/${id}/download`, {
    method,
    headers: { Authorization: `Bearer ${token}`, ...headers },
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
}

const grant = async (selection: Record<string, unknown> = {}): Promise<Loose> =>
  server.grant({ selections: [{ connection_id: connection, stream: "books", ...selection }] });
const code = async (answer: Promise<{ status: number; body: Loose }>): Promise<[number, string]> => {
  const { status, body } = await answer;
  return [status, body?.error?.code];
};

describe("L-13 an export as a job", () => {
  test("L-13 is accepted immediately, reports progress, and ends with size and digest", async () => {
    const { status, body } = await create({ format: "csv", filter: { pages: { gte: 500 } } });
    expect(status).toBe(202);
    expect(body).toMatchObject({
      object: "export",
      export_id: expect.stringMatching(/^job_/),
      status: "queued",
      stream: "books",
      connection_id: connection,
      format: "csv",
      progress: { records: 0 },
      download_url: `/v1/exports/${body.export_id}/download`,
    });
    expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBe(EXPORT.lifetimeMs);
    const done = await finished(body.export_id);
    expect(done).toMatchObject({ status: "succeeded", progress: { records: 1000, total: 1000 } });
    const { bytes, headers } = await download(body.export_id);
    expect([bytes.length, createHash("sha256").update(bytes).digest("hex")]).toEqual([done.size_bytes, done.sha256]);
    expect(headers.get("etag")).toBe(`"${done.sha256}"`);
    expect(headers.get("repr-digest")).toBe(`sha-256=:${Buffer.from(done.sha256, "hex").toString("base64")}:`);
    expect(headers.get("content-disposition")).toBe('attachment; filename="books.csv"');
    expect(headers.get("cache-control")).toBe("private, no-store");
  });

  test.each(["jsonl", "csv", "parquet"])("L-13 its %s has the same bytes as a streamed export", async (format) => {
    const { export_id } = await made({ format, sort: "-pages" });
    const streamed = await fetch(
      `${server.url}/v1/export?stream=books&connection_id=${connection}&sort=-pages&format=${format}`,
      { headers: { Authorization: `Bearer ${server.owner}` } },
    );
    const { bytes } = await download(export_id);
    expect(bytes.equals(Buffer.from(await streamed.arrayBuffer()))).toBe(true);
  });

  test("L-02 a handle can be sent instead of the query that it contains", async () => {
    const { body } = await server.get("/v1/export/info", {
      query: { stream: "books", connection_id: connection, "filter[pages]": 7 },
    });
    const { status, body: job } = await server.call("POST", "/v1/exports", { body: { handle: body.handle } });
    expect([status, (await finished(job.export_id)).progress.records]).toEqual([202, 1]);
  });

  test("L-05 an invalid query never becomes a job", async () => {
    expect(await code(create({ stream: "nowhere" }))).toEqual([404, "not_found"]);
    expect(await code(create({ format: "xlsx" }))).toEqual([400, "invalid_request"]);
    expect(await code(create({ limit: 5 }))).toEqual([400, "invalid_request"]);
    expect(await code(create({ filter: { nothing: 1 } }))).toEqual([400, "unknown_field"]);
  });

  test("L-05 a deleted export is gone, including its file", async () => {
    const { export_id } = await made();
    const folder = join(server.home, "exports");
    const path = join(folder, readdirSync(folder).find((name) => name.startsWith(export_id))!);
    expect([existsSync(path), statSync(path).mode & 0o777]).toEqual([true, 0o600]);
    expect((await server.call("DELETE", `/v1/exports/${export_id}`)).status).toBe(204);
    expect(existsSync(path)).toBe(false);
    for (const address of [`/v1/exports/${export_id}`, `/v1/exports/${export_id}/download`])
      expect(await code(server.get(address))).toEqual([404, "not_found"]);
    expect(await code(server.call("DELETE", `/v1/exports/${export_id}`))).toEqual([404, "not_found"]);
  });

  test("L-05 an export deleted while it waits or runs leaves nothing behind", async () => {
    const jobs = await Promise.all(Array.from({ length: 4 }, () => create({ format: "parquet" })));
    for (const { body } of jobs)
      expect((await server.call("DELETE", `/v1/exports/${body.export_id}`)).status).toBe(204);
    await made({ fields: ["title"] });
    const ids = jobs.map(({ body }) => body.export_id);
    expect(readdirSync(join(server.home, "exports")).filter((name) => ids.some((id) => name.includes(id)))).toEqual([]);
  });
});

describe("L-13 a download resumes", () => {
  let job: Loose;
  let whole: Buffer;
  beforeAll(async () => {
    job = await made({ format: "csv" });
    whole = (await download(job.export_id)).bytes;
  });

  test("L-13 a download continues where it was interrupted", async () => {
    const etag = `"${job.sha256}"`;
    const first = whole.subarray(0, 1000);
    const rest = await download(job.export_id, { Range: "bytes=1000-", "If-Range": etag });
    expect([rest.status, rest.headers.get("content-range")]).toEqual([
      206,
      `bytes 1000-${whole.length - 1}/${whole.length}`,
    ]);
    expect(Buffer.concat([first, rest.bytes]).equals(whole)).toBe(true);
    const other = await download(job.export_id, { Range: "bytes=1000-", "If-Range": '"another"' });
    expect([other.status, other.bytes.equals(whole)]).toEqual([200, true]);
  });

  test("L-13 a download accepts any range inside the file, and no range outside it", async () => {
    const size = whole.length;
    const cases: [string, number, Buffer | undefined][] = [
      ["bytes=0-0", 206, whole.subarray(0, 1)],
      ["bytes=-5", 206, whole.subarray(size - 5)],
      [`bytes=${size - 1}-`, 206, whole.subarray(size - 1)],
      [`bytes=0-${size * 2}`, 206, whole],
      [`bytes=${size}-`, 416, undefined],
      ["bytes=-0", 416, undefined],
      ["bytes=0-1,3-4", 200, whole],
      ["bytes=99999999999999999999-", 416, undefined],
      ["lines=1-2", 200, whole],
    ];
    for (const [range, status, expected] of cases) {
      const { status: answered, bytes, headers } = await download(job.export_id, { Range: range });
      expect([answered, bytes.equals(expected ?? Buffer.alloc(0))], range).toEqual([status, true]);
      if (status === 416) expect(headers.get("content-range")).toBe(`bytes */${size}`);
    }
    const head = await download(job.export_id, {}, server.owner, "HEAD");
    expect([head.status, head.headers.get("content-length"), head.bytes.length]).toEqual([200, String(size), 0]);
  });

  test("SECURITY row 19 every download has a log line before it and one after", async () => {
    const { headers } = await download(job.export_id);
    const lines = async () =>
      (await server.get("/v1/activity", { query: { limit: 50 } })).body.data
        .filter(({ request_id }: Loose) => request_id === headers.get("request-id"))
        .map(({ action, records, bytes, stream }: Loose) => [action, records, bytes, stream])
        .reverse();
    while ((await lines()).length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await lines()).toEqual([
      ["exportDownload", 0, 0, "books"],
      ["exportServed", COUNT, whole.length, "books"],
    ]);
  });
});

/** Waits for the runner, which deletes the files of revoked grants in the background. */
async function goneFromDisk(id: string): Promise<void> {
  for (;;) {
    const { status } = (await server.get(`/v1/exports/${id}`)).body;
    if (status === "failed" && !existsSync(join(server.home, "exports", id))) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe("L-06 an export belongs to the grant under which it was made", () => {
  test("L-06 another grant cannot find it, but the owner can", async () => {
    const mine = await grant({ fields: ["title"] });
    const { export_id } = await made({}, mine.access_token);
    const other = await grant();
    for (const token of [other.access_token]) {
      for (const [method, path] of [
        ["GET", ""],
        ["GET", "/download"],
        ["DELETE", ""],
      ] as const)
        expect(await code(server.call(method, `/v1/exports/${export_id}${path}`, { token }))).toEqual([
          404,
          "not_found",
        ]);
      expect((await server.get("/v1/exports", { token })).body.data).toEqual([]);
    }
    const list = async (token: string) =>
      (await server.get("/v1/exports", { token })).body.data.map((row: Loose) => row.export_id);
    expect(await list(mine.access_token)).toEqual([export_id]);
    expect(await list(server.owner)).toContain(export_id);
    const { bytes } = await download(export_id, {}, mine.access_token);
    expect(bytes.toString()).not.toContain('"secret"');
    expect((await download(export_id)).bytes.equals(bytes)).toBe(true);
  });

  test("L-06 the owner's exports are visible only to the owner", async () => {
    const { export_id } = await made();
    const { access_token: token } = await grant();
    expect(await code(server.get(`/v1/exports/${export_id}`, { token }))).toEqual([404, "not_found"]);
  });

  test("L-06 revoking a grant deletes its finished exports", async () => {
    const given = await grant();
    const { export_id } = await made({}, given.access_token);
    await server.call("POST", `/v1/grants/${given.grant_id}/revoke`);
    const refused = await download(export_id, {}, given.access_token);
    expect([refused.status, JSON.parse(refused.bytes.toString()).error.code]).toEqual([403, "grant_revoked"]);
    await goneFromDisk(export_id);
    expect((await server.get(`/v1/exports/${export_id}`)).body).toMatchObject({
      status: "failed",
      error: { code: "grant_revoked" },
    });
  });

  test("L-06 deleting a connection deletes the exports made from it", async () => {
    const shelf = await server.connect("library", "Short-lived");
    await server.ingest("books", shelf, [book("s1")]);
    const { export_id } = await made({ connection_id: shelf });
    await server.call("DELETE", `/v1/connections/${shelf}`);
    await goneFromDisk(export_id);
    expect((await download(export_id)).status).toBeGreaterThanOrEqual(403);
  });

  test("L-06 in a package, the grant that showed the stream must still be active", async () => {
    const second = await server.connect("library", "Second");
    const both = await server.grant({
      selections: [{ connection_id: connection, stream: "books" }, { connection_id: second }],
    });
    const { export_id } = await made({}, both.access_token);
    expect((await download(export_id, {}, both.access_token)).status).toBe(200);
    const shown = both.grants.find((row: Loose) => row.streams[0].instance_ids.includes(connection));
    await server.call("POST", `/v1/grants/${shown.grant_id}/revoke`);
    const refused = await download(export_id, {}, both.access_token);
    expect(refused.status).toBeGreaterThanOrEqual(403);
    expect((await server.get("/v1/schema", { token: both.access_token })).status).toBe(200);
  });

  test("L-06 revoking a grant before its job runs leaves a failed job and no file", async () => {
    const given = await grant();
    // The earlier jobs keep the runner busy until the grant is revoked.
    const before = await Promise.all(Array.from({ length: 3 }, () => create({ format: "parquet" })));
    const { body } = await create({}, given.access_token);
    await server.call("POST", `/v1/grants/${given.grant_id}/revoke`);
    const done = await finished(body.export_id);
    if (done.status === "failed") expect(done.error).toMatchObject({ code: "grant_revoked" });
    else expect((await download(body.export_id, {}, given.access_token)).status).toBe(403);
    for (const { body: job } of before) await finished(job.export_id);
  });

  test("L-05 a grant cannot fill the disk with exports", async () => {
    const { access_token: token } = await grant();
    for (let n = 0; n < EXPORT.perHolder; n++) expect((await create({ filter: { pages: n } }, token)).status).toBe(202);
    const { status, body } = await create({}, token);
    expect([status, body.error.code, body.error.next_step]).toEqual([
      413,
      "resource_limit",
      expect.stringMatching(/DELETE \/v1\/exports\/job_/),
    ]);
    const id = /job_[\w-]+/.exec(body.error.next_step)![0];
    expect((await server.call("DELETE", `/v1/exports/${id}`, { token })).status).toBe(204);
    expect((await create({}, token)).status).toBe(202);
  });

  test("L-06 no id leads to a file outside the export directory", async () => {
    writeFileSync(join(server.home, "exports", "stray"), "x");
    for (const id of ["..%2f..%2fkey", "stray", "%00", "job_..%2fkey", "job_x", "a".repeat(300)]) {
      const { status } = await server.get(`/v1/exports/${id}/download`);
      expect([400, 404], id).toContain(status);
    }
  });
});
