// after a restart at any moment, clients, tokens, pending requests, codes and sessions continue to work.

import { rmSync } from "node:fs";
import * as oauth from "oauth4webapi";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newHome, type TestServer, testServer } from "../harness.ts";
import { typeUserCode } from "./approve.ts";
import {
  answer,
  approved,
  asDetails,
  ask,
  back,
  connected,
  detail,
  exchange,
  HTTP,
  reads,
  refresh,
  refusal,
  register,
  type World,
  world,
} from "./world.ts";

const DEVICE = "urn:ietf:params:oauth:grant-type:device_code";
const home = newHome();
let it: World;
let running: TestServer;

beforeAll(async () => {
  it = await world({ home });
  running = it.server;
});
afterAll(async () => {
  await running.close();
  rmSync(home, { recursive: true, force: true });
});

/** Starts a new server with the same home at the same address. */
async function restart(): Promise<void> {
  await running.close();
  running = await testServer({ home, port: Number(new URL(it.url).port) });
}

test("X-03 tokens, refresh tokens, clients and the owner's session survive", async () => {
  const { client, tokens } = await connected(it);
  const secret = await register(it, { token_endpoint_auth_method: "client_secret_basic" });
  const { tokens: guarded } = await connected(it, { client: secret });
  await restart();
  expect(await reads(running, tokens.access_token)).toEqual([200]);
  const second = await refresh(it, client, tokens.refresh_token);
  expect(await reads(running, second.access_token)).toEqual([200]);
  expect(await reads(running, (await refresh(it, secret, guarded.refresh_token)).access_token)).toEqual([200]);
  expect((await it.browser.get("/dashboard/apps")).url).toBe(`${it.url}/dashboard/apps`);
  // A refresh token that was used before the restart is still refused after it, and using it again revokes the grant.
  await refresh(it, client, second.refresh_token);
  await restart();
  expect(await refusal(refresh(it, client, tokens.refresh_token))).toBe("invalid_grant");
  expect(await reads(running, second.access_token)).toEqual([403, "grant_revoked"]);
});

test("X-03 an open consent page and an unused code survive", async () => {
  const client = await register(it);
  const asked = await ask(it, client, asDetails(detail([{ name: "authors", instance_ids: [it.town] }])));
  const page = await it.browser.get(asked.href);
  await restart();
  const receipt = await answer(it.browser, page);
  expect(receipt.status, receipt.html).toBe(200);
  await restart();
  const params = oauth.validateAuthResponse(it.as, client, await back(it.browser, receipt), asked.state);
  await restart();
  const tokens = await exchange(it, { ...asked, params });
  expect(await reads(running, tokens.access_token)).toEqual([200]);
  await restart();
  expect(await refusal(exchange(it, { ...asked, params }))).toBe("invalid_grant");
  expect(await reads(running, tokens.access_token)).toEqual([403, "grant_revoked"]);
});

test("X-03 a pushed request and a device code survive", async () => {
  const client = await register(it, { grant_types: ["authorization_code", "refresh_token", DEVICE] });
  const verifier = oauth.generateRandomCodeVerifier();
  const { request_uri } = await oauth.processPushedAuthorizationResponse(
    it.as,
    client,
    await oauth.pushedAuthorizationRequest(
      it.as,
      client,
      oauth.None(),
      {
        response_type: "code",
        redirect_uri: "http://127.0.0.1:9999/cb",
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
      },
      HTTP,
    ),
  );
  const { device_code, user_code } = await oauth.processDeviceAuthorizationResponse(
    it.as,
    client,
    await oauth.deviceAuthorizationRequest(it.as, client, oauth.None(), {}, HTTP),
  );
  await restart();
  const query = new URLSearchParams({ client_id: client.client_id, request_uri });
  const page = await it.browser.get(`${it.as.authorization_endpoint}?${query}`);
  expect(page.html).toContain('name="digest"');
  const consent = await typeUserCode(it.browser, user_code);
  await restart();
  await answer(it.browser, consent, { streams: [`${it.town}/authors`] });
  await restart();
  const tokens = await oauth.processDeviceCodeResponse(
    it.as,
    client,
    await oauth.deviceCodeGrantRequest(it.as, client, oauth.None(), device_code, HTTP),
  );
  expect(await reads(running, tokens.access_token)).toEqual([200]);
});

test("X-03 a cursor continues under the same token", async () => {
  const { tokens } = await connected(it, { streams: [`${it.town}/books`] });
  const page = (path: string, cursor?: string) =>
    running.get(path, { token: tokens.access_token, query: { limit: 5, cursor } });
  const first = (await page("/v1/streams/books/records")).body;
  await restart();
  const second = (await page("/v1/streams/books/records", first.next_cursor)).body;
  const seen = [...first.data, ...second.data].map(({ id }: { id: string }) => id);
  expect(new Set(seen).size).toBe(10);
});

test("X-03 a registered client without an approval can still request access after the restart", async () => {
  const client = await register(it);
  await restart();
  const done = await approved(it, client);
  expect(await reads(running, (await exchange(it, done)).access_token)).toEqual([200]);
});
