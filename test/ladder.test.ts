// The ladder: every text that explains it uses the same words, and every call that it mentions works.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ERRORS } from "../src/contract/errors.ts";
import { LADDER, NOT_ENOUGH } from "../src/contract/ladder.ts";
import { ROUTES } from "../src/engine/calls/calls.ts";
import { FILE_ROUTES } from "../src/surfaces/files/routes.ts";
import { SHELL_TOOLS } from "../src/surfaces/files-mcp/tools.ts";
import { INSTRUCTIONS } from "../src/surfaces/mcp/instructions.ts";
import { TOOLS } from "../src/surfaces/mcp/tools.ts";
import { callTool, type Gate, libraryGate, post } from "./mcp.ts";
import { pdpp, printed } from "./pdpp.ts";

const RUNGS = ["discover", "preview", "window", "fetch", "export"];
const document = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
/** Ignores line breaks. */
const words = (text: string): string => text.replace(/\s+/g, " ");

let gate: Gate;
/** The token of a grant on the cabin's books only. */
let token: string;

beforeAll(async () => {
  gate = await libraryGate();
  const selections = [{ connection_id: gate.cabin, stream: "books" }];
  token = (await gate.server.grant({ selections })).access_token;
});
afterAll(() => gate.close());

const get = (path: string, accept = "*/*") => gate.server.get(path, { token: null, headers: { Accept: accept } });

describe("L-08 the same words everywhere", () => {
  it("L-08 the rungs are discover, preview, window, fetch and export", () => {
    expect(LADDER.map(({ name }) => name)).toEqual(RUNGS);
  });

  it("L-08 instructions, README, docs/build/ladder.md, llms.txt and llms-full.txt list the rungs in order, and say what to do if a preview is not enough", async () => {
    const texts: Record<string, string> = {
      instructions: INSTRUCTIONS,
      readme: document("README.md"),
      ladder: document("docs/build/ladder.md"),
      llms: (await get("/llms.txt")).text,
      llmsFull: (await get("/llms-full.txt")).text,
    };
    const inOrder = new RegExp(RUNGS.map((name) => `\\b${name}\\b`).join("[\\s\\S]*?"));
    for (const [where, text] of Object.entries(texts)) {
      expect(text, where).toMatch(inOrder);
      expect(words(text), where).toContain(NOT_ENOUGH);
    }
  });

  it("L-08 each tool says which rung it is", async () => {
    const { result } = await post(gate.server.url, token, "tools/list");
    const texts = Object.fromEntries(
      result.tools.map((tool: { name: string; title: string; description: string }) => [
        tool.name,
        `${tool.title} ${tool.description}`.toLowerCase(),
      ]),
    );
    expect(texts.schema).toContain("discover");
    expect(texts.search).toContain("preview");
    expect(texts.search).toContain("window");
    expect(texts.search).toContain("fetch");
    expect(texts.query_records).toContain("preview");
    expect(texts.query_records).toContain("window");
    expect(texts.fetch).toContain("window");
    expect(texts.fetch).toContain("export");
  });

  it("L-08 the discovery index contains the ladder, and OAuth metadata links to llms.txt", async () => {
    const { server } = gate;
    const index = (await get("/")).body;
    expect(index.ladder.map(({ step }: { step: string }) => step)).toEqual(RUNGS);
    expect(index).toMatchObject({ mcp: `${server.url}/mcp`, llms: `${server.url}/llms.txt` });
    const resource = (await get("/.well-known/oauth-protected-resource/mcp")).body;
    expect(resource.resource_documentation).toBe(`${server.url}/llms.txt`);
    const authorization = (await get("/.well-known/oauth-authorization-server")).body;
    expect(authorization.service_documentation).toBe(`${server.url}/llms.txt`);
    for (const name of ["openapi", "errors", "protected_resource", "authorization_server", "llms_full"])
      expect((await get(new URL(index[name]).pathname)).status, name).toBe(200);
  });

  it("L-08 docs/build/ladder.md shows the calls of every rung as they are in the code", () => {
    const sections = document("docs/build/ladder.md").split("\n## ");
    for (const { name, says, mcp, rest, cli } of LADDER) {
      const section = sections.find((text) => text.startsWith(`${name}\n`)) ?? "";
      for (const told of [says, mcp, rest, cli]) expect(words(section), name).toContain(told);
    }
  });
});

describe("every call that the ladder mentions works", () => {
  const filled = (text: string): string =>
    text
      .replaceAll("CONNECTION", gate.cabin)
      .replaceAll("STREAM", "books")
      .replaceAll("WORDS", "heron")
      .replaceAll("FIELD", "notes")
      .replaceAll("ID", "c01");

  it("E-24 L-08 every call works on REST", async () => {
    const calls = LADDER.flatMap(({ rest }) =>
      [...rest.matchAll(/GET (\/v1[^,\s]*)/g)].map(([, path]) => filled(path!)),
    );
    expect(calls.length).toBeGreaterThanOrEqual(RUNGS.length);
    for (const path of calls) expect((await gate.server.get(path, { token })).status, path).toBe(200);
  });

  it("E-24 L-08 every call works on MCP", async () => {
    const call = (tool: string, args: object) => callTool(gate.server.url, token, tool, args);
    const shown = `${(await call("search", { query: "heron" })).text}\n${(await call("query_records", { stream: "books", limit: 1 })).text}`;
    const calls = LADDER.flatMap(({ mcp }) => [...mcp.matchAll(/(\w+)\((\{.*?\})\)/g)]);
    expect(new Set(calls.map(([, tool]) => tool))).toEqual(new Set(TOOLS.map(({ definition }) => definition.name)));
    for (const [, tool, args] of calls) {
      const given = filled(args!).replace(
        /pdpp:\/\/[\w-]+\/…/,
        (beginning) => new RegExp(`${beginning.slice(0, -1)}[^\\s"\\\\)]+`).exec(shown)![0],
      );
      const { isError, text } = await call(tool!, JSON.parse(given));
      expect(isError, `${tool} ${given}: ${text}`).toBeUndefined();
    }
  });

  it("E-24 L-08 every call works in the CLI", async () => {
    const commands = LADDER.flatMap(({ cli }) => cli.split(/, (?:then )?/)).map(filled);
    for (const command of commands) {
      const [, ...args] = command.replace(" --output FILE", "").split(" ");
      const run = await pdpp([...args, "--server", gate.server.url], { env: { PDPP_ACCESS_TOKEN: token } });
      expect(run.code, `${command}: ${run.stderr}`).toBe(0);
    }
  });
});

describe("L-12 the CLI", () => {
  const at = (args: readonly string[]) =>
    pdpp([...args, "--server", gate.server.url], { env: { PDPP_ACCESS_TOKEN: token } });
  const file = join(mkdtempSync(join(tmpdir(), "pdpp-ladder-")), "books.jsonl");
  afterAll(() => rmSync(dirname(file), { recursive: true }));

  it.each<[string, () => string[]]>([
    ["schema", () => []],
    ["query", () => ["books"]],
    ["aggregate", () => ["books", "count"]],
    ["search", () => ["heron"]],
    ["fetch", () => ["books:c01"]],
    ["read", () => ["books:c01", "--field", "notes"]],
    ["export", () => ["books", "--output", file, "--yes"]],
    ["connections", () => []],
  ])("L-12 pdpp %s has --json, which also applies to errors", async (command, args) => {
    expect((await at([command, ...args(), "--json"])).json).toBeTypeOf("object");
    const failed = await at([command, ...args(), "--json", "--token", "pdpp_at_nothing"]);
    expect(failed.code).toBe(3);
    expect(failed.json.error).toMatchObject({ code: "authentication_error", next_step: expect.any(String) });
  });

  it("L-12 a search is compact: three lines per hit, however long the record is", async () => {
    const { stdout, stderr } = await at(["search", "heron"]);
    expect(stdout.trim().split("\n")).toHaveLength(1 + 2 * 3);
    expect(stdout.length).toBeLessThan(1_500);
    expect(stderr).toContain("To read one in full: pdpp fetch");
  });

  it("L-12 a long field can be read in windows: by offset, around words, and from there to the end", async () => {
    const piece = await at(["read", "books:c01", "--field", "notes", "--offset", "100", "--limit", "50"]);
    expect(piece.stdout.trimEnd()).toHaveLength(50);
    expect(piece.stderr).toContain("characters 100 to 150 of");
    const around = await at([
      "read",
      "books:c01",
      "--field",
      "notes",
      "--around",
      "day 77",
      "--before",
      "10",
      "--after",
      "10",
    ]);
    expect(around.stdout.length).toBeLessThan(30);
    const next = await at(
      printed(piece, "Next").filter((word, index, all) => word !== "--server" && all[index - 1] !== "--server"),
    );
    expect(next.stderr).toContain("characters 150 to 200 of");
    const whole = await at(["fetch", "books:c01"]);
    expect(whole.stdout.length).toBeLessThan(10_000);
    expect(whole.stderr).toContain("All of notes: pdpp read");
  });
});

describe("E-24 llms.txt", () => {
  it("E-24 mentions this server, its MCP address and pdpp connect, and asks for no owner credential or choice of surface", async () => {
    for (const path of ["/llms.txt", "/llms-full.txt"]) {
      const { status, headers, text } = await get(path);
      expect(status).toBe(200);
      expect(headers.get("content-type")).toBe("text/plain; charset=utf-8");
      expect(text).toContain(`\`${gate.server.url}/mcp\``);
      expect(text).toContain(`\`pdpp connect ${gate.server.url}\``);
      expect(text).not.toMatch(/owner token|owner_token=|PDPP_OWNER|pdpp owner|profile|toolset/i);
      expect(text.startsWith("# Postern\n\n> ")).toBe(true);
    }
    expect(Buffer.byteLength((await get("/llms.txt")).text)).toBeLessThan(6_000);
  });

  it("E-24 its links belong to this server and work", async () => {
    const text = (await get("/llms.txt")).text;
    const links = [...text.matchAll(/\]\((http[^)]+)\)/g)].map(([, link]) => new URL(link!));
    expect(links.length).toBeGreaterThan(3);
    for (const link of links) {
      expect(link.origin).toBe(gate.server.url);
      expect((await get(link.pathname)).status, link.href).toBe(200);
    }
  });

  it("E-24 llms-full.txt lists every tool, argument, readable route and read error, generated from the tables", async () => {
    const { text } = await get("/llms-full.txt");
    expect(text).toContain(INSTRUCTIONS);
    expect(text).toContain("/files/mcp");
    for (const { method, path, needs } of FILE_ROUTES)
      if (needs !== "owner") expect(text).toContain(`- \`${method} ${path}\``);
    for (const { definition } of [...TOOLS, ...SHELL_TOOLS]) {
      expect(text).toContain(`- \`${definition.name}\`: ${definition.description}`);
      for (const argument of Object.keys(definition.inputSchema.properties)) expect(text).toContain(argument);
    }
    for (const { method, path, access, parameters } of ROUTES) {
      const listed = text.split("\n").find((line) => line.startsWith(`- \`${method} ${path}\``));
      expect(listed !== undefined, path).toBe(access === "app");
      if (listed !== undefined) for (const name of Object.keys(parameters)) expect(listed).toContain(name);
    }
    for (const code of ["ambiguous_connection", "stale_handle", "grant_revoked"] as const)
      expect(text).toContain(`- \`${code}\` (${ERRORS[code].status}): ${ERRORS[code].next}`);
  });
});

describe("GET /", () => {
  it("E-24 shows people the address for apps, llms.txt, the authorization server and their apps", async () => {
    const { status, text, headers } = await get("/", "text/html");
    expect(status).toBe(200);
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(text).toContain(`${gate.server.url}/mcp`);
    for (const href of ["/llms.txt", "/dashboard", "/.well-known/oauth-authorization-server", "/openapi.json"])
      expect(text).toContain(`href="${href}"`);
  });
});
