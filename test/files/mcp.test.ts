// /files/mcp for agents: nine tools, both protocol generations, text and data, small results, separate grants.
import { rmSync } from "node:fs";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listedShellTools, SHELL_INSTRUCTIONS } from "../../src/surfaces/files-mcp/gate.ts";
import { type Loose, type TestServer, testServer } from "../harness.ts";
import { connectClient, type Era, MCP_HEADERS, type Result, textAndDataBytes } from "../mcp.ts";
import { PHOTOS_PER_YEAR, plantTree, YEARS } from "./tree.ts";

const RESULT_BYTES = 6_000;

let server: TestServer;
let tree: string;
let other: string;
let token: string;

beforeAll(async () => {
  server = await testServer();
  tree = plantTree();
  other = plantTree();
  const lens = await server.files();
  await lens.addRoot({ path: tree });
  await lens.addRoot({ path: other });
  token = (await server.grant({ files: { roots: [tree] }, client_name: "Disk walker" })).access_token;
});
afterAll(async () => {
  await server?.close();
  for (const path of [tree, other]) rmSync(path, { recursive: true, force: true });
});

async function post(method: string, params: object, bearer: string | undefined = token): Promise<Response> {
  return fetch(`${server.url}/files/mcp`, {
    method: "POST",
    headers: { ...MCP_HEADERS, ...(bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }) },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
}

/** Calls a tool, and checks that the result is small and that text and data contain the same handles. */
async function call(name: string, args: object, bearer = token): Promise<Result> {
  const answer = (await (await post("tools/call", { name, arguments: args }, bearer)).json()) as Loose;
  if (answer.result === undefined) throw new Error(JSON.stringify(answer));
  for (const bytes of textAndDataBytes(answer.result)) expect(bytes, name).toBeLessThanOrEqual(RESULT_BYTES);
  return { ...answer.result, text: answer.result.content[0].text };
}

test("C-10 an unknown resource gets a typed error with the next call, as on /mcp", async () => {
  const uri = "pdpp://record/x/y/z";
  const { error } = (await (await post("resources/read", { uri })).json()) as Loose;
  expect(error.code).toBe(-32602);
  expect(error.data).toMatchObject({ uri, error: { code: "not_found" } });
  expect(error.message).toContain('cd({"path":"/"})');
});

describe("S-02 nine tools", () => {
  test("S-02 their definitions stay within 9,000 bytes and mark which tools read and which create", () => {
    const tools = listedShellTools();
    expect(tools.map(({ name }) => name)).toEqual([
      "cd",
      "index",
      "job-progress",
      "inspect",
      "resource-set-ops",
      "query-run",
      "query-list",
      "query-get",
      "session-preferences",
    ]);
    expect(Buffer.byteLength(JSON.stringify({ tools }))).toBeLessThanOrEqual(9_000);
    expect(encode(JSON.stringify({ tools })).length).toBeLessThanOrEqual(2_200);
    const makes = tools.filter(({ annotations }) => annotations?.readOnlyHint === false).map(({ name }) => name);
    expect(makes).toEqual(["index", "resource-set-ops", "query-run"]);
    expect(SHELL_INSTRUCTIONS.length).toBeLessThanOrEqual(1_600);
    expect(SHELL_INSTRUCTIONS.indexOf("\n\n")).toBeLessThanOrEqual(700);
  });

  test.each(["legacy", "modern"] satisfies Era[])(
    "S-01 a real client of the %s era lists and calls the tools",
    async (era) => {
      const client = await connectClient(server.url, token, era, "/files/mcp");
      try {
        expect((await client.listTools()).tools).toHaveLength(9);
        const found = (await client.callTool({ name: "cd", arguments: { path: "/" } })) as Result;
        expect(found.structuredContent.entries.map(({ name }: Loose) => name)).toEqual([tree]);
      } finally {
        await client.close();
      }
    },
  );
});

describe("a walk through the tools", () => {
  test("S-03 … S-09 index, cd, inspect, select and query return small results with the same handles in text and data", async () => {
    const started = await call("index", { root: tree });
    const { jobId } = started.structuredContent;
    expect(started.text).toContain(jobId);
    await (await server.files()).files.jobEnded(jobId);
    const job = await call("job-progress", { jobId });
    expect(job.structuredContent).toMatchObject({ status: "succeeded", report: { problems: 0 } });
    expect(job.text).toContain("succeeded");

    const photos = await call("cd", { path: `${tree}/photos/2019` });
    expect(photos.structuredContent.total).toBe(PHOTOS_PER_YEAR);
    for (const { nodeId, name } of photos.structuredContent.entries) {
      expect(photos.text).toContain(nodeId);
      expect(photos.text).toContain(name);
    }
    const more = await call("cd", { path: ".", cursor: photos.structuredContent.nextCursor });
    expect(more.structuredContent.entries.length + photos.structuredContent.entries.length).toBe(PHOTOS_PER_YEAR);

    const ran = await call("query-run", { filter: { name: "*.pdf" }, name: "invoices" });
    expect(ran.structuredContent.report.matches).toBe(3);
    const { selectionId, queryId } = ran.structuredContent;
    expect(ran.text).toContain(selectionId);
    const set = await call("resource-set-ops", { op: "get", selectionId });
    const [first] = set.structuredContent.sample;
    const less = await call("resource-set-ops", { op: "remove", selectionId, nodeIds: [first.nodeId] });
    expect(less.structuredContent.counts.entries).toBe(2);
    expect((await call("inspect", { nodeId: first.nodeId })).structuredContent.kind).toBe("file");
    expect((await call("query-list", {})).text).toContain("invoices");
    expect((await call("query-get", { queryId, full: true })).structuredContent.filter).toEqual({ name: "*.pdf" });
    expect((await call("session-preferences", { units: "decimal" })).structuredContent.units).toBe("decimal");
    expect(YEARS).toHaveLength((await call("cd", { path: `${tree}/photos` })).structuredContent.total);
  });

  test("S-13 unusual names are printed safely and can be used as input", async () => {
    const letters = await call("cd", { path: `${tree}/letters` });
    const names = letters.structuredContent.entries.map(({ name }: Loose) => name);
    expect(names).toContain("odd\\x0aname \\xe2\\x80\\xae.txt");
    expect(letters.text).not.toMatch(/[\u202e\ufffd]/);
    for (const { name, kind } of letters.structuredContent.entries) {
      const seen = await call("inspect", { path: `${tree}/letters/${name}` });
      expect(seen.structuredContent.kind, name).toBe(kind);
    }
  });
});

describe("S-01 S-13 a file grant", () => {
  test("S-13 a root that is not granted does not exist for the app", async () => {
    const top = await call("cd", { path: "/" });
    expect(top.structuredContent.entries.map(({ name }: Loose) => name)).toEqual([tree]);
    for (const path of [other, `${tree}/../${other.split("/").at(-1)}`, "/etc", "/"]) {
      const refused = await call("index", { root: path });
      expect(refused.isError, path).toBe(true);
      expect(refused.structuredContent.error.code, path).toBe("root_not_allowed");
      expect(refused.text, path).toMatch(/Next: .*(cd|index)\(/);
    }
  });

  test("S-01 a call without the required power is refused", async () => {
    const { access_token } = await server.grant({ files: { roots: [tree], may: ["navigate"] } });
    expect((await call("cd", { path: tree }, access_token)).isError).not.toBe(true);
    for (const [name, args] of [
      ["index", { root: tree }],
      ["query-run", { filter: { name: "*" }, indexId: "ix1" }],
      ["resource-set-ops", { op: "create", name: "mine", indexId: "ix1" }],
    ] as const) {
      const refused = await call(name, args, access_token);
      expect([name, refused.structuredContent.error?.code]).toEqual([name, "insufficient_scope"]);
    }
    const seen = await call("inspect", { path: `${tree}/letters/invoice-1.pdf` }, access_token);
    expect(seen.structuredContent.urls).not.toHaveProperty("download");
  });

  test("S-01 E-07 missing tokens, owner tokens and tokens for the other lens are refused; revoking takes effect immediately", async () => {
    expect((await post("tools/list", {}, "")).status).toBe(401);
    expect((await post("tools/list", {}, server.owner)).status).toBe(403);
    const { access_token: records } = await server.grant({ all: true });
    expect((await post("tools/list", {}, records)).status).toBe(401);
    expect((await server.get("/v1/schema", { token })).status).toBe(401);
    const mine = await server.grant({ files: { roots: [tree] } });
    expect((await post("tools/list", {}, mine.access_token)).status).toBe(200);
    await server.call("POST", `/v1/grants/${mine.grant_id}/revoke`);
    const ended = await post("tools/list", {}, mine.access_token);
    expect(ended.status).toBe(403);
  });

  test("P-08 every call is in the log", async () => {
    await call("cd", { path: tree });
    const { data } = (await server.get("/v1/activity", { query: { limit: 1 } })).body;
    expect(data[0]).toMatchObject({ actor: "client", action: "files.cd", stream: "files", outcome: "ok" });
    expect(data[0].records).toBeGreaterThan(0);
  });
});
