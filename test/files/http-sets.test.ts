// Jobs, selections and saved queries over /api.
import { unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tryLockHome } from "../../src/engine/home-lock.ts";
import { until } from "../events/receiver.ts";
import type { Loose } from "../harness.ts";
import { apiWorld, BASE, csv } from "./api.ts";

const it = apiWorld();

describe("S-10 jobs", () => {
  test("S-05 S-10 a scan's progress is streamed as server-sent events, only under grants for its root", async () => {
    const { jobId, statusUrl } = await it.ok("POST", "/api/indexes", {
      body: { root: "root2", depthLimit: 3, followSymlinks: true, ignore: ["*.tmp"], verify: true },
    });
    expect(statusUrl).toBe(`${it.server.url}/api/jobs/${jobId}`);
    const response = await fetch(statusUrl, {
      headers: { Authorization: `Bearer ${it.server.owner}`, Accept: "text/event-stream" },
    });
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const events = (await response.text()).split("\n\n").filter((event) => event !== "");
    expect(events.at(-1)).toMatch(/^event: end\ndata: \{/);
    const last = JSON.parse(events.at(-1)!.split("data: ")[1]!);
    expect(last).toMatchObject({ jobId, kind: "index", status: "succeeded", statusUrl });
    expect(await it.get(`/api/jobs/${jobId}`, { token: it.server.owner })).toEqual(last);
    await it.follow(last.links.index, { token: it.server.owner });
    for (const verb of ["pause", "resume", "cancel"]) {
      const path = `/api/jobs/${jobId}/${verb}`;
      const [status, code, next] = await it.refused("POST", path, { token: it.server.owner });
      expect([verb, status, code]).toEqual([verb, 400, "invalid_request"]);
      expect(next).toContain("again");
      expect((await it.refused("POST", path)).slice(0, 2)).toEqual([404, "not_found"]);
    }
    expect((await it.refused("GET", `/api/jobs/${jobId}`)).slice(0, 2)).toEqual([404, "not_found"]);
    expect((await it.refused("GET", "/api/jobs/job_none")).slice(0, 2)).toEqual([404, "not_found"]);
    const mine = (await it.get(`${BASE}/scans`)).scans[0].jobId;
    expect((await it.get(`/api/jobs/${mine}`, { token: it.looker })).indexId).toBe("ix1");
    expect((await it.refused("POST", `/api/jobs/${mine}/cancel`, { token: it.looker }))[1]).toBe("insufficient_scope");
    expect(await it.refused("POST", "/api/jobs/job_none/pause")).toEqual([
      404,
      "not_found",
      expect.stringContaining("POST /api/indexes"),
    ]);
  });

  test("S-10 jobs can be paused, resumed and cancelled", async () => {
    const start = async (depthLimit: number): Promise<string> =>
      (await it.ok("POST", "/api/indexes", { token: it.app, body: { root: it.tree, depthLimit } })).jobId;
    const control = async (jobId: string, verb: string): Promise<string> =>
      (await it.ok("POST", `/api/jobs/${jobId}/${verb}`, { token: it.app })).status;
    // Simulates a scan by another process, so that no job ends before it has been paused.
    const scanning = await until(() => tryLockHome(join(it.home, "files")));
    const first = await start(2);
    expect(await control(first, "pause")).toBe("paused");
    // This job is queued behind the paused one.
    const second = await start(3);
    expect(await control(second, "pause")).toBe("paused");
    expect(await control(second, "cancel")).toBe("cancelled");
    expect(["queued", "running"]).toContain(await control(first, "resume"));
    scanning!.release();
    expect((await it.ended(first)).status).toBe("succeeded");
    expect((await it.get(`/api/jobs/${second}`)).status).toBe("cancelled");
  });

  test("S-13 a call without the required power is refused, and nothing starts", async () => {
    const indexes = (await it.server.get("/api/indexes")).body.indexes.length;
    for (const [path, body] of [
      ["/api/indexes", { root: it.tree, depthLimit: 9 }],
      [`${BASE}/scans`, {}],
      [`${BASE}/digests`, {}],
      ["/api/resource-sets", { name: "x", indexId: "ix1" }],
      ["/api/queries", { indexId: "ix1", filter: { name: "*" } }],
    ] as const) {
      const [status, code, next] = await it.refused("POST", path, { token: it.looker, body });
      expect([path, status, code]).toEqual([path, 403, "insufficient_scope"]);
      expect(next).toContain("pdpp grants issue --files --may");
    }
    expect((await it.refused("POST", "/api/indexes", { body: { root: it.other } })).slice(0, 2)).toEqual([
      404,
      "root_not_allowed",
    ]);
    expect((await it.refused("POST", "/api/indexes", { body: { root: "/etc" } }))[2]).toContain("GET /api/roots");
    expect((await it.server.get("/api/indexes")).body.indexes).toHaveLength(indexes);
  });
});

describe("S-10 selections and queries", () => {
  test("S-10 selections can be created, combined, edited atomically, paged and exported; deleted members are marked", async () => {
    const { entries } = await it.get(`${BASE}/find`, { query: { filter: '{"name":"IMG_000?.jpg"}', limit: 20 } });
    const ids: string[] = entries.map(({ nodeId }: Loose) => nodeId);
    const make = (body: object): Promise<Loose> => it.ok("POST", "/api/resource-sets", { token: it.app, body });
    const one = await make({ name: "one", nodeIds: ids.slice(0, 10) });
    const two = await make({ name: "two", nodeIds: ids.slice(5, 15) });
    expect(one).toMatchObject({
      indexId: "ix1",
      counts: { entries: 10 },
      link: `${it.server.url}/api/resource-sets/${one.selectionId}`,
    });
    const both = { selectionIds: [one.selectionId, two.selectionId] };
    for (const [combine, count] of [
      ["union", 15],
      ["intersection", 5],
      ["difference", 5],
    ] as const)
      expect((await make({ name: combine, combine, ...both })).counts.entries).toBe(count);
    const path = `/api/resource-sets/${one.selectionId}`;
    const changed = await it.ok("PATCH", path, {
      token: it.app,
      body: { add: ids.slice(10, 12), remove: ids.slice(0, 3), name: "changed" },
    });
    expect([changed.name, changed.counts.entries]).toEqual(["changed", 9]);
    expect(await it.get(path)).toEqual(changed);
    // An edit applies completely or not at all.
    expect(
      (await it.refused("PATCH", path, { body: { add: [ids[13], "n1-999999"], name: "never" } })).slice(0, 2),
    ).toEqual([404, "node_not_found"]);
    expect((await it.get(path)).name).toBe("changed");
    const page = await it.get(`${path}/entries`, { query: { limit: 4 } });
    expect(page).toMatchObject({ total: 9, name: "changed" });
    const next = await it.follow(page.nextPageUrl);
    expect(new Set([...page.entries, ...next.entries].map(({ nodeId }: Loose) => nodeId)).size).toBe(8);
    expect(
      (
        await it.refused("GET", `/api/resource-sets/${two.selectionId}/entries`, { query: { cursor: page.nextCursor } })
      )[1],
    ).toBe("invalid_cursor");
    const gone = join(it.tree, "photos", "gone.jpg");
    writeFileSync(gone, "soon");
    await it.rescan();
    const { nodeId } = await it.nodeNamed("gone.jpg", "photos");
    await it.ok("PATCH", path, { token: it.app, body: { add: [nodeId] } });
    unlinkSync(gone);
    await it.rescan();
    const left = (await it.get(`${path}/entries`)).entries.find((entry: Loose) => entry.nodeId === nodeId);
    expect(left).toEqual({ nodeId, kind: "file", size: 4, missing: true });
    const rows = csv((await it.server.call("GET", `${path}/entries?format=csv`, { token: it.app })).text);
    expect(rows.map(({ missing }) => missing).sort()).toEqual([...Array(9).fill("false"), "true"]);
    const listed = await it.get("/api/resource-sets", { query: { limit: 2 } });
    expect(listed.sets).toHaveLength(2);
    expect((await it.follow(listed.nextPageUrl)).sets).toHaveLength(2);
    // Another app's selections do not exist for this app.
    expect((await it.get("/api/resource-sets", { token: it.server.owner })).sets).toEqual([]);
    expect(await it.refused("GET", path, { token: it.looker })).toEqual([
      404,
      "not_found",
      expect.stringContaining("GET /api/resource-sets"),
    ]);
    expect(await it.ok("DELETE", path, { token: it.app })).toEqual({ selectionId: one.selectionId, deleted: true });
    expect((await it.refused("GET", path))[1]).toBe("not_found");
    for (const body of [{ name: "x" }, { name: "x", combine: "union" }, { name: "x", ...both }, { nodeIds: [] }])
      expect((await it.refused("POST", "/api/resource-sets", { body })).slice(0, 2)).toEqual([400, "invalid_request"]);
  });

  test("S-10 S-11 queries can be saved, read, explained, run again and deleted", async () => {
    const filter = { and: [{ name: "*.jpg" }, { size: { min: 200 } }] };
    const made = await it.ok("POST", "/api/queries", {
      token: it.app,
      body: { indexId: "ix1", filter, name: "big photos" },
    });
    expect(made.report.sample).toHaveLength(10);
    const path = `/api/queries/${made.queryId}`;
    expect(await it.get(path)).toMatchObject({
      name: "big photos",
      indexId: "ix1",
      filter,
      selectionId: made.selectionId,
      link: it.server.url + path,
    });
    expect((await it.get("/api/queries")).queries[0]).toMatchObject({
      queryId: made.queryId,
      runUrl: `${it.server.url}${path}/run`,
    });
    expect(await it.get(`${path}?format=explain`)).toMatchObject({ explains: `query ${made.queryId}`, filter });
    expect(await it.ok("POST", `${path}/run?format=explain`, { token: it.app })).toMatchObject({ reads: "columns" });
    expect(await it.ok("POST", `${path}/run`, { token: it.app })).toMatchObject({ selectionId: made.selectionId });
    expect((await it.get(`/api/resource-sets/${made.selectionId}/entries`)).total).toBe(made.report.matches);
    expect((await it.refused("GET", path, { token: it.looker }))[2]).toContain("GET /api/queries");
    expect(await it.ok("DELETE", path, { token: it.app })).toEqual({ queryId: made.queryId, deleted: true });
    expect((await it.refused("POST", `${path}/run`))[1]).toBe("not_found");
  });
});
