// A real server with a separate home, and helpers for requests to it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { GuardedFetch } from "../src/auth/guarded-fetch.ts";
import type { Credential } from "../src/engine/caller.ts";
import { openDatabaseHome, openHome } from "../src/engine/home.ts";
import type { EngineHost } from "../src/engine/host.ts";
import { type RunningServer, type ServerOptions, startServer } from "../src/main.ts";
import type { DatabasePlace } from "../src/store/place.ts";
import { checkResponse } from "./response-check.ts";

// biome-ignore lint/suspicious/noExplicitAny: responses are what a foreign client would see: JSON without types.
export type Loose = any;

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The body as JSON, if it is JSON. */
  body: Loose;
}

/** Undefined values are omitted. */
export type Query = Record<string, string | number | undefined>;

export interface Ask {
  /** Defaults to the owner's token. null sends no token. */
  token?: string | null;
  query?: Query | [string, string][];
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Line {
  key: string | string[];
  data?: Record<string, unknown>;
  emitted_at?: string;
  op?: "upsert" | "delete";
  provenance?: Record<string, unknown>;
}

export interface Client {
  url: string;
  owner: string;
  call(method: string, path: string, ask?: Ask): Promise<Answer>;
  get(path: string, ask?: Ask): Promise<Answer>;
  /** Registers a source, and fails the test if the server refuses. */
  register(connectorKey: string, declaration: unknown): Promise<void>;
  connect(connectorKey: string, displayName?: string): Promise<string>;
  ingest(stream: string, connectionId: string, lines: readonly Line[]): Promise<Loose>;
  grant(request: Record<string, unknown>): Promise<Loose>;
  /** Reads every page of a list. */
  all(path: string, ask?: Ask): Promise<Loose[]>;
}

export interface TestServer extends Client {
  home: string;
  host: EngineHost;
  jobs: RunningServer["jobs"];
  files: RunningServer["files"];
  log: string[];
  close(): Promise<void>;
}

export const HOME_OWNER: Credential = { home: true };
export const EMITTED = "2024-06-01T00:00:00.000Z";

export interface TestServerOptions {
  /** A home that is kept when the server closes. */
  home?: string;
  /** An existing home that is removed with the server. */
  lent?: string;
  publicUrl?: string;
  proxies?: ServerOptions["proxies"];
  /** A fixed port, for tests that restart the server. */
  port?: number;
  /** How client metadata documents are fetched. */
  clientFetch?: GuardedFetch;
  /** How events are sent. */
  events?: ServerOptions["events"];
  /** The storage for blobs, exports and uploads, if it is not the home. */
  objects?: ServerOptions["objects"];
  operating?: ServerOptions["operating"];
}

export const newHome = (): string => mkdtempSync(join(tmpdir(), "pdpp-test-"));

export async function testServer(options: TestServerOptions = {}): Promise<TestServer> {
  const home = options.home ?? options.lent ?? newHome();
  const log: string[] = [];
  const server = await startServer({
    home,
    database: await databaseOf(home),
    objects: options.objects,
    port: options.port ?? 0,
    publicUrl: options.publicUrl,
    proxies: options.proxies,
    clientFetch: options.clientFetch,
    events: options.events,
    operating: options.operating,
    log: (text) => log.push(text),
  });
  const { url, host } = server;
  return {
    ...clientOf(url, await ownerToken(host)),
    home,
    host,
    jobs: server.jobs,
    files: server.files,
    log,
    async close() {
      await server.close();
      if (options.home === undefined) rmSync(home, { recursive: true, force: true });
    },
  };
}

/** True if these tests use a home directory. Otherwise they use PostgreSQL, where a few of them do not apply. */
export const ON_FILES = process.env.POSTERN_TEST_ENGINE !== "postgres";

/** Opens a home's engine in this process, as a command alongside the server does. */
export async function openBeside(home: string): Promise<EngineHost> {
  const database = await databaseOf(home);
  const note = (): void => undefined;
  return database === undefined ? openHome(home, { note }) : openDatabaseHome(home, database, { note });
}

/** Returns the home's database in a run on PostgreSQL. A home keeps its owner across restarts. */
export async function databaseOf(home: string): Promise<DatabasePlace | undefined> {
  if (ON_FILES) return undefined;
  const { ownerOfHome } = await import("./postgres.ts");
  return ownerOfHome(home);
}

async function ownerToken(host: EngineHost): Promise<string> {
  return (await host.call("issueOwnerToken", {}, HOME_OWNER)).access_token;
}

export function clientOf(url: string, owner: string): Client {
  const call: Client["call"] = async (method, path, { token = owner, query, body, headers = {} } = {}) => {
    const search = new URLSearchParams(pairsOf(query)).toString();
    // The server is in this process. After long work it closes idle connections, and fetch must notice that first.
    await nextTurn();
    const response = await fetch(url + path + (search === "" ? "" : `${path.includes("?") ? "&" : "?"}${search}`), {
      method,
      headers: { ...(token === null ? {} : { Authorization: `Bearer ${token}` }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    return readAnswer(method, response);
  };
  const must = async (method: string, path: string, ask: Ask): Promise<Loose> => {
    const answer = await call(method, path, ask);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  };
  return {
    url,
    owner,
    call,
    get: (path, ask) => call("GET", path, ask),
    async register(connectorKey, declaration) {
      await must("PUT", `/v1/connectors/${connectorKey}`, { body: declaration });
    },
    async connect(connectorKey, displayName) {
      const body = { connector_id: connectorKey, ...(displayName === undefined ? {} : { display_name: displayName }) };
      return (await must("POST", "/v1/connections", { body })).connection_id;
    },
    async ingest(stream, connectionId, lines) {
      const body = ndjson(lines);
      const report = await must("POST", `/v1/ingest/${stream}`, { query: { connection_id: connectionId }, body });
      if (report.records_rejected > 0) throw new Error(`refused: ${JSON.stringify(report.rejections)}`);
      return report;
    },
    grant: (request) => must("POST", "/v1/grants", { body: request }),
    async all(path, ask = {}) {
      const items: Loose[] = [];
      let cursor: string | undefined;
      do {
        const query = pairsOf(ask.query);
        const page = await must("GET", path, {
          ...ask,
          query: cursor === undefined ? query : [...query, ["cursor", cursor]],
        });
        items.push(...page.data);
        cursor = page.next_cursor;
      } while (cursor !== undefined);
      return items;
    },
  };
}

/** Returns a response after checking it against the OpenAPI document. */
export async function readAnswer(method: string, response: Response): Promise<Answer> {
  const { status, headers, url } = response;
  const text = await response.text();
  checkResponse(method, url, { status, text });
  return { status, headers, text, body: jsonOf(text) };
}

function pairsOf(query: Ask["query"] = []): [string, string][] {
  if (Array.isArray(query)) return query;
  return Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
}

export function ndjson(lines: readonly Line[]): string {
  return lines.map((line) => `${JSON.stringify({ emitted_at: EMITTED, ...line })}\n`).join("");
}

function jsonOf(text: string): Loose {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const ids = (records: readonly Loose[]): string[] => records.map((record) => record.id);
