// SECURITY row 5: authorization codes that are replayed, stolen, guessed or expired; PKCE omitted or weakened; mix-up attacks.
import * as oauth from "oauth4webapi";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import {
  type Approved,
  answer,
  approved,
  ask,
  back,
  exchange,
  postForm,
  reads,
  refresh,
  refusal,
  register,
  type World,
  world,
} from "./world.ts";

let it: World;
let client: oauth.Client;

beforeAll(async () => {
  it = await world();
  client = await register(it);
});
afterAll(() => it.close());

const token = (done: Approved, change: Record<string, string | undefined> = {}) => {
  const fields = {
    grant_type: "authorization_code",
    client_id: client.client_id,
    code: done.params.get("code")!,
    redirect_uri: done.redirect,
    code_verifier: done.verifier,
    ...change,
  };
  const given = Object.entries(fields).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return postForm(it.as.token_endpoint!, given);
};

describe("SECURITY row 5: authorization codes", () => {
  test("a replayed code returns nothing, and everything issued the first time is revoked", async () => {
    const done = await approved(it, client);
    const tokens = await exchange(it, done);
    expect(await reads(it.server, tokens.access_token)).toEqual([200]);
    expect(await refusal(exchange(it, done))).toBe("invalid_grant");
    expect(await reads(it.server, tokens.access_token)).toEqual([403, "grant_revoked"]);
    expect(await refusal(refresh(it, client, tokens.refresh_token))).toBe("invalid_grant");
  });

  test("of 10 concurrent replays at most one gets a token, and that token is revoked", async () => {
    const done = await approved(it, client);
    const results = await Promise.all(Array.from({ length: 10 }, () => token(done)));
    const won = results.filter(({ status }) => status === 200);
    expect(won.length).toBeLessThanOrEqual(1);
    for (const { body } of won) expect(await reads(it.server, body.access_token)).toEqual([403, "grant_revoked"]);
    expect(new Set(results.filter(({ status }) => status !== 200).map(({ body }) => body.error))).toEqual(
      new Set(["invalid_grant"]),
    );
  });

  test.each<[string, (done: Approved) => Record<string, string | undefined>, string]>([
    ["another verifier", () => ({ code_verifier: oauth.generateRandomCodeVerifier() }), "invalid_grant"],
    ["no verifier", () => ({ code_verifier: undefined }), "invalid_grant"],
    [
      "the challenge as verifier",
      ({ href }) => ({ code_verifier: new URL(href).searchParams.get("code_challenge")! }),
      "invalid_grant",
    ],
    ["another redirect", () => ({ redirect_uri: "http://127.0.0.1:9999/other" }), "invalid_grant"],
    ["another port", () => ({ redirect_uri: "http://127.0.0.1:9998/cb" }), "invalid_grant"],
    ["a guessed code", () => ({ code: "x".repeat(43) }), "invalid_grant"],
    ["no code", () => ({ code: undefined }), "invalid_request"],
    ["an unknown client", () => ({ client_id: "cli_unknown" }), "invalid_client"],
    ["no client", () => ({ client_id: undefined }), "invalid_request"],
    ["another grant type", () => ({ grant_type: "password" }), "unsupported_grant_type"],
    ["client credentials", () => ({ grant_type: "client_credentials" }), "unsupported_grant_type"],
  ])("an exchange with %s is refused, and the correct exchange still works", async (_what, change, error) => {
    const done = await approved(it, client);
    const refused = await token(done, change(done));
    expect([refused.status >= 400, refused.body.error]).toEqual([true, error]);
    expect(refused.body.access_token).toBeUndefined();
    expect(refused.headers.get("cache-control")).toBe("no-store");
    expect((await token(done)).status).toBe(200);
  });

  test("another client's code is refused, and still works for its own client", async () => {
    const done = await approved(it, client);
    const other = await register(it);
    const stolen = await token(done, { client_id: other.client_id });
    expect(stolen.body.error).toBe("invalid_grant");
    expect((await token(done)).status).toBe(200);
    // A code that was already used does not let another client revoke anything either.
    const later = await approved(it, client);
    const tokens = await exchange(it, later);
    expect((await token(later, { client_id: other.client_id })).body.error).toBe("invalid_grant");
    expect(await reads(it.server, tokens.access_token)).toEqual([200]);
  });

  test("an expired code is refused", async () => {
    const done = await approved(it, client);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61_000 });
    try {
      expect((await token(done)).body.error).toBe("invalid_grant");
    } finally {
      vi.useRealTimers();
    }
  });

  test("a code is refused if its grant was revoked before the exchange", async () => {
    const done = await approved(it, client);
    const [newest] = await it.server.all("/v1/grants");
    await it.server.call("POST", `/v1/grants/${newest.grant.grant_id}/revoke`);
    expect((await token(done)).body.error).toBe("invalid_grant");
  });

  test("repeated parameters and bodies of another type or size are refused", async () => {
    const done = await approved(it, client);
    const doubled = await postForm(it.as.token_endpoint!, [
      ["grant_type", "authorization_code"],
      ["client_id", client.client_id],
      ["code", done.params.get("code")!],
      ["code", "other"],
      ["redirect_uri", done.redirect],
      ["code_verifier", done.verifier],
    ]);
    expect(doubled.body.error).toBe("invalid_request");
    const send = (body: string, type: string) =>
      fetch(it.as.token_endpoint!, { method: "POST", body, headers: { "content-type": type } });
    expect((await send("{}", "application/json")).status).toBe(400);
    expect((await send(`a=${"x".repeat(2_000_000)}`, "application/x-www-form-urlencoded")).status).toBeLessThan(500);
  });
});

describe("SECURITY row 5: PKCE", () => {
  test.each<[string, Record<string, string | undefined>]>([
    ["left out", { code_challenge: undefined, code_challenge_method: undefined }],
    ["plain", { code_challenge_method: "plain" }],
    ["plain because the method is omitted", { code_challenge_method: undefined }],
    ["of an unknown method", { code_challenge_method: "S512" }],
    ["too short", { code_challenge: "short" }],
  ])("a code challenge that is %s is refused before the owner is asked", async (_what, parameters) => {
    const asked = await ask(it, client, parameters);
    const page = await it.browser.get(asked.href);
    const { searchParams } = new URL(page.url);
    expect([searchParams.get("error"), searchParams.get("iss")]).toEqual(["invalid_request", it.url]);
  });
});

describe("SECURITY row 5: mix-up attacks", () => {
  test("a response contains its issuer, and the client refuses a response from another issuer", async () => {
    const asked = await ask(it, client);
    const receipt = await answer(it.browser, await it.browser.get(asked.href), { streams: [`${it.town}/authors`] });
    const done = await back(it.browser, receipt);
    expect(done.searchParams.get("iss")).toBe(it.as.issuer);
    const evil = new URL(done);
    evil.searchParams.set("iss", "https://evil.example");
    expect(() => oauth.validateAuthResponse(it.as, client, evil, asked.state)).toThrow(/iss/);
    evil.searchParams.delete("iss");
    expect(() => oauth.validateAuthResponse(it.as, client, evil, asked.state)).toThrow(/iss/);
    expect(() => oauth.validateAuthResponse(it.as, client, done, "other")).toThrow(/state/);
  });
});
