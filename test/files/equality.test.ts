// Digests and copies reveal the content of a file, so every call that returns them needs the download power.
import { beforeAll, describe, expect, test } from "vitest";
import { filesDeclaration } from "../../src/files/declaration.ts";
import { type Loose, ON_FILES } from "../harness.ts";
import { connectClient, type Result } from "../mcp.ts";
import { pdpp } from "../pdpp.ts";
import { apiWorld, BASE, names } from "./api.ts";

const it = apiWorld();
const COPIES = { and: [{ kind: "file" }, { not: { duplicate: false } }] };
const INDEX = { indexId: "ix1" };
/** The token of an app with every power except `download`. */
let curator: string;
let job: string;
let copy: string;

beforeAll(async () => {
  const may = ["navigate", "index", "curate"];
  curator = (await it.server.grant({ files: { roots: [it.tree], may } })).access_token;
  job = (await it.ok("POST", `${BASE}/digests`, { token: it.app, body: { minSize: 100 } })).jobId;
  await it.ended(job);
  copy = (await it.nodeNamed("copy-1.dat")).nodeId;
});

const refusal = async (method: string, path: string, body?: object): Promise<void> => {
  const answer = await it.server.call(method, path, { token: curator, ...(body === undefined ? {} : { body }) });
  const { code, message, next_step } = answer.body.error ?? {};
  expect([path, answer.status, code]).toEqual([path, 403, "insufficient_scope"]);
  expect(`${message} ${next_step}`).toMatch(/download.*--may download/);
};

describe("G-07 digests and copies without `download`", () => {
  test("G-07 over /api, digests are omitted and searches for copies are refused", async () => {
    const asked = encodeURIComponent(JSON.stringify(COPIES));
    await refusal("POST", `${BASE}/digests`, { minSize: 1 });
    for (const name of ["duplicates", "duplicates?format=csv", "duplicates?format=explain"])
      await refusal("GET", `${BASE}/reports/${name}`);
    for (const path of ["find?", "find?format=csv&", "find?format=explain&", "reports/types?", "reports/ages?"])
      await refusal("GET", `${BASE}/${path}filter=${asked}`);
    for (const path of ["reports/types?format=csv&", "reports/ages?format=jsonl&", "reports/ages?format=explain&"])
      await refusal("GET", `${BASE}/${path}filter=${asked}`);
    await refusal("POST", `${BASE}/find`, { filter: COPIES });
    await refusal("POST", "/api/queries", { ...INDEX, filter: { or: [{ name: "x" }, COPIES] } });
    await refusal("GET", `/api/jobs/${job}`);
    await refusal("POST", `/api/jobs/${job}/cancel`);
    expect(await it.get(`${BASE}/nodes/${copy}/detail`, { token: curator })).not.toHaveProperty("digest");
    expect((await it.get("/api/queries", { token: curator })).queries).toEqual([]);
    expect((await it.get("/api/resource-sets", { token: curator })).sets).toEqual([]);
  });

  test("G-07 with `download`, and for the owner, each of these calls succeeds", async () => {
    const query = { filter: JSON.stringify(COPIES) };
    for (const token of [it.app, undefined]) {
      const get = (path: string): Promise<Loose> => it.ok("GET", path, { query, ...(token && { token }) });
      expect(names((await get(`${BASE}/find`)).entries)).toEqual(["copy-1.dat", "copy-2.dat"]);
      expect((await get(`${BASE}/reports/types`)).types[0].files).toBe(2);
      const { ages } = await get(`${BASE}/reports/ages`);
      expect(ages.reduce((sum: number, { files }: Loose) => sum + files, 0)).toBe(2);
    }
    expect((await it.get(`${BASE}/nodes/${copy}/detail`)).digest).toMatch(/^sha256:/);
    expect((await it.server.get(`${BASE}/nodes/${copy}/detail`)).body.digest).toMatch(/^sha256:/);
  });

  test("G-07 a saved query for copies, made under a wider grant, is neither run nor explained", async () => {
    const { store } = await it.server.files();
    const body = { ...INDEX, filter: { name: "nothing" } };
    const { queryId } = await it.ok("POST", "/api/queries", { token: curator, body });
    await store.putQuery({ ...(await store.query(queryId))!, filter: JSON.stringify({ filter: COPIES }) });
    await refusal("POST", `/api/queries/${queryId}/run`);
    await refusal("GET", `/api/queries/${queryId}?format=explain`);
  });

  test("G-07 at /files/mcp, digests are omitted and searches for copies are refused", async () => {
    const client = await connectClient(it.server.url, curator, "modern", "/files/mcp");
    try {
      const call = async (name: string, args: Loose): Promise<Result> =>
        (await client.callTool({ name, arguments: args })) as Result;
      const node = await call("inspect", { nodeId: copy });
      expect(JSON.stringify(node)).not.toContain("sha256");
      for (const [name, args] of [
        ["query-run", { ...INDEX, filter: COPIES }],
        ["job-progress", { jobId: job }],
      ] as const) {
        const { isError, content } = await call(name, args);
        expect([name, isError]).toEqual([name, true]);
        expect(JSON.stringify(content)).toContain("need the download power");
      }
    } finally {
      await client.close();
    }
    const full = await connectClient(it.server.url, it.app, "modern", "/files/mcp");
    expect(JSON.stringify(await full.callTool({ name: "inspect", arguments: { nodeId: copy } }))).toContain("sha256:");
    await full.close();
  });

  test.runIf(ON_FILES)("G-07 `pdpp files mcp` under such a grant refuses the same calls", async () => {
    const clientInfo = { name: "t", version: "1" };
    const requests = [
      { id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } },
      { method: "notifications/initialized" },
      { id: 2, method: "tools/call", params: { name: "inspect", arguments: { nodeId: copy } } },
      { id: 3, method: "tools/call", params: { name: "query-run", arguments: { ...INDEX, filter: COPIES } } },
    ];
    const { stdout } = await pdpp(["files", "mcp", "--home", it.home], {
      env: { PDPP_ACCESS_TOKEN: curator },
      input: requests.map((request) => `${JSON.stringify({ jsonrpc: "2.0", ...request })}\n`).join(""),
    });
    expect(stdout).toContain("copy-1.dat");
    expect(stdout).not.toContain("sha256");
    expect(stdout).toContain("need the download power");
  });

  test("G-07 file records have no field for a digest or for copies", () => {
    const fields = filesDeclaration.streams.flatMap(({ schema }) => Object.keys(schema.properties ?? {}));
    expect(fields).toContain("size");
    expect(fields.filter((name) => /digest|hash|sha|etag|cop(y|ies)|duplicate|sum/.test(name))).toEqual([]);
  });
});
