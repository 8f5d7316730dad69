// npm run smoke -- URL: runs each step of the ladder on a deployed server. The exit code shows whether all steps
// succeeded.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { storedCredential } from "../../src/surfaces/cli/credentials.ts";
import { currentToken } from "../../src/surfaces/cli/stored-token.ts";
import { walk } from "./walk.ts";

const origin = URL.parse(process.argv[2] ?? "")?.origin;
if (origin === undefined || process.argv.length > 3) {
  console.error("npm run smoke -- URL, where URL is a server such as http://127.0.0.1:7887");
  process.exit(2);
}
const token = process.env.PDPP_ACCESS_TOKEN ?? (await stored(origin));
if (token === undefined) {
  console.error(`There is no grant for ${origin}. Get one: pdpp connect ${origin}; or set PDPP_ACCESS_TOKEN.`);
  process.exit(3);
}
process.exit((await smoke(origin, token)) ? 0 : 1);

async function stored(server: string): Promise<string | undefined> {
  const credential = storedCredential(server);
  return credential === undefined ? undefined : currentToken(credential);
}

async function smoke(server: string, bearer: string): Promise<boolean> {
  const headers = { Authorization: `Bearer ${bearer}` };
  const client = new Client({ name: "postern-smoke", version: "1" }, { versionNegotiation: { mode: "auto" } });
  try {
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server}/mcp`), { requestInit: { headers } }));
    let holds = true;
    for await (const { name, ok, detail } of walk({ client, download })) {
      holds &&= ok;
      console.log(`${ok ? "ok    " : "failed"}  ${name.padEnd(8)}  ${detail}`);
    }
    return holds;
  } catch (error) {
    console.log(`failed  connect   ${error instanceof Error ? error.message : String(error)}`);
    return false;
  } finally {
    await client.close().catch(() => undefined);
  }

  async function download(url: string): Promise<string> {
    const response = await fetch(url, { headers });
    if (!response.ok) throw new Error(`${url}: ${response.status}`);
    return response.text();
  }
}
