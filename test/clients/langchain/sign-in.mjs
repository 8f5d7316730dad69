// LangChain's adapter with OAuth: it registers, opens a browser, waits on loopback, and calls two tools with its token.
// It keeps its tokens in TOKENS_FILE and reuses them the next time.
import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { auth } from "@modelcontextprotocol/sdk/client/auth.js";

const [url] = process.argv.slice(2);
const file = process.env.TOKENS_FILE;
const listener = createServer().listen(0, "127.0.0.1");
await once(listener, "listening");
const redirectUrl = `http://127.0.0.1:${listener.address().port}/callback`;
const kept = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
const keep = (name) => (value) => {
  kept[name] = value;
  writeFileSync(file, JSON.stringify(kept));
};
const authProvider = {
  redirectUrl,
  clientMetadata: { client_name: "LangChain app", redirect_uris: [redirectUrl], token_endpoint_auth_method: "none" },
  clientInformation: () => kept.client,
  saveClientInformation: keep("client"),
  tokens: () => kept.tokens,
  saveTokens: keep("tokens"),
  codeVerifier: () => kept.verifier,
  saveCodeVerifier: keep("verifier"),
  redirectToAuthorization: (address) => void execFile("xdg-open", [address.href]),
};

if (kept.tokens === undefined && (await auth(authProvider, { serverUrl: url })) === "REDIRECT") {
  const [request, response] = await once(listener, "request");
  response.end("You can close this window.");
  const authorizationCode = new URL(request.url, redirectUrl).searchParams.get("code");
  await auth(authProvider, { serverUrl: url, authorizationCode });
}
listener.close();
listener.closeAllConnections();

const client = new MultiServerMCPClient({ mcpServers: { pdpp: { transport: "http", url, authProvider } } });
const tools = await client.getTools();
console.log(tools.map(({ name }) => name).join(" "));
const byName = Object.fromEntries(tools.map((tool) => [tool.name, tool]));
await byName.schema.invoke({});
await byName.search.invoke({ query: "lisbon" });
await client.close();
