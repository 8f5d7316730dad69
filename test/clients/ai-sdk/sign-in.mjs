// The AI SDK with OAuth: it registers, opens a browser, waits on loopback, and calls two tools with its token. It keeps
// its tokens in TOKENS_FILE and reuses them the next time.
import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { auth, createMCPClient } from "@ai-sdk/mcp";

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
const provider = {
  redirectUrl,
  clientMetadata: { client_name: "AI SDK app", redirect_uris: [redirectUrl], token_endpoint_auth_method: "none" },
  clientInformation: () => kept.client,
  saveClientInformation: keep("client"),
  isClientInformationDynamicallyRegistered: () => true,
  authorizationServerInformation: () => kept.server,
  saveAuthorizationServerInformation: keep("server"),
  tokens: () => kept.tokens,
  saveTokens: keep("tokens"),
  codeVerifier: () => kept.verifier,
  saveCodeVerifier: keep("verifier"),
  state: () => crypto.randomUUID(),
  saveState: keep("state"),
  storedState: () => kept.state,
  redirectToAuthorization: (address) => void execFile("xdg-open", [address.href]),
};

if ((await auth(provider, { serverUrl: url })) === "REDIRECT") {
  const [request, response] = await once(listener, "request");
  response.end("You can close this window.");
  const back = new URL(request.url, redirectUrl).searchParams;
  await auth(provider, {
    serverUrl: url,
    authorizationCode: back.get("code"),
    callbackState: back.get("state"),
    callbackIssuer: back.get("iss"),
  });
}
listener.close();
listener.closeAllConnections();

const client = await createMCPClient({ transport: { type: "http", url, authProvider: provider } });
const tools = await client.tools();
console.log(Object.keys(tools).join(" "));
const options = { messages: [], toolCallId: "1" };
await tools.schema.execute({}, options);
await tools.search.execute({ query: "lisbon" }, options);
await client.close();
