// The whole way of an app to its data, driven by an independent OAuth client and an owner without JavaScript.
import * as oauth from "oauth4webapi";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newSetupLink } from "../../src/surfaces/web/sign-in.ts";
import { type TestServer, testServer } from "../harness.ts";
import { AUTHORS, BOOKS, library } from "../library.ts";
import { boxes, formWith, type OwnerBrowser, ownerBrowser, setUp } from "./owner-browser.ts";

let server: TestServer;
let browser: OwnerBrowser;

beforeAll(async () => {
  server = await testServer();
  browser = ownerBrowser(server.url);
  await server.register("library", library);
  const connection = await server.connect("library", "Town library");
  await server.ingest("books", connection, BOOKS);
  await server.ingest("authors", connection, AUTHORS);
  await setUp(browser, await newSetupLink(server.host, server.url));
});
afterAll(() => server.close());

test("P-03 code with PKCE", async () => {
  const http = { [oauth.allowInsecureRequests]: true };
  const issuer = new URL(server.url);
  const as = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...http }),
  );
  const client = await oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(
      as,
      { client_name: "Claude", redirect_uris: ["http://127.0.0.1:9999/cb"], token_endpoint_auth_method: "none" },
      http,
    ),
  );
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const authorize = new URL(as.authorization_endpoint!);
  for (const [name, value] of Object.entries({
    client_id: client.client_id,
    redirect_uri: "http://127.0.0.1:9999/cb",
    response_type: "code",
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    state,
    resource: `${server.url}/mcp`,
  })) {
    authorize.searchParams.set(name, value as string);
  }
  const page = await browser.get(authorize.href);
  expect(page.status, page.html).toBe(200);
  const form = formWith(page, "digest");
  const stream = boxes(page, "stream")[0]!;
  const fields = boxes(page, `field:${stream}`);
  const receipt = await browser.post(form.action, [
    ...form.fields,
    ["stream", stream],
    ...fields.map((field) => [`field:${stream}`, field] as const),
    ["decision", "allow"],
  ]);
  expect(receipt.status, receipt.html).toBe(200);
  const back = /href="([^"]*\/oauth\/authorize\/[^"]*)"/.exec(receipt.html)?.[1];
  const done = await browser.get(back!);
  expect(done.url).toContain("http://127.0.0.1:9999/cb?code=");
  const params = oauth.validateAuthResponse(as, client, new URL(done.url), state);
  const tokens = await oauth.processAuthorizationCodeResponse(
    as,
    client,
    await oauth.authorizationCodeGrantRequest(
      as,
      client,
      oauth.None(),
      params,
      "http://127.0.0.1:9999/cb",
      verifier,
      http,
    ),
  );
  console.log(tokens);
  const schema = await server.get("/v1/schema", { token: tokens.access_token });
  expect(schema.status, schema.text).toBe(200);
  const refreshed = await oauth.processRefreshTokenResponse(
    as,
    client,
    await oauth.refreshTokenGrantRequest(as, client, oauth.None(), tokens.refresh_token!, http),
  );
  console.log(refreshed);
});
