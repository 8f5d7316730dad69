// Revoking during 50 concurrent reads: no response with data starts after the revoke call has returned.
import { type IncomingMessage, ServerResponse } from "node:http";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Loose } from "../harness.ts";
import { book } from "../library.ts";
import { MCP_HEADERS } from "../mcp.ts";
import { formWith } from "./owner-browser.ts";
import { connected, refresh, refusal, type World, world } from "./world.ts";

const READERS = 50;

let it: World;
/** The server's responses in the order in which they started, each with its request and status. */
const started: { asked: string; status: number }[] = [];

beforeAll(async () => {
  const original = ServerResponse.prototype.writeHead;
  vi.spyOn(ServerResponse.prototype, "writeHead").mockImplementation(function writeHead(
    this: ServerResponse<IncomingMessage>,
    ...args: Loose[]
  ) {
    started.push({ asked: `${this.req.method} ${this.req.url}`, status: args[0] });
    return original.apply(this, args as [number]);
  });
  it = await world();
  const many = Array.from({ length: 2000 }, (_, n) => book(`n${n}`, { title: `Title ${n}`, notes: "x".repeat(500) }));
  await it.server.ingest("books", it.cabin, many);
});
afterAll(async () => {
  vi.restoreAllMocks();
  await it.close();
});

const PLACES = [
  "/v1/streams/books/records?limit=100",
  "/v1/schema",
  "/v1/search?q=title&limit=20",
  "/v1/streams/books/aggregate?metric=count",
  "/v1/streams/books/records/n7",
];

const TOOLS = [
  { name: "query_records", arguments: { stream: "books", limit: 20 } },
  { name: "search", arguments: { query: "title" } },
];

async function reader(token: string, index: number, isOver: () => boolean): Promise<void> {
  const headers = { Authorization: `Bearer ${token}` };
  for (let n = index; !isOver(); n++) {
    const place = PLACES[n % (PLACES.length + TOOLS.length)];
    const response = await (place === undefined
      ? fetch(`${it.url}/mcp`, {
          method: "POST",
          headers: { ...headers, ...MCP_HEADERS },
          body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: TOOLS[n % TOOLS.length] }),
        })
      : fetch(it.url + place, { headers }));
    const body = (await response.json()) as Loose;
    const code = body.error?.code ?? body.result?.structuredContent?.error?.code;
    if (code !== undefined) expect(code).toBe("grant_revoked");
  }
}

interface Race {
  tokens: Loose;
  client: Loose;
  /**
   * The number of reads that returned before the revoke call's response, and the statuses of reads whose responses
   * started after it.
   */
  before: number;
  after: number[];
}

async function race(asked: string, revoke: (tokens: Loose) => Promise<void>): Promise<Race> {
  const { tokens, client } = await connected(it, { streams: [`${it.cabin}/books`] });
  started.length = 0;
  let over = false;
  const readers = Array.from({ length: READERS }, (_, index) => reader(tokens.access_token, index, () => over));
  await expect.poll(() => started.length).toBeGreaterThan(READERS);
  await revoke(tokens);
  const revokedAt = started.findIndex((response) => response.asked.startsWith(asked));
  expect(revokedAt).toBeGreaterThan(0);
  await expect.poll(() => started.length - revokedAt).toBeGreaterThan(2 * READERS);
  over = true;
  await Promise.all(readers);
  const isRead = ({ asked: what }: { asked: string }): boolean =>
    what === "POST /mcp" || PLACES.some((path) => what === `GET ${path}`);
  return {
    tokens,
    client,
    before: started.slice(0, revokedAt).filter((response) => isRead(response) && response.status === 200).length,
    after: started
      .slice(revokedAt + 1)
      .filter(isRead)
      .map(({ status }) => status),
  };
}

const words = ({ before, after }: Race): string =>
  `${READERS} readers: ${before} responses before the revoke, ${after.length} after it, ` +
  `${after.filter((status) => status === 200).length} of them with data`;

test("no response with data starts after the owner's revoke call has returned", async () => {
  const result = await race("POST /v1/grants/", async ({ grant_id }) => {
    expect((await it.server.call("POST", `/v1/grants/${grant_id}/revoke`)).status).toBe(200);
  });
  console.log(words(result));
  expect(result.before).toBeGreaterThan(0);
  expect(new Set(result.after)).toEqual(new Set([403]));
  expect(await refusal(refresh(it, result.client, result.tokens.refresh_token))).toBe("invalid_grant");
});

test("no response with data starts after a revocation on the apps page", async () => {
  const result = await race(`POST /~${it.browser.key}/dashboard/apps`, async ({ grant_id }) => {
    const page = await it.browser.get("/dashboard/apps");
    const csrf = formWith(page, "csrf").fields.find(([name]) => name === "csrf")!;
    const done = await it.browser.post("/dashboard/apps", [csrf, ["id", grant_id]]);
    expect(done.url).toContain("done=revoked");
  });
  console.log(words(result));
  expect(new Set(result.after)).toEqual(new Set([403]));
});
