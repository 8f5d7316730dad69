// The mixed workload for measuring memory: pages, filters, counts and searches over REST, and tools over MCP.
import { recordAt, STREAM, wordOfRank } from "./data.ts";
import { type Client, openClient, requestHead } from "./http-client.ts";

const MCP_VERSION = "2025-11-25";

/** Returns a function that makes one call of each kind; `index` determines the record and the search word. */
export function mixedCalls(port: number, token: string, records: number) {
  const rest = (client: Client, target: string): Promise<string> =>
    client.send(requestHead("GET", target, port, token));
  const tool = (client: Client, name: string, args: object): Promise<string> => {
    const params = { name, arguments: args };
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }));
    const head = [
      "POST /mcp HTTP/1.1",
      `Host: 127.0.0.1:${port}`,
      `Authorization: Bearer ${token}`,
      "Content-Type: application/json",
      "Accept: application/json, text/event-stream",
      `MCP-Protocol-Version: ${MCP_VERSION}`,
      `Content-Length: ${body.length}`,
    ];
    return client.send(`${head.join("\r\n")}\r\n\r\n`, body);
  };
  return async (client: Client, index: number): Promise<void> => {
    const { id } = recordAt((index * 7919) % records, records);
    const word = wordOfRank(20 + (index % 2000));
    const base = `/v1/streams/${STREAM}`;
    await rest(client, `${base}/records/${encodeURIComponent(id)}`);
    await rest(client, `${base}/records?limit=100`);
    await rest(client, `${base}/records?limit=25&filter[amount][gte]=${index % 400}`);
    await rest(client, `${base}/aggregate?metric=count&group_by=category`);
    await rest(client, `/v1/search?q=${word}&limit=10`);
    await tool(client, "query_records", { stream: STREAM, limit: 25 });
    await tool(client, "search", { query: word });
    await tool(client, "fetch", { id: `${STREAM}:${id}` });
  };
}

/** Runs this many rounds, spread over several concurrent connections. */
export async function runMixed(
  { port, token, records }: { port: number; token: string; records: number },
  rounds: number,
): Promise<void> {
  const call = mixedCalls(port, token, records);
  const clients = await Promise.all(Array.from({ length: 4 }, () => openClient(port)));
  let next = 0;
  await Promise.all(
    clients.map(async (client) => {
      for (let index = next++; index < rounds; index = next++) await call(client, index);
      client.close();
    }),
  );
}
