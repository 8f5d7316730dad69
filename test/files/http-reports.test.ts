// Searches, reports and list exports over /api, and the log lines they write.
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { filesHttpHandler } from "../../src/surfaces/files/http.ts";
import { activity } from "../files-authority.ts";
import type { Answer, Loose } from "../harness.ts";
import { apiWorld, BASE, COPY, csv, names } from "./api.ts";
import { PHOTOS_PER_YEAR, YEARS } from "./tree.ts";

const it = apiWorld();

describe("S-10 searches and reports", () => {
  const photos = { and: [{ name: "*.jpg" }, { modified: { after: "2019-01-01", before: "2020-01-01" } }] };

  test("S-10 find accepts a filter in the URL or the body, counts all matches and returns them in pages", async () => {
    const query = { filter: JSON.stringify(photos), order: "size", limit: 10 };
    const first = await it.get(`${BASE}/find`, { query });
    expect(first.matches).toMatchObject({ nodes: PHOTOS_PER_YEAR, files: PHOTOS_PER_YEAR });
    expect(first.entries[0]).toMatchObject({ name: "IMG_0024.jpg", path: `${it.tree}/photos/2019/IMG_0024.jpg` });
    const asked = await it.ok("POST", `${BASE}/find`, {
      token: it.app,
      body: { filter: photos, order: "size", limit: 10 },
    });
    expect(asked.entries).toEqual(first.entries);
    const second = await it.follow(asked.nextPageUrl);
    const { nextPageUrl: _url, ...same } = await it.follow(first.nextPageUrl);
    expect(second).toMatchObject(same);
    expect(second.entries[0].name).toBe("IMG_0014.jpg");
    const letters = (await it.get(`${BASE}/tree`)).entries.find(({ name }: Loose) => name === "letters");
    expect(
      (await it.get(`${BASE}/find`, { query: { under: letters.nodeId, filter: '{"name":"*.jpg"}' } })).matches.nodes,
    ).toBe(0);
  });

  test("S-10 invalid, deep or exponential filters are refused, and the error shows the position", async () => {
    const deep = (depth: number): object => (depth === 0 ? { name: "x" } : { not: deep(depth - 1) });
    for (const [filter, param] of [
      [{ size: { minimum: 3 } }, "filter.size"],
      [{ and: [{ name: "a" }, { size: {} }] }, "filter.and[1].size"],
      [{ name: "a", kind: "file" }, "filter"],
      [{ regex: "(a+)+$" }, "filter"],
      [{ duplicate: "yes" }, "filter.duplicate"],
      [{ kind: "file", caseSensitive: true }, "filter"],
      [deep(30), expect.stringContaining("filter")],
      [{ or: Array.from({ length: 300 }, () => ({ name: "x" })) }, expect.stringContaining("filter")],
      ["text", expect.anything()],
    ] as const) {
      const { status, body } = await it.server.call("POST", `${BASE}/find`, { token: it.app, body: { filter } });
      expect([status, body.error.param]).toEqual([400, param]);
      expect(body.error.next_step).toBeTruthy();
    }
    expect((await it.refused("GET", `${BASE}/find?filter=%7Bnot-json`)).slice(0, 2)).toEqual([400, "invalid_filter"]);
    const stars = { name: `${"*a".repeat(100)}b` };
    expect((await it.ok("POST", `${BASE}/find`, { token: it.app, body: { filter: stars } })).matches.nodes).toBe(0);
  });

  test("S-10 the reports are largest, oldest, newest, types, ages, problems and scans", async () => {
    const report = (name: string, query: Loose = {}): Promise<Loose> => it.get(`${BASE}/reports/${name}`, { query });
    const largest = await report("largest", { limit: 2 });
    expect(names(largest.entries)).toEqual(["greeting.md", "copy-1.dat"]);
    expect(names((await it.follow(largest.nextPageUrl)).entries)[0]).toBe("copy-2.dat");
    expect(names((await report("largest-dirs")).entries).slice(0, 2)).toEqual(
      ["photos", "letters"].sort((one) => (one === "letters" ? -1 : 1)),
    );
    expect((await report("oldest", { limit: 1 })).entries[0].path).toContain("/photos/2015/");
    expect((await report("newest", { limit: 1 })).entries[0].path).toContain("/letters/");
    const { types } = await report("types");
    expect(types.find(({ type }: Loose) => type === "image/jpeg").files).toBe(YEARS.length * PHOTOS_PER_YEAR);
    const { ages } = await report("ages", { filter: '{"name":"*.jpg"}' });
    expect(ages.reduce((sum: number, { files }: Loose) => sum + files, 0)).toBe(YEARS.length * PHOTOS_PER_YEAR);
    expect(await report("problems")).toMatchObject({ problems: [] });
    expect((await it.get(`${BASE}/scans`)).scans.at(-1)).toMatchObject({ scan: 1, mode: "first" });
    expect(await it.refused("GET", `${BASE}/reports/heaviest`)).toEqual([
      404,
      "not_found",
      expect.stringContaining("largest-dirs"),
    ]);
  });

  test("S-10 duplicates are found by a job that reads file contents", async () => {
    const started = await it.ok("POST", `${BASE}/digests`, { token: it.app, body: { minSize: 100 } });
    await it.ended(started.jobId);
    expect(await it.get(`/api/jobs/${started.jobId}`)).toMatchObject({ kind: "digest", status: "succeeded" });
    const { groups, total } = await it.get(`${BASE}/reports/duplicates`);
    expect(total).toMatchObject({ groups: 1, wasted: 12_000 });
    expect(names(groups[0].files)).toEqual(["copy-1.dat", "copy-2.dat"]);
    const sha256 = createHash("sha256").update(COPY).digest("hex");
    expect(groups[0].sha256).toBe(sha256);
    expect((await it.get(`${BASE}/nodes/${groups[0].files[0].nodeId}/detail`)).digest).toBe(`sha256:${sha256}`);
    const rows = csv((await it.server.call("GET", `${BASE}/reports/duplicates?format=csv`, { token: it.app })).text);
    expect(rows.map(({ name, sha256: one }) => [name, one])).toEqual([
      ["copy-1.dat", sha256],
      ["copy-2.dat", sha256],
    ]);
  });

  test("S-10 S-15 growth compares the last two scans unless others are given", async () => {
    const before = (await it.get(`${BASE}/scans`)).scans[0].scan;
    mkdirSync(join(it.tree, "grown"));
    writeFileSync(join(it.tree, "grown", "big.bin"), Buffer.alloc(50_000));
    await it.rescan();
    const grown = await it.get(`${BASE}/reports/growth`);
    expect(grown).toMatchObject({ from: { scan: before }, to: { scan: before + 1 }, growth: 50_000 });
    const named = grown.dirs.find(({ path }: Loose) => path === `${it.tree}/grown`);
    expect(named).toMatchObject({ growth: 50_000, after: { size: 50_000 } });
    expect((await it.follow(named.link)).entries[0].name).toBe("big.bin");
    expect((await it.get(`${BASE}/reports/growth`, { query: { from: before, to: before } })).growth).toBe(0);
    expect((await it.refused("GET", `${BASE}/reports/growth?from=77`))[2]).toContain("Compare two of its scans");
  });

  test("S-11 format=explain returns the plan and the filter without running them", async () => {
    const filter = { and: [{ path: "**/x" }, { name: "*.jpg" }, { size: { min: 1 } }] };
    const told = await it.ok("POST", `${BASE}/find?format=explain`, { token: it.app, body: { filter, order: "size" } });
    expect(told).toMatchObject({ explains: "find", reads: "columns", filter, order: "size", descending: true });
    expect(told.plan.steps.map(({ operator }: Loose) => operator)).toEqual(["size", "name", "path"]);
    expect(told.filterSummary).toBe("path **/x and name *.jpg and size from 1");
    expect(told).not.toHaveProperty("entries");
    for (const name of [
      "largest",
      "largest-dirs",
      "oldest",
      "newest",
      "types",
      "ages",
      "duplicates",
      "growth",
      "problems",
    ]) {
      const one = await it.get(`${BASE}/reports/${name}?format=explain`);
      expect(one.explains).toBe(`reports/${name}`);
      expect(one.steps.length).toBeGreaterThan(0);
      expect(one.nodes).toBeGreaterThan(100);
    }
    expect((await it.refused("GET", `${BASE}/reports/oldest?format=explain&under=n9-1`))[1]).toBe("node_not_found");
    expect((await it.refused("GET", `${BASE}/find?format=explain&filter=%7B%22x%22:1%7D`))[1]).toBe("invalid_filter");
    const made = await it.ok("POST", "/api/queries?format=explain", {
      token: it.app,
      body: { indexId: "ix1", filter },
    });
    expect(made).toMatchObject({ explains: "query", filter });
    expect((await it.get("/api/queries")).queries).toEqual([]);
  });

  test("S-10 lists are exported completely as CSV and JSON Lines, and the log says how much was sent", async () => {
    const asked = (path: string, query: Loose, id = "export"): Promise<Answer> =>
      it.server.call("GET", path, { token: it.app, query, headers: { "Request-Id": id } });
    const filter = JSON.stringify({ name: "*.jpg" });
    const count = YEARS.length * PHOTOS_PER_YEAR;
    const found = await asked(`${BASE}/find`, { filter, format: "csv" }, "export-find");
    expect(found.headers.get("content-type")).toContain("text/csv");
    expect(found.headers.get("content-disposition")).toBe('attachment; filename="ix1-find.csv"');
    expect(new Set(csv(found.text).map(({ path }) => path)).size).toBe(count);
    const [served, begun] = await activity(it.server, { request_id: "export-find" });
    expect([begun.action, begun.bytes, served.action, served.records, served.bytes]).toEqual([
      "files.find",
      0,
      "files.served",
      count,
      Buffer.byteLength(found.text),
    ]);
    for (const [path, query, rows] of [
      [`${BASE}/find`, { filter, order: "size" }, count],
      [`${BASE}/find`, { filter, order: "size", limit: 7 }, 7],
      [`${BASE}/tree`, {}, 3],
      [`${BASE}/reports/largest`, {}, undefined],
      [`${BASE}/reports/largest-dirs`, { limit: 3 }, 3],
      [`${BASE}/reports/oldest`, { limit: 5 }, 5],
      [`${BASE}/reports/newest`, {}, undefined],
      [`${BASE}/reports/types`, {}, undefined],
      [`${BASE}/reports/ages`, {}, 10],
      [`${BASE}/reports/growth`, {}, undefined],
      [`${BASE}/reports/problems`, {}, 0],
      [`${BASE}/scans`, {}, undefined],
    ] as const) {
      const { status, text } = await asked(path, { ...query, format: "jsonl" });
      const lines = text === "" ? [] : text.trimEnd().split("\n");
      expect([path, status, lines.map((line) => typeof JSON.parse(line))]).toEqual([
        path,
        200,
        Array(rows ?? lines.length).fill("object"),
      ]);
      const table = await asked(path, { ...query, format: "csv" });
      expect(csv(table.text)).toHaveLength(lines.length);
    }
    for (let time = 0; time < 6; time++) {
      const head = await it.server.call("HEAD", `${BASE}/tree?format=csv`, { token: it.app });
      expect([head.status, head.headers.get("content-disposition")]).toEqual([
        200,
        'attachment; filename="ix1-tree.csv"',
      ]);
    }
    const posted = await it.server.call("POST", `${BASE}/find?format=jsonl`, {
      token: it.app,
      body: { filter: { name: "*.jpg" } },
    });
    expect(posted.text.trimEnd().split("\n")).toHaveLength(count);
    const sized = csv((await asked(`${BASE}/find`, { filter, order: "size", format: "csv" })).text).map(({ size }) =>
      Number(size),
    );
    expect(sized).toEqual([...sized].sort((one, two) => two - one));
    const { nextCursor } = await it.get(`${BASE}/tree`, { query: { limit: 1 } });
    expect((await it.refused("GET", `${BASE}/tree?format=csv&cursor=${nextCursor}`))[2]).toContain("Omit cursor");
    expect((await it.refused("GET", `${BASE}/tree?format=xml`)).slice(0, 2)).toEqual([400, "invalid_request"]);
    expect((await it.refused("GET", `${BASE}/tree?format=explain`)).slice(0, 2)).toEqual([400, "invalid_request"]);
  });

  test("S-13 a list export ends as soon as its grant is revoked, and the log says how much was sent", async () => {
    const many = mkdtempSync(join(tmpdir(), "pdpp-many-"));
    for (let n = 0; n < 2500; n++) writeFileSync(join(many, `file-${n}`), "");
    const lens = await it.server.files();
    const { rootId } = await lens.addRoot({ path: many });
    const { jobId, indexId } = await lens.files.index({ rootId });
    await lens.files.jobEnded(jobId);
    const { access_token, grants } = await it.server.grant({ files: { roots: [many] } });
    const ask = (id: string): Promise<Response> => {
      const url = new URL(`${it.server.url}/api/indexes/${indexId}/find?format=jsonl`);
      const request = new Request(url, { headers: { Authorization: `Bearer ${access_token}` } });
      return filesHttpHandler({ lens })({ request, url, requestId: id, origin: it.server.url, address: "" });
    };
    expect((await (await ask("all-of-it")).text()).trimEnd().split("\n")).toHaveLength(2500);
    const reader = (await ask("cut-short")).body!.getReader();
    const first = new TextDecoder().decode((await reader.read()).value);
    expect(first.trimEnd().split("\n")).toHaveLength(1000);
    await it.server.call("POST", `/v1/grants/${grants[0].grant_id}/revoke`);
    await expect(reader.read()).rejects.toMatchObject({ code: "grant_revoked" });
    const [served] = await activity(it.server, { request_id: "cut-short", action: "files.served" });
    expect(served).toMatchObject({ outcome: "grant_revoked", records: 1000, bytes: Buffer.byteLength(first) });
    rmSync(many, { recursive: true, force: true });
  });
});
