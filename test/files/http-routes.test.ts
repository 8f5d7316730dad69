// Every /api route behaves as OpenAPI describes it: each is called, and each response is validated against its schema.
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tryLockHome } from "../../src/engine/home-lock.ts";
import { shellFor } from "../../src/files/shell/shell.ts";
import { FILE_ROUTES } from "../../src/surfaces/files/routes.ts";
import { until } from "../events/receiver.ts";
import type { Ask, Loose } from "../harness.ts";
import { apiWorld, BASE } from "./api.ts";

const it = apiWorld();

type RealCall = [method: string, path: string, names?: Record<string, string>, ask?: Ask];

/** Returns the calls in an order in which each can succeed. */
async function realCalls(): Promise<RealCall[]> {
  const { server, app } = it;
  const body = { name: "all", nodeIds: ["n1-1"] };
  const { selectionId } = await it.ok("POST", "/api/resource-sets", { token: app, body });
  const saved = { indexId: "ix1", filter: { and: [{ not: { kind: ["dir", "link"] } }, { size: { min: 1 } }] } };
  const { queryId } = await it.ok("POST", "/api/queries", { token: app, body: saved });
  const { jobId } = await it.ok("POST", "/api/indexes", { body: { root: "root2" } });
  await it.ok("POST", `/api/jobs/${jobId}/pause`);
  const sessionId = await newSession();
  const one = { indexId: "ix1" };
  const node = { ...one, nodeId: (await it.nodeNamed("greeting.md")).nodeId };
  const set = { selectionId };
  const query = { queryId };
  const owner = { token: server.owner };
  const reports = FILE_ROUTES.filter(({ path }) => path.includes("/reports/")).flatMap(({ path }): RealCall[] =>
    ["json", "csv", "jsonl", "explain"].map((format) => ["GET", path, one, { query: { format } }]),
  );
  return [
    ["GET", "/api/roots"],
    ["POST", "/api/roots", {}, { ...owner, body: { path: it.other, name: "Other" } }],
    ["GET", "/api/roots/{rootId}", { rootId: "root1" }],
    ["PATCH", "/api/roots/{rootId}", { rootId: "root2" }, { ...owner, body: { crossMounts: false } }],
    ["GET", "/api/sessions/{sessionId}", { sessionId }, owner],
    ["GET", "/api/indexes", {}, owner],
    ["POST", "/api/indexes", {}, { body: { root: it.tree } }],
    ["GET", "/api/indexes/{indexId}", one],
    ["GET", "/api/indexes/{indexId}/scans", one],
    ["POST", "/api/indexes/{indexId}/scans", one],
    ["POST", "/api/indexes/{indexId}/digests", one, { body: {} }],
    ["POST", "/api/jobs/{jobId}/pause", { jobId }, owner],
    ["POST", "/api/jobs/{jobId}/resume", { jobId }, owner],
    ["POST", "/api/jobs/{jobId}/cancel", { jobId }, owner],
    ["GET", "/api/indexes/{indexId}/tree", one],
    ["GET", "/api/indexes/{indexId}/nodes/{nodeId}", { ...one, nodeId: "n1-1" }],
    ["GET", "/api/indexes/{indexId}/nodes/{nodeId}", node],
    ["GET", "/api/indexes/{indexId}/nodes/{nodeId}/detail", node],
    ["GET", "/api/indexes/{indexId}/nodes/{nodeId}/download", node],
    ["GET", "/api/indexes/{indexId}/find", one],
    ["POST", "/api/indexes/{indexId}/find", one, { body: { filter: saved.filter, limit: 2 } }],
    ...reports,
    ["POST", "/api/resource-sets", {}, { body }],
    ["GET", "/api/resource-sets", {}, { query: { limit: 1 } }],
    ["GET", "/api/resource-sets/{selectionId}", set],
    ["PATCH", "/api/resource-sets/{selectionId}", set, { body: { add: [node.nodeId], name: "more" } }],
    ["GET", "/api/resource-sets/{selectionId}/entries", set],
    ["DELETE", "/api/resource-sets/{selectionId}", set],
    ["POST", "/api/queries", {}, { body: saved }],
    ["GET", "/api/queries", {}, { query: { limit: 1 } }],
    ["GET", "/api/queries/{queryId}", query],
    ["POST", "/api/queries/{queryId}/run", query],
    ["DELETE", "/api/queries/{queryId}", query],
    ["POST", "/api/links", {}, { body: { url: "/api/queries" } }],
    ["DELETE", "/api/indexes/{indexId}", one, owner],
    ["DELETE", "/api/roots/{rootId}", { rootId: "root2" }, owner],
  ];
}

/** Creates a session for the owner, as `pdpp files cd` does. */
async function newSession(): Promise<string> {
  const caller = { credential: { home: true }, requestId: "req_stand", origin: it.server.url } as const;
  return (await shellFor(await it.server.files(), caller).cd({ path: it.tree })).sessionId;
}

describe("S-10 the routes of /api", () => {
  test("S-10 every route is called and returns the status and the schema given in OpenAPI", async () => {
    const document: Loose = (await it.server.get("/openapi.json", { token: null })).body;
    const met = new Set<string>();
    // Simulates a scan by another process, so that no job ends before it has been paused, resumed and cancelled.
    const scanning = await until(() => tryLockHome(join(it.home, "files")));
    for (const [method, path, names = {}, ask] of await realCalls()) {
      const address = path.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(names[name]!));
      const { status } = await it.server.call(method, address, { token: it.app, ...ask });
      expect(document.paths[path][method.toLowerCase()].responses, `${method} ${path}`).toHaveProperty(String(status));
      met.add(`${method} ${path}`);
    }
    scanning!.release();
    expect([...met].sort()).toEqual(FILE_ROUTES.map(({ method, path }) => `${method} ${path}`).sort());
    expect((await it.refused("GET", BASE))[1]).toBe("not_found");
  });

  test("S-10 OpenAPI lists every parameter, and each call once", async () => {
    const document: Loose = (await it.server.get("/openapi.json", { token: null })).body;
    for (const route of FILE_ROUTES) {
      const { parameters, requestBody } = document.paths[route.path][route.method.toLowerCase()];
      const named = parameters.filter((one: Loose) => one.in !== "header").map((one: Loose) => `${one.in} ${one.name}`);
      const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => `path ${match[1]}`);
      expect(named.sort()).toEqual([...inPath, ...Object.keys(route.parameters).map((name) => `query ${name}`)].sort());
      expect(requestBody === undefined).toBe(route.body === undefined);
    }
    const calls = FILE_ROUTES.map(({ call }) => call);
    expect(new Set(calls).size).toBe(calls.length);
  });
});
