// P-05 over HTTP: imports are uploaded in parts, planned, run, paused, resumed, cancelled and undone, and jobs send
// events.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { zipOf } from "../../src/collect/archive/archives.fixture.ts";
import { type Loose, newHome, type TestServer, testServer } from "../harness.ts";

const bookmarks = (count: number, from = 0): string =>
  [
    "<!DOCTYPE NETSCAPE-Bookmark-file-1>",
    ...Array.from(
      { length: count },
      (_, n) =>
        `<DT><A HREF="https://example.org/${from + n}" ADD_DATE="1700000000">Page ${from + n} ${"x".repeat(200)}</A>`,
    ),
  ].join("\n");

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const create = async (name: string, size: number, import_id?: string, at = server): Promise<Loose> => {
  const { status, body } = await at.call("POST", "/v1/imports", {
    body: { name, size, ...(import_id === undefined ? {} : { import_id }) },
  });
  expect(status).toBe(201);
  return body;
};

async function patch(url: string, offset: number | undefined, body: string | Buffer, at = server) {
  const response = await fetch(at.url + url, {
    method: "PATCH",
    headers: {
      Authorization: `Bearer ${at.owner}`,
      ...(offset === undefined ? {} : { "Upload-Offset": String(offset) }),
    },
    body: body as string,
  });
  const text = await response.text();
  return {
    status: response.status,
    offset: response.headers.get("upload-offset"),
    error: text && JSON.parse(text).error,
  };
}

async function send(name: string, content: string | Buffer, import_id?: string, at = server): Promise<string> {
  const bytes = Buffer.from(content as string);
  const upload = await create(name, bytes.length, import_id, at);
  expect(await patch(upload.upload_url, 0, bytes, at)).toMatchObject({ status: 204, offset: String(bytes.length) });
  return upload.import_id;
}

const post = (path: string, body?: object, at = server) => at.call("POST", path, body === undefined ? {} : { body });

async function until(id: string, good: (job: Loose) => boolean, at = server): Promise<Loose> {
  for (;;) {
    const { body } = await at.get(`/v1/imports/${id}`);
    if (good(body)) return body;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const ended = (job: Loose): boolean => ["succeeded", "failed", "cancelled"].includes(job.status);

describe("P-05 an import over HTTP", () => {
  test("P-05 accepts several files, plans them, runs, reports, and leaves no uploaded file behind", async () => {
    const id = await send("Bookmarks.html", bookmarks(10));
    await send("more.zip", zipOf([{ name: "other.html", content: bookmarks(5, 100) }]), id);
    await send("empty.html", "", id);
    expect((await server.get(`/v1/imports/${id}`)).body).toMatchObject({ status: "open", imports: [] });
    const plan = await post(`/v1/imports/${id}/plan`, {});
    expect(plan.body.groups).toMatchObject([
      { importer: "bookmarks", name: "Bookmarks.html", files: 1 },
      { importer: "bookmarks", name: "more", files: 1 },
    ]);
    const run = await post(`/v1/imports/${id}/run`, { as: "Browser" });
    expect([run.status, run.body.object]).toEqual([202, "import_request"]);
    const done = await until(id, ended);
    expect(done.status).toBe("succeeded");
    expect(done.imports.map((job: Loose) => [job.name, job.progress.counts.imported])).toEqual([
      ["Bookmarks.html", 10],
      ["more", 5],
    ]);
    const names = (await server.get("/v1/connections")).body.data.map((one: Loose) => one.display_name);
    expect(names).toEqual(["Browser"]);
    const listed = (await server.get("/v1/imports")).body.data;
    expect(listed.map((job: Loose) => job.import_id).sort()).toEqual(
      done.imports.map((job: Loose) => job.import_id).sort(),
    );
    const { provenance } = (await server.get("/v1/streams/bookmarks/records?limit=1")).body.data[0];
    expect(provenance.file).toMatch(/^(Bookmarks\.html|more)$/);
    await server.jobs.imports.idle();
    expect(readdirSync(join(server.home, "uploads"))).toEqual([]);
    const undone = await post(`/v1/imports/${id}/undo`);
    expect(undone.body).toMatchObject({ object: "import_undone", records_removed: 15 });
  });

  test("P-05 an interrupted upload resumes after the received bytes and is refused at any other offset", async () => {
    const text = bookmarks(20);
    const upload = await create("b.html", text.length);
    expect(upload).toMatchObject({ object: "import_upload", offset: 0, size: text.length });
    const url = upload.upload_url;
    expect(await patch(url, undefined, "x")).toMatchObject({ status: 400, error: { param: "Upload-Offset" } });
    expect(await patch(url, 0, text.slice(0, 100))).toMatchObject({ status: 204, offset: "100" });
    expect(await patch(url, 0, text)).toMatchObject({
      status: 409,
      error: { next_step: expect.stringContaining("Upload-Offset: 100") },
    });
    const head = await fetch(server.url + url, {
      method: "HEAD",
      headers: { Authorization: `Bearer ${server.owner}` },
    });
    expect([head.headers.get("upload-offset"), head.headers.get("upload-length")]).toEqual([
      "100",
      String(text.length),
    ]);
    expect((await server.get(url)).body.offset).toBe(100);
    const early = await post(`/v1/imports/${upload.import_id}/run`, {});
    expect(early.status).toBe(400);
    expect(early.body.error.message).toContain(`100 of ${text.length} bytes of `);
    expect(await patch(url, 100, `${text.slice(100)}too much`)).toMatchObject({ status: 413 });
    const { offset } = (await server.get(url)).body;
    if (offset < text.length) expect(await patch(url, offset, text.slice(offset))).toMatchObject({ status: 204 });
    expect((await post(`/v1/imports/${upload.import_id}/run`, {})).status).toBe(202);
    expect((await until(upload.import_id, ended)).imports[0].progress.counts).toMatchObject({ imported: 20 });
    expect(await patch(url, text.length, "")).toMatchObject({ status: 409 });
  });

  test("P-05 stops when paused, continues when resumed, and ends when cancelled", async () => {
    const id = await send("large.html", bookmarks(15_000, 1000));
    await post(`/v1/imports/${id}/run`, {});
    await until(id, (job) => job.status === "running");
    const paused = await post(`/v1/imports/${id}/pause`);
    expect([paused.status, paused.body.status]).toEqual([200, "paused"]);
    expect((await post(`/v1/imports/${id}/pause`)).status).toBe(400);
    await server.jobs.imports.idle();
    expect((await server.get(`/v1/imports/${id}`)).body.status).toBe("paused");
    expect((await post(`/v1/imports/${id}/resume`)).status).toBe(200);
    const done = await until(id, ended);
    expect(done.imports[0].progress.counts).toMatchObject({ imported: 15_000, unchanged: 0 });
    const other = await send("another.html", bookmarks(3));
    expect((await post(`/v1/imports/${other}/cancel`)).body.status).toBe("cancelled");
    await server.jobs.imports.idle();
    expect(existsSync(join(server.home, "uploads", other))).toBe(false);
    expect((await post(`/v1/imports/${other}/run`, {})).status).toBe(409);
  });

  test("P-05 completes even if it is resumed before the pause takes effect", async () => {
    const id = await send("hasty.html", bookmarks(15_000, 4_000_000));
    await post(`/v1/imports/${id}/run`, {});
    await until(id, (job) => job.imports.length > 0);
    await post(`/v1/imports/${id}/pause`);
    expect((await post(`/v1/imports/${id}/resume`)).body.status).toBe("queued");
    expect(await until(id, (job) => job.status !== "queued" && job.status !== "running")).toMatchObject({
      status: "succeeded",
      imports: [{ progress: { counts: { imported: 15_000 } } }],
    });
  });

  test("P-05 reports the running import, its expected count, and how many records an undo removed", async () => {
    const id = await send("one.html", bookmarks(200, 500_000));
    await send("two.html", bookmarks(5, 900_000), id);
    await post(`/v1/imports/${id}/run`, {});
    const running = await until(id, (job) => job.imports.length > 0);
    expect(running.imports[0]).toMatchObject({ name: "one.html", progress: { total_bytes: expect.any(Number) } });
    const done = await until(id, ended);
    expect([done.parts, done.imports.map(({ name }: Loose) => name)]).toEqual([2, ["one.html", "two.html"]]);
    const [, two] = done.imports;
    await post(`/v1/imports/${two.import_id}/undo`);
    const undone = (await server.get(`/v1/imports/${two.import_id}`)).body.progress.undone;
    expect(undone).toMatchObject({ records_removed: 5, records_kept: 0 });
    expect((await post(`/v1/imports/${id}/undo`)).body.records_removed).toBe(200);
    // A second undo reports the number that the first one removed.
    expect((await server.get(`/v1/imports/${two.import_id}`)).body.progress.undone).toEqual(undone);
  });

  test("P-05 cancelling a paused import also cancels the parts that have started, which can then be undone", async () => {
    const id = await send("begun.html", bookmarks(40_000, 2_000_000));
    await post(`/v1/imports/${id}/run`, {});
    await until(id, (job) => job.imports[0]?.progress.counts.imported > 0);
    await post(`/v1/imports/${id}/pause`);
    await server.jobs.imports.idle();
    await post(`/v1/imports/${id}/cancel`);
    const { imports } = (await server.get(`/v1/imports/${id}`)).body;
    expect(imports).toMatchObject([{ status: "cancelled" }]);
    const { records_removed } = (await post(`/v1/imports/${id}/undo`)).body;
    expect(records_removed).toBe(imports[0].progress.counts.imported);
  });

  test("P-05 reads the files once for repeated plan requests, and again after more files are added", async () => {
    const id = await send("looked.html", bookmarks(3, 3_000_000));
    const [first, second] = await Promise.all([post(`/v1/imports/${id}/plan`, {}), post(`/v1/imports/${id}/plan`, {})]);
    expect(second.body).toEqual(first.body);
    await send("more.html", bookmarks(3, 3_100_000), id);
    expect((await post(`/v1/imports/${id}/plan`, {})).body.groups.length).toBe(2);
    await post(`/v1/imports/${id}/cancel`);
  });

  test("P-05 a file of an unknown format is skipped with a reason", async () => {
    const id = await send("thing.xyz", "???");
    await post(`/v1/imports/${id}/run`, {});
    expect(await until(id, ended)).toMatchObject({
      status: "succeeded",
      imports: [],
      left_out: [{ path: "thing.xyz", reason: "no importer supports this format" }],
    });
  });

  test("P-05 only the owner can see or start an import", async () => {
    const connection_id = (await server.get("/v1/connections")).body.data[0].connection_id;
    const { access_token: token } = await server.grant({ selections: [{ connection_id, stream: "bookmarks" }] });
    const id = await send("b.html", bookmarks(1));
    for (const [method, path, body] of [
      ["POST", "/v1/imports", { name: "x", size: 1 }],
      ["GET", "/v1/imports", undefined],
      ["GET", `/v1/imports/${id}`, undefined],
      ["POST", `/v1/imports/${id}/plan`, {}],
      ["POST", `/v1/imports/${id}/run`, {}],
      ["POST", `/v1/imports/${id}/cancel`, undefined],
    ] as const) {
      expect((await server.call(method, path, { token, body })).status, `${method} ${path}`).toBe(403);
    }
    expect((await server.get(`/api/jobs/${id}`, { token })).status).toBe(404);
    expect((await server.get("/v1/imports/job_unknown")).status).toBe(404);
    expect((await server.call("GET", "/v1/imports/uploads/..%2f..%2fkey")).status).toBe(404);
  });

  test("P-05 refuses more bytes than its disk limit, and files that were not announced", async () => {
    const { status, body } = await post("/v1/imports", { name: "huge", size: 100 * 1024 ** 3 });
    expect([status, body.error.code]).toEqual([507, "storage_full"]);
    expect((await post("/v1/imports", { name: "x", size: 1, import_id: "job_none" })).status).toBe(404);
  });
});

describe("GET /api/jobs/{id}", () => {
  const events = async (id: string, token = server.owner): Promise<{ event: string; data: Loose }[]> => {
    const response = await fetch(`${server.url}/api/jobs/${id}`, {
      headers: { Authorization: `Bearer ${token}`, Accept: "text/event-stream" },
    });
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    return (await response.text())
      .split("\n\n")
      .filter((part) => part.startsWith("event"))
      .map((part) => {
        const [event, data] = part.split("\n");
        return { event: event!.slice(7), data: JSON.parse(data!.slice(6)) };
      });
  };

  test("P-05 streams an import's progress as events until it ends", async () => {
    const id = await send("events.html", bookmarks(2000, 100_000));
    await post(`/v1/imports/${id}/run`, {});
    const told = await events(id);
    expect(told.at(-1)).toMatchObject({ event: "end", data: { import_id: id, status: "succeeded" } });
    expect(told.slice(0, -1).every(({ event }) => event === "progress")).toBe(true);
    const { import_id } = told.at(-1)!.data.imports[0];
    expect((await server.get(`/api/jobs/${import_id}`)).body).toMatchObject({ object: "import", import_id });
  });

  test("L-13 streams an export's progress to the app that started it and to the owner", async () => {
    const connection_id = (await server.get("/v1/connections")).body.data[0].connection_id;
    const { access_token: token } = await server.grant({ selections: [{ connection_id, stream: "bookmarks" }] });
    const { access_token: other } = await server.grant({ selections: [{ connection_id, stream: "bookmarks" }] });
    const made = await server.call("POST", "/v1/exports", { token, body: { stream: "bookmarks" } });
    const id = made.body.export_id;
    expect((await events(id, token)).at(-1)).toMatchObject({ event: "end", data: { export_id: id } });
    expect((await server.get(`/api/jobs/${id}`)).body.export_id).toBe(id);
    expect((await server.get(`/api/jobs/${id}`, { token: other })).status).toBe(404);
  });
});

describe("a restarted server", () => {
  test("P-05 continues each of its imports once", async () => {
    const home = newHome();
    let running = await testServer({ home });
    const id = await send("large.html", bookmarks(15_000), undefined, running);
    await send("second.html", bookmarks(10, 90_000), id, running);
    await post(`/v1/imports/${id}/run`, {}, running);
    await until(id, (job) => job.status === "running", running);
    await running.close();
    running = await testServer({ home });
    const done = await until(id, ended, running);
    expect(done.status).toBe("succeeded");
    expect(done.imports.map((job: Loose) => job.progress.counts.imported)).toEqual([15_000, 10]);
    expect((await running.get("/v1/imports")).body.data).toHaveLength(2);
    await running.close();
  });
});
