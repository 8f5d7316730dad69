// /api for programs: roots, indexes, listings, nodes and contents, errors that suggest the next call, and narrow
// grants.
import { symlinkSync, truncateSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FILE_ROUTES } from "../../src/surfaces/files/routes.ts";
import { newSetupLink } from "../../src/surfaces/web/sign-in.ts";
import { activity } from "../files-authority.ts";
import { type Loose, testServer } from "../harness.ts";
import { library } from "../library.ts";
import { formWith, type OwnerBrowser, ownerBrowser, setUp } from "../oauth/owner-browser.ts";
import { apiWorld, BASE, COPY, csv, names } from "./api.ts";
import { PHOTOS_PER_YEAR } from "./tree.ts";

const it = apiWorld();

async function signedIn(browser: OwnerBrowser): Promise<{ csrf: string }> {
  await setUp(browser, await newSetupLink(it.server.host, it.server.url));
  const form = formWith(await browser.get("/dashboard"), "csrf");
  return { csrf: form.fields.find(([name]) => name === "csrf")![1] };
}

describe("S-10 roots and indexes", () => {
  test("S-10 S-13 only granted roots are listed, with their powers; other roots do not exist for the app", async () => {
    expect((await it.get("/api/roots", { token: it.server.owner })).roots).toMatchObject([
      { path: it.tree },
      { path: it.other },
    ]);
    const { roots } = await it.get("/api/roots", { token: it.looker });
    expect(roots).toMatchObject([
      { rootId: "root1", path: it.tree, available: true, indexIds: ["ix1"], may: ["navigate"] },
    ]);
    expect(roots[0].link).toBe(`${it.server.url}/api/roots/root1`);
    expect(await it.get("/api/roots/root1")).toMatchObject({ connectionId: roots[0].connectionId });
    expect(await it.refused("GET", "/api/roots/root2")).toEqual([
      404,
      "root_not_allowed",
      expect.stringContaining("GET /api/roots"),
    ]);
    const paged = await it.get("/api/roots", { token: it.server.owner, query: { limit: 1 } });
    expect(paged.nextPageUrl).toBe(`${it.server.url}/api/roots?limit=1&cursor=root2`);
    expect((await it.follow(paged.nextPageUrl, { token: it.server.owner })).roots).toHaveLength(1);
  });

  test("S-13 only the owner can approve and remove roots, and paths that cannot be roots are refused", async () => {
    for (const [method, path, body] of [
      ["POST", "/api/roots", { path: "/etc" }],
      ["DELETE", "/api/roots/root1", undefined],
      ["DELETE", BASE, undefined],
    ] as const)
      expect((await it.refused(method, path, { body })).slice(0, 2)).toEqual([403, "insufficient_scope"]);
    for (const body of [
      {},
      { path: "relative" },
      { path: "/nowhere/at/all" },
      { path: "/etc\0" },
      { path: it.server.home },
    ])
      expect((await it.refused("POST", "/api/roots", { token: it.server.owner, body })).slice(0, 2)).toEqual([
        400,
        "invalid_request",
      ]);
    const again = await it.ok("POST", "/api/roots", { body: { pathBytes: Buffer.from(it.other).toString("base64") } });
    expect(again).toMatchObject({ rootId: "root2", may: ["navigate", "index", "curate", "download"] });
  });

  test("S-10 S-12 an index returns its state, totals and links", async () => {
    const { indexes } = await it.get("/api/indexes");
    expect(names(indexes)).toHaveLength(1);
    const index = await it.get(BASE);
    expect(index).toEqual(indexes[0]);
    expect(index).toMatchObject({
      status: "complete",
      rootNodeId: "n1-1",
      totals: { dirs: 8 },
      link: it.server.url + BASE,
    });
    expect(Object.keys(index.urls.reports)).toHaveLength(9);
    for (const url of [
      index.urls.tree,
      index.urls.scans,
      index.urls.find,
      ...Object.values<string>(index.urls.reports),
    ])
      await it.follow(url);
    expect(await it.refused("GET", "/api/indexes/ix2")).toEqual([
      404,
      "not_found",
      expect.stringContaining("GET /api/indexes"),
    ]);
  });

  test("S-12 a session keeps the directory of its last cd, and only its own app can use it", async () => {
    const cd = await fetch(`${it.server.url}/files/mcp`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${it.app}`,
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "cd", arguments: { path: `${it.tree}/letters` } },
      }),
    });
    const { structuredContent } = ((await cd.json()) as Loose).result;
    const session = await it.follow(`${structuredContent.base}/api/sessions/${structuredContent.sessionId}`);
    expect(session).toMatchObject({ cwd: `${it.tree}/letters`, indexId: "ix1", units: "binary", limit: 20 });
    expect(names(session.breadcrumb).at(-1)).toBe("letters");
    const path = `/api/sessions/${session.sessionId}`;
    for (const [token, place] of [
      [it.looker, path],
      [it.app, "/api/sessions/new"],
      [it.app, "/api/sessions/fs_none"],
    ] as const)
      expect((await it.refused("GET", place, { token })).slice(0, 2)).toEqual([404, "not_found"]);
  });
});

describe("S-10 listings and nodes", () => {
  test("S-10 a tree can be paged by name, size and time, and every link works", async () => {
    const year = await it.get(`${BASE}/tree`, {
      query: { parent: (await it.nodeNamed("2019", "photos")).nodeId, limit: 10 },
    });
    expect(year).toMatchObject({ total: PHOTOS_PER_YEAR, parent: { name: "2019" } });
    const all = [...year.entries];
    for (let page = year; page.nextPageUrl !== undefined; all.push(...page.entries))
      page = await it.follow(page.nextPageUrl);
    expect(names(all)).toEqual([...names(all)].sort());
    expect(new Set(names(all)).size).toBe(PHOTOS_PER_YEAR);
    const { nodeId } = year.parent;
    const largest = await it.get(`${BASE}/tree`, { query: { parent: nodeId, order: "size", limit: 1 } });
    expect(largest.entries[0].name).toBe("IMG_0024.jpg");
    const smallest = await it.get(`${BASE}/tree`, {
      query: { parent: nodeId, order: "size", descending: "false", limit: 1 },
    });
    expect(smallest.entries[0].name).toBe("IMG_0000.jpg");
    const top = await it.get(`${BASE}/tree`, { query: { order: "time" } });
    for (const { link } of top.entries) expect((await it.follow(link)).entries.length).toBeGreaterThan(0);
  });

  test("S-10 a node has its metadata and its first children, and a cursor works only for its own list", async () => {
    const letters = (await it.get(`${BASE}/tree`)).entries.find(({ name }: Loose) => name === "letters");
    const node = await it.get(`${BASE}/nodes/${letters.nodeId}`);
    expect(node).toMatchObject({
      path: `${it.tree}/letters`,
      kind: "dir",
      children: { total: letters.counts.entries },
    });
    expect(node.link).toBe(`${it.server.url}${BASE}/nodes/${letters.nodeId}`);
    const page = await it.get(`${BASE}/tree`, { query: { parent: letters.nodeId, limit: 2 } });
    const { nextCursor: cursor } = page;
    for (const [path, query] of [
      [`${BASE}/tree`, { cursor }],
      [`${BASE}/tree`, { parent: letters.nodeId, order: "size", cursor }],
      [`${BASE}/find`, { cursor }],
      [`${BASE}/reports/largest`, { cursor }],
      [`${BASE}/reports/problems`, { cursor: `${cursor.slice(0, -2)}AA` }],
      ["/api/resource-sets", { cursor }],
      ["/api/queries", { cursor }],
      ["/api/roots", { cursor }],
    ] as const) {
      const [status, code, next] = await it.refused("GET", path, { query });
      expect([path, status, code]).toEqual([path, 400, "invalid_cursor"]);
      expect(next).toContain("without a cursor");
    }
    for (const [path, code] of [
      [`${BASE}/nodes/n2-1`, "node_not_found"],
      [`${BASE}/nodes/n1-999999`, "node_not_found"],
      [`${BASE}/nodes/..%2f..%2fetc`, "node_not_found"],
      [`${BASE}/tree?parent=n1-1.99999`, "node_not_found"],
    ] as const)
      expect((await it.refused("GET", path)).slice(0, 2)).toEqual([404, code]);
    const file = await it.nodeNamed("empty");
    expect((await it.refused("GET", `${BASE}/tree?parent=${file.nodeId}`))[2]).toContain("/detail");
  });

  test("S-13 hostile names are listed, found, downloaded and exported unchanged", async () => {
    const odd = await it.nodeNamed("odd\\x0aname \\xe2\\x80\\xae.txt");
    expect(Buffer.from(odd.nameBytes, "base64").toString()).toBe("odd\nname \u202e.txt");
    const answer = await it.download(odd.nodeId);
    expect([answer.status, answer.text]).toEqual([200, "odd"]);
    expect(answer.headers.get("content-disposition")).toBe(
      `attachment; filename="odd_x0aname__xe2_x80_xae.txt"; filename*=UTF-8''odd_x0aname%20_xe2_x80_xae.txt`,
    );
    expect((await it.download((await it.nodeNamed("\\xff\\xfe.bin")).nodeId)).text).toBe("bytes");
    const { text } = await it.server.call("GET", `${BASE}/find`, {
      token: it.app,
      query: { filter: JSON.stringify({ type: "text/plain" }), format: "csv" },
    });
    const rows = csv(text);
    expect(rows.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["'=HYPERLINK(1).txt", "odd\\x0aname \\xe2\\x80\\xae.txt"]),
    );
    // The path starts with a slash, so it is not a formula.
    expect(rows.find(({ name }) => name === "'=HYPERLINK(1).txt")!.path).toBe(`${it.tree}/letters/=HYPERLINK(1).txt`);
  });
});

describe("S-10 contents", () => {
  test("S-10 the details of a file include its type, and a preview only for callers with the download power", async () => {
    const { nodeId } = await it.nodeNamed("greeting.md");
    const full = await it.get(`${BASE}/nodes/${nodeId}/detail`);
    expect(full).toMatchObject({ mimeType: "text/markdown", now: { changed: false, preview: { truncated: true } } });
    expect(full.now.preview.text.startsWith("# Hello\nwörld wörld")).toBe(true);
    expect(full.now.preview.bytes).toBeLessThanOrEqual(4096);
    expect(full.urls.download).toBe(`${it.server.url}${BASE}/nodes/${nodeId}/download`);
    const less = await it.get(`${BASE}/nodes/${nodeId}/detail`, { token: it.looker });
    expect([less.now, less.urls.download, less.breadcrumb.length]).toEqual([undefined, undefined, 3]);
    const photo = await it.nodeNamed("copy-1.dat");
    expect((await it.get(`${BASE}/nodes/${photo.nodeId}/detail`)).now.mimeType).toBe("text/plain");
    const pdf = await it.get(`${BASE}/nodes/${(await it.nodeNamed("invoice-1.pdf")).nodeId}/detail`);
    expect(pdf.now).toMatchObject({ mimeType: "application/pdf" });
    expect(pdf.now.preview).toBeUndefined();
  });

  test("S-10 a download can be complete or in ranges, a range request for another version returns the whole file, and a download writes two log lines", async () => {
    const { nodeId, size } = await it.nodeNamed("copy-1.dat");
    const content = COPY;
    const whole = await it.download(nodeId, { headers: { "Request-Id": "whole-file" } });
    expect([whole.status, whole.text === content]).toEqual([200, true]);
    const etag = whole.headers.get("etag")!;
    expect(whole.headers.get("x-content-type-options")).toBe("nosniff");
    for (const [range, from, to] of [
      ["bytes=0-4", 0, 5],
      ["bytes=100-", 100, size],
      ["bytes=-6", size - 6, size],
      [`bytes=11990-99999`, 11990, size],
    ] as const) {
      const part = await it.download(nodeId, { headers: { Range: range, "If-Range": etag } });
      expect([part.status, part.text, part.headers.get("content-range")]).toEqual([
        206,
        content.slice(from, to),
        `bytes ${from}-${to - 1}/${size}`,
      ]);
    }
    expect((await it.download(nodeId, { headers: { Range: "bytes=12000-" } })).status).toBe(416);
    expect((await it.download(nodeId, { headers: { Range: "bytes=5-", "If-Range": '"other"' } })).status).toBe(200);
    const head = await it.server.call("HEAD", `${BASE}/nodes/${nodeId}/download`, { token: it.app });
    expect([head.status, head.headers.get("content-length"), head.text]).toEqual([200, String(size), ""]);
    expect((await it.download((await it.nodeNamed("empty")).nodeId)).text).toBe("");
    const lines = async () =>
      (await activity(it.server, { request_id: "whole-file" })).map(({ action, records, bytes }) => [
        action,
        records,
        bytes,
      ]);
    await expect.poll(lines).toEqual([
      ["files.served", 0, size],
      ["files.download", 1, 0],
    ]);
    const stale = await it.download(nodeId, { headers: { "If-Match": '"other"' } });
    expect([stale.status, stale.body.error.code]).toEqual([409, "stale_handle"]);
    expect((await it.refused("GET", `${BASE}/nodes/${nodeId}/download`, { token: it.looker })).slice(0, 2)).toEqual([
      403,
      "insufficient_scope",
    ]);
  });

  test("S-13 links, pipes, directories and anything that replaced a file are never read", async () => {
    for (const name of ["latest", "out", "pipe"]) {
      const { nodeId } = await it.nodeNamed(name);
      const [status, code, next] = await it.refused("GET", `${BASE}/nodes/${nodeId}/download`);
      expect([name, status, code]).toEqual([name, 400, "invalid_request"]);
      expect(next).toContain("kind file");
      expect((await it.get(`${BASE}/nodes/${nodeId}/detail`)).now).toBeUndefined();
    }
    const out = await it.get(`${BASE}/nodes/${(await it.nodeNamed("out")).nodeId}/detail`);
    expect(out.symlink).toEqual({ target: "/etc" });
    expect((await it.refused("GET", `${BASE}/nodes/n1-1/download`))[1]).toBe("invalid_request");
    // After the scan, something else takes the place of the file.
    const place = join(it.tree, "letters", "swapped");
    writeFileSync(place, "plain");
    await it.rescan();
    const { nodeId } = await it.nodeNamed("swapped");
    writeFileSync(place, "plain, and more");
    expect((await it.get(`${BASE}/nodes/${nodeId}/detail`)).now).toMatchObject({ changed: true, size: 15 });
    expect((await it.download(nodeId)).text).toBe("plain, and more");
    unlinkSync(place);
    symlinkSync("/etc/passwd", place);
    expect((await it.refused("GET", `${BASE}/nodes/${nodeId}/download`)).slice(0, 2)).toEqual([400, "invalid_request"]);
    expect((await it.get(`${BASE}/nodes/${nodeId}/detail`)).unreadable).toContain("a link");
    unlinkSync(place);
    expect((await it.refused("GET", `${BASE}/nodes/${nodeId}/download`)).slice(0, 2)).toEqual([404, "node_not_found"]);
    expect((await it.get(`${BASE}/nodes/${nodeId}/detail`)).unreadable).toContain("no longer exists");
  });

  test("S-13 if a file shrinks during the transfer, the connection is closed, so that the client notices", async () => {
    const place = join(it.tree, "letters", "shrinks.bin");
    writeFileSync(place, Buffer.alloc(40 * 1024 * 1024, 1));
    await it.rescan();
    const { nodeId } = await it.nodeNamed("shrinks.bin");
    const response = await fetch(`${it.server.url}${BASE}/nodes/${nodeId}/download`, {
      headers: { Authorization: `Bearer ${it.app}` },
    });
    const reader = response.body!.getReader();
    await reader.read();
    truncateSync(place, 1024);
    const rest = (async () => {
      while (!(await reader.read()).done);
    })();
    await expect(rest).rejects.toThrow();
    unlinkSync(place);
    await it.rescan();
  });
});

describe("S-13 authentication", () => {
  test("S-13 tokens for the other lens, missing tokens and revoked tokens give no access", async () => {
    await it.server.register("notes", library);
    const connection_id = await it.server.connect("notes", "Notes");
    const records = (await it.server.grant({ selections: [{ connection_id }] })).access_token;
    const short = await it.server.grant({ files: { roots: [it.tree] } });
    await it.server.call("POST", `/v1/grants/${short.grant_id ?? short.grants[0].grant_id}/revoke`);
    for (const { method, path } of FILE_ROUTES) {
      const place = path.replace("{indexId}", "ix1").replace(/\{\w+\}/g, "x");
      const body = method === "POST" || method === "PATCH" ? {} : undefined;
      const none = await it.server.call(method, place, { token: null, body });
      expect([method, path, none.status]).toEqual([method, path, 401]);
      expect(none.headers.get("www-authenticate")).toContain("/.well-known/oauth-protected-resource");
      expect((await it.server.call(method, place, { token: records, body })).status, path).toBe(401);
      expect((await it.server.call(method, place, { token: short.access_token, body })).body.error.code, path).toBe(
        "grant_revoked",
      );
    }
  });

  test("S-10 the owner's pages make the same calls with the owner's session, and the links in the responses work there", async () => {
    const browser = ownerBrowser(it.server.url);
    const closed = await browser.get("/dashboard/api/roots");
    expect(closed.html).not.toContain("root1");
    const { csrf } = await signedIn(browser);
    const seen = JSON.parse((await browser.get("/dashboard/api/roots", { "Request-Id": "page-looks" })).html);
    expect(names(seen.roots)).toHaveLength(2);
    expect(seen.roots[0].link).toBe(`${it.server.url}/~${browser.key}/dashboard/api/roots/root1`);
    // The owner's page views are not logged, but downloads are.
    expect(await activity(it.server, { request_id: "page-looks" })).toEqual([]);
    const { jobId } = JSON.parse((await browser.get(`/dashboard${BASE}/scans`)).html).scans[0];
    const job = JSON.parse((await browser.get(`/dashboard/api/jobs/${jobId}`)).html);
    expect(job.statusUrl).toBe(`${it.server.url}/~${browser.key}/dashboard/api/jobs/${jobId}`);
    const { nodeId } = await it.nodeNamed("invoice-1.pdf");
    const file = await browser.get(`/dashboard${BASE}/nodes/${nodeId}/download`, { "Request-Id": "page-takes" });
    expect([file.html, file.headers.get("content-security-policy")]).toEqual([
      "%PDF-1.7 one",
      "default-src 'none'; sandbox",
    ]);
    await expect.poll(() => activity(it.server, { request_id: "page-takes" })).toHaveLength(2);
    const post = (headers: Record<string, string>) => browser.post(`/dashboard${BASE}/scans`, [], headers);
    expect((await post({})).status).toBe(403);
    expect((await post({ "postern-form": "wrong" })).status).toBe(403);
    const at = `/~${browser.key}/dashboard${BASE}/scans`;
    const started = await fetch(it.server.url + at, {
      method: "POST",
      headers: {
        origin: it.server.url,
        "postern-form": csrf,
        cookie: browser.jar(at),
      },
    });
    expect(started.status).toBe(202);
    await it.ended(((await started.json()) as Loose).jobId);
  });

  test("S-10 unknown parameters, fields, methods, bodies and paths are refused", async () => {
    expect(await it.refused("GET", `${BASE}/tree?depth=3`)).toEqual([
      400,
      "invalid_request",
      expect.stringContaining("parent, order"),
    ]);
    expect((await it.refused("GET", `${BASE}/tree?limit=1001`)).slice(0, 2)).toEqual([400, "invalid_request"]);
    expect((await it.refused("GET", `${BASE}/tree?limit=1&limit=2`)).slice(0, 2)).toEqual([400, "invalid_request"]);
    expect((await it.refused("POST", "/api/indexes", { body: { root: it.tree, colour: "red" } })).slice(0, 2)).toEqual([
      400,
      "invalid_request",
    ]);
    for (const body of ["", "[]", "null", "{", "[".repeat(10_000)])
      expect((await it.refused("POST", "/api/resource-sets", { body })).slice(0, 2)).toEqual([400, "invalid_request"]);
    expect((await it.refused("POST", `${BASE}/scans?verify=true`, { body: {} }))[0]).toBe(400);
    expect((await it.refused("PUT", BASE)).slice(0, 2)).toEqual([405, "method_not_allowed"]);
    expect((await it.refused("GET", "/api/nowhere"))[2]).toContain("/openapi.json");
    expect((await it.refused("GET", "/api/indexes/%E0%A4%A")).slice(0, 2)).toEqual([400, "invalid_path"]);
  });

  test("S-12 S-13 handles survive a restart, and removing a root removes everything that belongs to it", async () => {
    const { owner } = it.server;
    const set = await it.ok("POST", "/api/resource-sets", {
      token: it.app,
      body: { name: "kept", indexId: "ix1", nodeIds: ["n1-1"] },
    });
    const before = [await it.get(BASE), await it.get(`/api/resource-sets/${set.selectionId}`)];
    const port = Number(new URL(it.server.url).port);
    await it.server.close();
    it.server = await testServer({ home: it.home, port });
    expect([await it.get(BASE), await it.get(`/api/resource-sets/${set.selectionId}`)]).toEqual(before);
    const gone = await it.ok("DELETE", BASE, { token: owner });
    expect(gone).toMatchObject({ indexId: "ix1", deleted: true, removed: { resourceSets: expect.any(Number) } });
    expect(gone.removed.resourceSets).toBeGreaterThan(0);
    expect((await it.refused("GET", BASE))[1]).toBe("not_found");
    expect((await it.refused("GET", `/api/resource-sets/${set.selectionId}`))[1]).toBe("not_found");
    const { indexId, jobId } = await it.ok("POST", "/api/indexes", { token: owner, body: { root: it.other } });
    await it.ended(jobId);
    const root = await it.ok("DELETE", "/api/roots/root2", { token: owner });
    expect(root).toMatchObject({ path: it.other, deleted: true, removed: { indexIds: [indexId] } });
    expect((await it.get("/api/roots", { token: owner })).roots).toHaveLength(1);
    expect((await it.refused("GET", "/api/roots/root2", { token: owner }))[1]).toBe("root_not_allowed");
  });
});
