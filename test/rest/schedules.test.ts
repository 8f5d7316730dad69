// Schedules over HTTP: watched folders, rescanned disks, and their freshness.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Loose, type TestServer, testServer } from "../harness.ts";

let server: TestServer;
let folder: string;
beforeAll(async () => {
  server = await testServer();
  folder = mkdtempSync(join(tmpdir(), "pdpp-watched-"));
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const settled = (): Promise<void> => server.jobs.schedules.idle();
const post = (path: string, body?: unknown) => server.call("POST", path, { body: body ?? {} });
const schedules = async (): Promise<Loose[]> => (await server.get("/v1/schedules")).body.data;
const connection = async (key: string): Promise<Loose> =>
  (await server.get("/v1/connections")).body.data.find((row: Loose) => row.connector_key === key);

const bookmarks = (count: number, from = 0): string =>
  `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<TITLE>Bookmarks</TITLE>\n<DL><p>\n${Array.from(
    { length: count },
    (_, index) => `<DT><A HREF="https://example.org/${from + index}" ADD_DATE="1700000000">page ${from + index}</A>\n`,
  ).join("")}</DL><p>\n`;

describe("a watched folder", () => {
  test("P-05 is checked immediately and whenever it is due; new files are imported once, even if it is run manually", async () => {
    writeFileSync(join(folder, "one.html"), bookmarks(3));
    const before = Date.now();
    const made = await post("/v1/schedules", { folder, every_seconds: 3600 });
    expect(made.status).toBe(201);
    const id = made.body.schedule_id;
    await settled();
    const [first] = await schedules();
    expect(first).toMatchObject({
      schedule_id: id,
      status: "waiting",
      target: { kind: "folder", path: folder },
      last_run: { status: "succeeded", message: "3 records imported" },
      failures: 0,
    });
    expect(Date.parse(first.next_run_at)).toBeGreaterThan(before + 3_500_000);
    writeFileSync(join(folder, "two.html"), bookmarks(2, 100));
    writeFileSync(join(folder, "three.html.part"), bookmarks(2, 200));
    writeFileSync(join(folder, "strange.xyz"), "?");
    expect((await post(`/v1/schedules/${id}/run`)).status).toBe(202);
    await settled();
    expect((await schedules())[0].last_run.message).toBe("2 records imported; no importer can read strange.xyz");
    await post(`/v1/schedules/${id}/run`);
    await settled();
    expect((await schedules())[0].last_run.message).toBe("nothing new");
  });

  test("P-05 a folder has one schedule, which can be changed, paused, run while paused, resumed and removed", async () => {
    const again = await post("/v1/schedules", { folder, cron: "0 6 * * *", time_zone: "Europe/Berlin" });
    const id = again.body.schedule_id;
    await settled();
    expect(await schedules()).toMatchObject([{ schedule_id: id, cron: "0 6 * * *", time_zone: "Europe/Berlin" }]);
    expect((await post(`/v1/schedules/${id}/pause`)).body).toMatchObject({ status: "paused", next_run_at: null });
    const { last_run } = (await schedules())[0];
    await post(`/v1/schedules/${id}/run`);
    await settled();
    const [run] = await schedules();
    expect(run.status).toBe("paused");
    expect(run.last_run.started_at > last_run.started_at).toBe(true);
    expect((await post(`/v1/schedules/${id}/resume`)).body.status).toBe("waiting");
    expect((await server.call("DELETE", `/v1/schedules/${id}`)).body).toMatchObject({ deleted: true });
    expect(await schedules()).toEqual([]);
    expect((await server.get(`/v1/schedules/${id}`)).status).toBe(404);
  });

  test("P-05 a schedule for a missing folder fails with a reason, is retried, and does not block other schedules", async () => {
    mkdirSync(join(folder, "gone"));
    const gone = (await post("/v1/schedules", { folder: join(folder, "gone"), every_seconds: 3600 })).body.schedule_id;
    const good = (await post("/v1/schedules", { folder, every_seconds: 3600 })).body.schedule_id;
    await settled();
    rmSync(join(folder, "gone"), { recursive: true });
    await post(`/v1/schedules/${gone}/run`);
    await settled();
    const found = Object.fromEntries((await schedules()).map((row) => [row.schedule_id, row]));
    expect(found[gone]).toMatchObject({
      failures: 1,
      last_run: { status: "failed", message: expect.stringContaining("does not exist") },
    });
    expect(Date.parse(found[gone].next_run_at) - Date.now()).toBeLessThan(6 * 60_000);
    expect(found[good]).toMatchObject({ failures: 0, last_run: { status: "succeeded" } });
    // Repeated failures do not delay the schedule, so files added later are still imported on time.
    for (let failure = 2; failure < 8; failure++) {
      await post(`/v1/schedules/${gone}/run`);
      await settled();
    }
    const often = (await server.get(`/v1/schedules/${gone}`)).body;
    expect(often.failures).toBe(7);
    expect(Date.parse(often.next_run_at) - Date.now()).toBeLessThan(3_600_000 * 1.1);
    mkdirSync(join(folder, "gone"));
    await post(`/v1/schedules/${gone}/run`);
    await settled();
    expect((await server.get(`/v1/schedules/${gone}`)).body).toMatchObject({ failures: 0 });
    for (const id of [gone, good]) await server.call("DELETE", `/v1/schedules/${id}`);
  });
});

describe("a disk", () => {
  test("P-01 P-05 is rescanned on schedule, and its connection and streams report their freshness to apps too", async () => {
    const disk = join(folder, "disk");
    mkdirSync(disk);
    writeFileSync(join(disk, "a.txt"), "a");
    const lens = await server.files();
    const { connectionId } = await lens.addRoot({ path: disk });
    expect(await connection("files")).toMatchObject({
      freshness: { status: "unknown", checked_at: null },
      health: { verdict: "never_read", next_step: expect.stringContaining("pdpp schedules set") },
    });
    const put = await server.call("PUT", `/v1/connections/${connectionId}/schedule`, { body: { every_seconds: 3600 } });
    expect([put.status, put.body.schedule_id]).toEqual([200, connectionId]);
    await settled();
    expect(await connection("files")).toMatchObject({
      freshness: { status: "current", checked_at: expect.any(String), next_check_at: expect.any(String) },
      health: { verdict: "ok" },
    });
    const { access_token } = await server.grant({
      selections: [{ connection_id: connectionId, stream: "files" }],
      client_name: "Reader",
    });
    const [stream] = (await server.get("/v1/streams", { token: access_token })).body.data;
    expect(stream.freshness).toMatchObject({ status: "current", checked_at: expect.any(String) });
    const [seen] = (await server.get("/v1/connections", { token: access_token })).body.data;
    expect(seen.freshness.status).toBe("current");
    expect(seen.health).toBeUndefined();
    expect((await server.get("/v1/schedules", { token: access_token })).status).toBe(403);
    await server.call("DELETE", `/v1/connections/${connectionId}`);
    expect(await schedules()).toEqual([]);
  });

  test("P-05 an imported connection cannot be scheduled, and an invalid schedule is refused with an explanation", async () => {
    const { connection_id } = await connection("bookmarks").then((row) => row ?? connection("browser-history"));
    const put = (body: object) => server.call("PUT", `/v1/connections/${connection_id}/schedule`, { body });
    expect((await put({ every_seconds: 3600 })).body.error).toMatchObject({
      message: expect.stringContaining("cannot be scheduled"),
      next_step: expect.stringContaining("pdpp schedules watch"),
    });
    expect((await post("/v1/schedules", { folder, every_seconds: 5 })).status).toBe(400);
    expect((await post("/v1/schedules", { folder, cron: "* * *" })).body.error.param).toBe("cron");
    expect((await post("/v1/schedules", { folder: "Exports", every_seconds: 60 })).body.error.code).toBe(
      "invalid_path",
    );
    expect((await post("/v1/schedules", { folder: "/nope", every_seconds: 60 })).body.error).toMatchObject({
      code: "invalid_path",
      message: 'the folder "/nope" does not exist',
      next_step: "Create the folder first, or correct its path.",
    });
    expect((await post("/v1/schedules", { folder })).body.error.next_step).toContain("every_seconds");
    expect(
      (await server.call("PUT", "/v1/connections/cin_none/schedule", { body: { every_seconds: 60 } })).status,
    ).toBe(404);
  });
});
