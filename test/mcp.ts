// The MCP server for tests: a server with a small library, a grant, and clients for both protocol eras.
import { type CallToolResult, Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { type Line, type Loose, type TestServer, type TestServerOptions, testServer } from "./harness.ts";
import { AUTHORS, BOOKS, book, LOANS, library } from "./library.ts";

export type Era = "legacy" | "modern";

export interface Result extends CallToolResult {
  structuredContent: Loose;
  /** The text of the result. */
  text: string;
}

export interface Gate {
  server: TestServer;
  /** Connections of the source `library`. */
  home: string;
  cabin: string;
  /** The token of a grant on everything at home and on the cabin's books. */
  token: string;
  call(tool: string, args?: object, token?: string): Promise<Result>;
  close(): Promise<void>;
}

/** Returns text with many numbered paragraphs. */
export const longText = (paragraphs: number): string =>
  Array.from({ length: paragraphs }, (_, index) => `Paragraph ${index}: the heron of day ${index} stood still.`).join(
    "\n\n",
  );

const CABIN: Line[] = [
  book("c01", { title: "Heron diary", notes: longText(800), published_at: "2024-05-01T00:00:00Z", genre: "diary" }),
  book("c02", { title: "Small heron", notes: "one heron, once", published_at: "2024-05-02T00:00:00Z", genre: "poem" }),
];

/** Sets up a library in two connections, and a grant to read it. */
export async function libraryGate(options: TestServerOptions = {}): Promise<Gate> {
  const server = await testServer(options);
  await server.register("library", library);
  const home = await server.connect("library", "Home shelf");
  const cabin = await server.connect("library", "Cabin shelf");
  await server.ingest("books", home, BOOKS);
  await server.ingest("authors", home, AUTHORS);
  await server.ingest("loans", home, LOANS);
  await server.ingest("books", cabin, CABIN);
  const selections = [{ connection_id: home }, { connection_id: cabin, stream: "books" }];
  const { access_token: token } = await server.grant({ selections });
  return {
    server,
    home,
    cabin,
    token,
    call: (tool, args = {}, other = token) => callTool(server.url, other, tool, args),
    close: () => server.close(),
  };
}

export const MCP_HEADERS = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };

/** Sends one JSON-RPC request, exactly as it is on the wire. */
export async function post(url: string, token: string, method: string, params: object = {}): Promise<Loose> {
  const response = await fetch(`${url}/mcp`, {
    method: "POST",
    headers: { ...MCP_HEADERS, Authorization: `Bearer ${token}` },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  return JSON.parse(await response.text());
}

export async function callTool(url: string, token: string, name: string, args: object): Promise<Result> {
  const answer = await post(url, token, "tools/call", { name, arguments: args });
  if (answer.result === undefined) throw new Error(`${name}: ${JSON.stringify(answer)}`);
  return { ...answer.result, text: answer.result.content[0].text };
}

/** Returns a real client that is connected. */
export async function connectClient(url: string, token: string, era: Era, path = "/mcp"): Promise<Client> {
  const client = new Client(
    { name: "test", version: "1" },
    { versionNegotiation: { mode: era === "legacy" ? "legacy" : { pin: "2026-07-28" } } },
  );
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url + path), {
      requestInit: { headers: { Authorization: `Bearer ${token}` } },
    }),
  );
  return client;
}

/** Returns the handles of a page's records, built as its `record_handle` describes. */
export const recordHandles = ({ data, record_handle }: Loose): string[] =>
  data.map((record: Loose) =>
    record_handle.replace(/\{(.+)\}$/, (_: string, key: string) => record.id ?? record.data[key]),
  );

/** Returns the last part of each handle, which is the source's id for the record. */
export const recordIds = (page: Loose): string[] =>
  recordHandles(page).map((handle) => decodeURIComponent(handle.slice(handle.indexOf(":") + 1)));

/** Builds a hit's address from the pattern stated in the result's text. */
export function citedIn(text: string, id: string): string {
  const [, connection, stream, record] = /^([^/]+)\/([^:]+):(.+)$/.exec(id)!;
  const pattern = /Cite id CONNECTION\/STREAM:RECORD as (\S+)/.exec(text)![1]!;
  return pattern.replace("CONNECTION", connection!).replace("STREAM", stream!).replace("RECORD", record!);
}

/** Returns the number of bytes of text and data together, as hosts that show both count them (C-04). */
export const resultBytes = (result: Pick<Result, "content" | "structuredContent">): number =>
  textAndDataBytes(result).reduce((sum, size) => sum + size);

/** Returns the number of bytes of the text and of the data, as the budgets count them. */
export const textAndDataBytes = ({
  content,
  structuredContent,
}: Pick<Result, "content" | "structuredContent">): number[] =>
  [content, structuredContent].map((half) => Buffer.byteLength(JSON.stringify(half)));
