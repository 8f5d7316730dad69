// App requests (without details, pushed, for either of two audiences), and the responses.
import * as oauth from "oauth4webapi";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Loose } from "../harness.ts";
import { boxes, formWith, ownerBrowser } from "./owner-browser.ts";
import {
  answer,
  approved,
  asDetails,
  ask,
  back,
  connected,
  consentPage,
  detail,
  exchange,
  grantCount,
  HTTP,
  reads,
  refusal,
  register,
  ticked,
  type World,
  world,
} from "./world.ts";

let it: World;
let client: oauth.Client;
let town: (stream: string) => string;

beforeAll(async () => {
  it = await world();
  client = await register(it);
  town = (stream) => `${it.town}/${stream}`;
});
afterAll(() => it.close());

describe("X-07 a request without details", () => {
  test("the page offers everything and ticks nothing", async () => {
    const page = await consentPage(it, client);
    expect(page.status).toBe(200);
    expect(boxes(page, "stream").sort()).toEqual(
      [it.town, it.cabin, it.archive]
        .flatMap((id) => ["books", "authors", "loans"].map((name) => `${id}/${name}`))
        .sort(),
    );
    expect(ticked(page)).toEqual([]);
    expect(page.html).toContain("It did not ask for anything specific");
  });

  test("submitting without a selection grants nothing, shows a message, and keeps the other choices", async () => {
    const before = await grantCount(it);
    const page = await consentPage(it, client);
    const again = await answer(it.browser, page, { streams: [], duration: "1h" });
    expect(again.status).toBe(409);
    expect(again.html).toContain("Nothing is chosen; choose at least one stream, or deny.");
    expect(formWith(again, "digest").fields).toContainEqual(["duration", "1h"]);
    expect(await grantCount(it)).toBe(before);
    const receipt = await answer(it.browser, again, { streams: [town("authors")] });
    expect(receipt.status).toBe(200);
    expect(receipt.html).toContain("may now see this");
    expect(await grantCount(it)).toBe(before + 1);
  });
});

describe("P-03 pushed requests (RFC 9126)", () => {
  const push = async (parameters: Record<string, string>): Promise<Loose> =>
    oauth.processPushedAuthorizationResponse(
      it.as,
      client,
      await oauth.pushedAuthorizationRequest(it.as, client, oauth.None(), parameters, HTTP),
    );

  test("a pushed request leads to the same page, and works only once", async () => {
    const verifier = oauth.generateRandomCodeVerifier();
    const { request_uri, expires_in } = await push({
      response_type: "code",
      redirect_uri: "http://127.0.0.1:9999/cb",
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      ...asDetails(detail([{ name: "authors", instance_ids: [it.town] }])),
    });
    expect(expires_in).toBeGreaterThan(0);
    const href = new URL(it.as.authorization_endpoint!);
    href.searchParams.set("client_id", client.client_id);
    href.searchParams.set("request_uri", request_uri);
    const page = await it.browser.get(href.href);
    expect(ticked(page)).toEqual([town("authors")]);
    const done = await back(it.browser, await answer(it.browser, page));
    const params = oauth.validateAuthResponse(it.as, client, done, oauth.expectNoState);
    const tokens = await exchange(it, {
      client,
      params,
      verifier,
      redirect: "http://127.0.0.1:9999/cb",
      state: "",
      href: "",
    });
    expect(await reads(it.server, tokens.access_token)).toEqual([200]);
    const again = await ownerBrowser(it.url).get(href.href);
    expect(again.status).toBeGreaterThanOrEqual(300);
    expect(again.html).not.toContain('name="digest"');
  });

  test("another client's pushed request is refused", async () => {
    const other = await register(it);
    const { request_uri } = await push({
      response_type: "code",
      redirect_uri: "http://127.0.0.1:9999/cb",
      code_challenge: "x".repeat(43),
      code_challenge_method: "S256",
    });
    const page = await it.browser.get(
      `${it.as.authorization_endpoint}?${new URLSearchParams({ client_id: other.client_id, request_uri })}`,
    );
    expect(page.html).not.toContain('name="digest"');
  });
});

describe("P-03 responses to the app", () => {
  test("a denial returns access_denied with iss and state", async () => {
    const asked = await ask(it, client);
    const denied = await answer(it.browser, await it.browser.get(asked.href), { decision: "deny" });
    expect(denied.html).toContain("gets nothing");
    const { searchParams } = await back(it.browser, denied);
    expect(Object.fromEntries(searchParams)).toEqual({
      error: "access_denied",
      error_description: "the owner denied the request",
      state: asked.state,
      iss: it.url,
    });
  });

  test("errors that occur before the owner is asked have iss too", async () => {
    for (const [parameters, error] of [
      [{ response_type: "code id_token" }, "unsupported_response_type"],
      [{ resource: "https://evil.example/mcp" }, "invalid_target"],
      [{ authorization_details: "[" }, "invalid_authorization_details"],
      [{ prompt: "none" }, "interaction_required"],
    ] as const) {
      const { hash, search } = new URL((await consentPage(it, client, parameters)).url);
      const searchParams = new URLSearchParams(search || hash.slice(1));
      expect([searchParams.get("error"), searchParams.get("iss")]).toEqual([error, it.url]);
    }
  });

  test("only the query response mode is supported, not fragment or form_post", async () => {
    for (const response_mode of ["fragment", "form_post", "jwt"]) {
      const { searchParams } = new URL((await consentPage(it, client, { response_mode })).url);
      expect(searchParams.get("error")).toBe("unsupported_response_mode");
      const early = new URL((await consentPage(it, client, { response_mode, authorization_details: "[" })).url);
      expect(early.searchParams.get("error")).toBe("unsupported_response_mode");
    }
  });

  test("a second click on Allow creates no second grant", async () => {
    const before = await grantCount(it);
    const page = await consentPage(it, client);
    const twice = await Promise.all([1, 2, 3].map(() => answer(it.browser, page, { streams: [town("authors")] })));
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expect((await answer(it.browser, page, { decision: "deny" })).status).toBe(400);
    expect(await grantCount(it)).toBe(before + 1);
  });
});

describe("the authorization endpoint", () => {
  test.each<[string, Record<string, string>]>([
    ["prompt=consent", { prompt: "consent" }],
    ["prompt=login", { prompt: "login" }],
    ["prompt=login consent", { prompt: "login consent" }],
    ["scope=read offline_access", { scope: "read offline_access" }],
    ["scope=openid", { scope: "openid profile" }],
    ["unknown scopes", { scope: "mail.write admin" }],
    ["a hint and a locale", { login_hint: "nora", ui_locales: "ga" }],
    ["client_display", { client_display: JSON.stringify({ name: "Other" }) }],
    ["two resources of one lens", { resource: "RESOURCE" }],
  ])("%s: asks the owner once and returns a token", async (_what, parameters) => {
    const own = JSON.parse(JSON.stringify(parameters).replace("RESOURCE", `${it.url}/v1`));
    const { tokens } = await connected(it, { client, parameters: own });
    expect(tokens.scope).toBe("read");
    expect(tokens.id_token).toBeUndefined();
    expect(await reads(it.server, tokens.access_token)).toEqual([200]);
  });

  test("refuses POST", async () => {
    const { href } = await ask(it, client);
    const { search } = new URL(href);
    const posted = await it.browser.post(it.as.authorization_endpoint!, [...new URLSearchParams(search)]);
    expect(posted.status).toBe(405);
  });
});

describe("two audiences: records and files", () => {
  test("S-01 a request for files without an approved root shows a message, and nothing can be granted", async () => {
    const before = await grantCount(it);
    for (const resource of ["/files/mcp", "/api"]) {
      const page = await consentPage(it, client, { resource: it.url + resource });
      expect(page.html).toContain("An app is asking to browse your files");
      expect(page.html).toContain("<code>pdpp files roots add PATH</code>");
      expect([boxes(page, "stream"), boxes(page, "may")]).toEqual([[], []]);
      const again = await answer(it.browser, page, { streams: [town("books")] });
      expect(again.status).toBe(409);
    }
    const { href } = await ask(it, client, { resource: `${it.url}/files/mcp` });
    const both = await it.browser.get(`${href}&resource=${encodeURIComponent(`${it.url}/api`)}`);
    expect(both.html).toContain("An app is asking to browse your files");
    expect(boxes(both, "stream")).toEqual([]);
    expect(await grantCount(it)).toBe(before);
  });

  test("a request is for one audience, and its code works only for that audience", async () => {
    const { href } = await ask(it, client, { resource: `${it.url}/mcp` });
    const both = new URL((await it.browser.get(`${href}&resource=${encodeURIComponent(`${it.url}/files/mcp`)}`)).url);
    expect(both.searchParams.get("error")).toBe("invalid_target");
    for (const resource of ["/files/mcp", "/api", "/elsewhere"]) {
      const done = await approved(it, client, { parameters: { resource: `${it.url}/mcp` } });
      const taken = oauth.authorizationCodeGrantRequest(
        it.as,
        client,
        oauth.None(),
        done.params,
        done.redirect,
        done.verifier,
        {
          ...HTTP,
          additionalParameters: { resource: it.url + resource },
        },
      );
      expect(
        await refusal(taken.then((response) => oauth.processAuthorizationCodeResponse(it.as, client, response))),
      ).toBe("invalid_target");
    }
  });

  test("a record grant returns no token for files", async () => {
    const { tokens } = await connected(it, { client });
    const token = { hash: "of-nothing", id: tokens.grant_id, expiresAt: Date.now() + 60_000 };
    const issued = it.server.host.call("issueToken", { ...token, audience: "files" }, { home: true });
    await expect(issued).rejects.toMatchObject({ code: "grant_invalid" });
  });
});
