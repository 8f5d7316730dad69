// What apps ask for and what the owner makes of it: details prefilled, nothing said, packages, stale and tampered answers.
import * as oauth from "oauth4webapi";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Loose } from "../harness.ts";
import { library } from "../library.ts";
import { boxes, formWith, ownerBrowser, type Page } from "./owner-browser.ts";
import {
  answer,
  approved,
  asDetails,
  ask,
  back,
  type Choice,
  connected,
  detail,
  exchange,
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
let cabin: (stream: string) => string;

beforeAll(async () => {
  it = await world();
  client = await register(it);
  town = (stream) => `${it.town}/${stream}`;
  cabin = (stream) => `${it.cabin}/${stream}`;
});
afterAll(() => it.close());

const shown = async (parameters: Record<string, string | undefined> = {}): Promise<Page> =>
  it.browser.get((await ask(it, client, parameters)).href);
const granted = async (): Promise<number> => (await it.server.all("/v1/grants")).length;
const streamsOf = (tokens: Loose): Loose[] => tokens.authorization_details.flatMap((one: Loose) => one.streams);
const forDetails = (details: object[], choice: Choice = {}) =>
  connected(it, { client, parameters: asDetails(...details), ...choice });

describe("X-07 a request that says nothing", () => {
  test("offers everything and chooses nothing", async () => {
    const page = await shown();
    expect(page.status).toBe(200);
    expect(boxes(page, "stream").sort()).toEqual(
      [it.town, it.cabin, it.archive]
        .flatMap((id) => ["books", "authors", "loans"].map((name) => `${id}/${name}`))
        .sort(),
    );
    expect(ticked(page)).toEqual([]);
    expect(page.html).toContain("It did not say what it wants");
  });

  test("sent as it came gives nothing, says so, and keeps what was chosen", async () => {
    const before = await granted();
    const page = await shown();
    const again = await answer(it.browser, page, { streams: [], duration: "1h" });
    expect(again.status).toBe(409);
    expect(again.html).toContain("Nothing is chosen; choose at least one stream, or deny.");
    expect(formWith(again, "digest").fields).toContainEqual(["duration", "1h"]);
    expect(await granted()).toBe(before);
    const receipt = await answer(it.browser, again, { streams: [town("authors")] });
    expect(receipt.status).toBe(200);
    expect(receipt.html).toContain("may now read this");
    expect(await granted()).toBe(before + 1);
  });
});

describe("P-03 a request with details", () => {
  test("is prefilled: what is required is chosen, what is optional is not", async () => {
    const page = await shown(
      asDetails(
        detail([
          { name: "loans", instance_ids: [it.town] },
          { name: "authors", instance_ids: [it.town], necessity: "optional" },
        ]),
      ),
    );
    expect(boxes(page, "stream").sort()).toEqual([town("authors"), town("loans")]);
    expect(ticked(page)).toEqual([town("loans")]);
  });

  test("several connections can serve it: the owner chooses, one is enough", async () => {
    const page = await shown(asDetails(detail([{ name: "books" }])));
    expect(boxes(page, "stream").sort()).toEqual([town("books"), cabin("books")].sort());
    expect(ticked(page)).toEqual([]);
    const { tokens } = await forDetails([detail([{ name: "books" }])], { streams: [cabin("books")] });
    expect(streamsOf(tokens)).toMatchObject([{ name: "books", instance_ids: [it.cabin] }]);
    expect(tokens.grant_id).toBeDefined();
  });

  test("fields, view, time range, single records and instances bound what is granted", async () => {
    const { tokens } = await forDetails([
      detail([
        {
          name: "books",
          instance_ids: [it.town],
          view: "card",
          time_range: { since: "2024-01-15T00:00:00Z", until: "2024-12-01T00:00:00Z" },
          resources: ["b03", "b05", "b11"],
        },
        { name: "authors", instance_ids: [it.town], fields: ["name"] },
      ]),
    ]);
    expect(streamsOf(tokens)).toEqual([
      {
        name: "books",
        instance_ids: [it.town],
        fields: ["id", "title", "genre"],
        time_range: { since: "2024-01-15T00:00:00Z", until: "2024-12-01T00:00:00Z" },
        resources: ["b03", "b05", "b11"],
      },
      { name: "authors", instance_ids: [it.town], fields: ["id", "name"] },
    ]);
    const { data } = (await it.server.get("/v1/streams/books/records", { token: tokens.access_token })).body;
    expect(data.map((record: Loose) => record.id).sort()).toEqual(["b03", "b05"]);
    expect(Object.keys(data[0].data).sort()).toEqual(["genre", "id", "title"]);
  });

  test("the owner narrows time further, never wider", async () => {
    const parameters = asDetails(
      detail([{ name: "books", instance_ids: [it.town], time_range: { since: "2024-03-01T00:00:00Z" } }]),
    );
    const { tokens } = await connected(it, {
      client,
      parameters,
      change: { since: "2020-01-01", until: "2024-11-01" },
    });
    expect(streamsOf(tokens)[0].time_range).toEqual({
      since: "2024-03-01T00:00:00Z",
      until: "2024-11-01T00:00:00.000Z",
    });
  });

  test("every stream: *", async () => {
    const page = await shown(asDetails(detail([{ name: "*", instance_ids: [it.town] }])));
    expect(ticked(page).sort()).toEqual(["authors", "books", "loans"].map(town));
  });

  test("a preset of the source", async () => {
    await it.server.register("library", {
      ...library,
      declaration_version: "1.1",
      selection_presets: [{ id: "shelf", label: "Shelf", streams: [{ name: "books", fields: ["title"] }] }],
    });
    const { tokens } = await forDetails([detail(undefined, { selection_preset: "shelf" })], {
      streams: [town("books")],
    });
    expect(streamsOf(tokens)).toMatchObject([{ name: "books", fields: ["id", "title"] }]);
    const page = await shown(asDetails(detail(undefined, { selection_preset: "nope" })));
    expect(page.html).toContain("has no preset");
  });

  test("P-04 several details are one package: one approval, one token, several grants", async () => {
    const { tokens } = await forDetails([
      detail([{ name: "books", instance_ids: [it.town] }]),
      detail([{ name: "books" }], {
        source: { kind: "connector", id: "https://test.example/archive" },
        purpose_code: "https://app.example/purpose/other",
      }),
    ]);
    expect(tokens.grant_package_id).toMatch(/^gpkg_/);
    expect(tokens.authorization_details.map((one: Loose) => [one.source.id, one.purpose_code])).toEqual([
      [library.source.id, "https://pdpp.dev/purpose/assistant"],
      ["https://test.example/archive", "https://app.example/purpose/other"],
    ]);
    for (const connection_id of [it.town, it.archive]) {
      const query = { connection_id };
      expect((await it.server.get("/v1/streams/books/records", { token: tokens.access_token, query })).status).toBe(
        200,
      );
    }
    await it.server.call("POST", `/v1/grants/${tokens.grant_package_id}/revoke`);
    expect(await reads(it.server, tokens.access_token)).toEqual([403, "grant_revoked"]);
  });

  test.each([
    ["a stream twice", [{ name: "books" }, { name: "books", fields: ["title"] }]],
    ["a stream by name and by *", [{ name: "*" }, { name: "books", fields: ["title"] }]],
  ])("%s: shown, said, and only to be denied", async (_what, streams) => {
    const asked = await ask(it, client, asDetails(detail(streams)));
    const page = await it.browser.get(asked.href);
    expect(page.html).toContain("books is asked for twice");
    expect((await answer(it.browser, page, { streams: [town("books")] })).status).toBe(409);
    const denied = await answer(it.browser, page, { decision: "deny" });
    expect((await back(it.browser, denied)).searchParams.get("error")).toBe("invalid_authorization_details");
  });

  test.each([
    ["a stream that is not here", [{ name: "films" }]],
    ["a field that is not declared", [{ name: "books", instance_ids: ["TOWN"], fields: ["isbn"] }]],
    ["a view that is not declared", [{ name: "books", instance_ids: ["TOWN"], view: "full" }]],
    ["a connection that is not here", [{ name: "books", instance_ids: ["cin_other"] }]],
    ["a time for what has none", [{ name: "authors", time_range: { since: "2024-01-01T00:00:00Z" } }]],
  ])("%s: nothing can be granted, the app is told so", async (_what, streams) => {
    const before = await granted();
    const own = JSON.parse(JSON.stringify(streams).replace("TOWN", it.town));
    const page = await shown(asDetails(detail(own)));
    expect(page.status).toBe(200);
    const again = await answer(it.browser, page, { streams: [town("books")] });
    expect(again.status).toBe(409);
    const denied = await answer(it.browser, page, { decision: "deny" });
    const { searchParams } = await back(it.browser, denied);
    expect(searchParams.get("error")).toBe("invalid_authorization_details");
    expect(searchParams.get("iss")).toBe(it.url);
    expect(await granted()).toBe(before);
  });

  const wrong: [string, string][] = [
    ["not JSON", "{"],
    ["no array", "{}"],
    ["another type", JSON.stringify([{ type: "https://example.com/other" }])],
    ["no streams", JSON.stringify([detail(undefined)])],
    ["streams and a preset", JSON.stringify([detail([{ name: "books" }], { selection_preset: "shelf" })])],
    ["fields and a view", JSON.stringify([detail([{ name: "books", fields: ["title"], view: "card" }])])],
    ["an unknown member", JSON.stringify([detail([{ name: "books" }], { scope: "all" })])],
    ["a purpose that is no URI", JSON.stringify([detail([{ name: "books" }], { purpose_code: "fun" })])],
    ["no purpose", JSON.stringify([detail([{ name: "books" }], { purpose_code: undefined })])],
    ["a time that is none", JSON.stringify([detail([{ name: "books", time_range: { since: "yesterday" } }])])],
    ["51 details", JSON.stringify(Array.from({ length: 51 }, () => detail([{ name: "books" }])))],
    ["more than 32 KB", JSON.stringify([detail([{ name: "books" }], { retention: "x".repeat(33_000) })])],
  ];
  test.each(wrong)("details that are %s: invalid_authorization_details", async (_what, authorization_details) => {
    // Pushed, because the largest of them would not fit into an address.
    const response = await oauth.pushedAuthorizationRequest(
      it.as,
      client,
      oauth.None(),
      {
        response_type: "code",
        redirect_uri: "http://127.0.0.1:9999/cb",
        code_challenge: "x".repeat(43),
        code_challenge_method: "S256",
        authorization_details,
      },
      HTTP,
    );
    const body = (await response.json()) as Loose;
    expect([response.status, body.error]).toEqual([400, "invalid_authorization_details"]);
  });

  test("an empty list of details is no request for anything in particular", async () => {
    const page = await shown({ authorization_details: "[]" });
    expect(page.status).toBe(200);
    expect(ticked(page)).toEqual([]);
  });

  test("training needs its own yes", async () => {
    const before = await granted();
    const training = detail([{ name: "authors", instance_ids: [it.town] }], {
      purpose_code: "https://pdpp.dev/purpose/ai_training",
    });
    const page = await shown(asDetails(training));
    expect(formWith(page, "digest").fields.map(([name]) => name)).not.toContain("ai_training");
    const again = await answer(it.browser, page);
    expect(again.status).toBe(409);
    expect(again.html).toContain("wants to train on this data");
    expect(await granted()).toBe(before);
    expect((await answer(it.browser, again, { change: { ai_training: "yes" } })).status).toBe(200);
  });

  test("a single use can only be allowed once", async () => {
    const once = asDetails(detail([{ name: "authors", instance_ids: [it.town] }], { access_mode: "single_use" }));
    const page = await shown(once);
    expect((await answer(it.browser, page, { duration: "forever" })).status).toBe(409);
    const { tokens } = await connected(it, { client, parameters: once });
    expect(tokens.refresh_token).toBeUndefined();
    expect(tokens.authorization_details[0].access_mode).toBe("single_use");
  });
});

describe("P-03 pushed requests (RFC 9126)", () => {
  const push = async (parameters: Record<string, string>): Promise<Loose> =>
    oauth.processPushedAuthorizationResponse(
      it.as,
      client,
      await oauth.pushedAuthorizationRequest(it.as, client, oauth.None(), parameters, HTTP),
    );

  test("lead to the same screen, once", async () => {
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

  test("of another client are not answered", async () => {
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

describe("P-03 answers to the app", () => {
  test("denied: access_denied with iss and state", async () => {
    const asked = await ask(it, client);
    const denied = await answer(it.browser, await it.browser.get(asked.href), { decision: "deny" });
    expect(denied.html).toContain("gets nothing");
    const { searchParams } = await back(it.browser, denied);
    expect(Object.fromEntries(searchParams)).toEqual({
      error: "access_denied",
      error_description: "the owner said no",
      state: asked.state,
      iss: it.url,
    });
  });

  test("errors before the owner is asked carry iss too", async () => {
    for (const [parameters, error] of [
      [{ response_type: "code id_token" }, "unsupported_response_type"],
      [{ resource: "https://evil.example/mcp" }, "invalid_target"],
      [{ authorization_details: "[" }, "invalid_authorization_details"],
      [{ prompt: "none" }, "interaction_required"],
    ] as const) {
      const { hash, search } = new URL((await shown(parameters)).url);
      const searchParams = new URLSearchParams(search || hash.slice(1));
      expect([searchParams.get("error"), searchParams.get("iss")]).toEqual([error, it.url]);
    }
  });

  test("only a query answers: no fragment, no form that sends itself", async () => {
    for (const response_mode of ["fragment", "form_post", "jwt"]) {
      const { searchParams } = new URL((await shown({ response_mode })).url);
      expect(searchParams.get("error")).toBe("unsupported_response_mode");
      const early = new URL((await shown({ response_mode, authorization_details: "[" })).url);
      expect(early.searchParams.get("error")).toBe("unsupported_response_mode");
    }
  });

  test("a second click on Allow makes no second grant", async () => {
    const before = await granted();
    const page = await shown();
    const twice = await Promise.all([1, 2, 3].map(() => answer(it.browser, page, { streams: [town("authors")] })));
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expect((await answer(it.browser, page, { decision: "deny" })).status).toBe(400);
    expect(await granted()).toBe(before + 1);
  });
});

describe("the authorization endpoint", () => {
  test.each<[string, Record<string, string>]>([
    ["prompt=consent", { prompt: "consent" }],
    ["prompt=login", { prompt: "login" }],
    ["prompt=login consent", { prompt: "login consent" }],
    ["scope=read offline_access", { scope: "read offline_access" }],
    ["scope=openid", { scope: "openid profile" }],
    ["scopes that are not here", { scope: "mail.write admin" }],
    ["a hint and a locale", { login_hint: "nora", ui_locales: "ga" }],
    ["client_display", { client_display: JSON.stringify({ name: "Other" }) }],
    ["two resources of one lens", { resource: "RESOURCE" }],
  ])("%s: asks the owner once, and gives a token", async (_what, parameters) => {
    const own = JSON.parse(JSON.stringify(parameters).replace("RESOURCE", `${it.url}/v1`));
    const { tokens } = await connected(it, { client, parameters: own });
    expect(tokens.scope).toBe("read");
    expect(tokens.id_token).toBeUndefined();
    expect(await reads(it.server, tokens.access_token)).toEqual([200]);
  });

  test("takes no posts", async () => {
    const { href } = await ask(it, client);
    const { search } = new URL(href);
    const posted = await it.browser.post(it.as.authorization_endpoint!, [...new URLSearchParams(search)]);
    expect(posted.status).toBe(405);
  });
});

describe("two audiences", () => {
  test("the files: shown, and nothing can be granted now", async () => {
    const before = await granted();
    for (const resource of ["/files/mcp", "/api"]) {
      const page = await shown({ resource: it.url + resource });
      expect(page.html).toContain("An app asks to look into your files");
      expect(boxes(page, "stream")).toEqual([]);
      const again = await answer(it.browser, page, { streams: [town("books")] });
      expect(again.status).toBe(409);
    }
    expect(await granted()).toBe(before);
  });

  test("one request is for one of them, and its code for that", async () => {
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

  test("a token of the files opens no records", async () => {
    const { tokens } = await connected(it, { client });
    const token = "pdpp_at_filesfilesfilesfilesfilesfilesfilesfilesfiles";
    const { hashToken } = await import("../../src/engine/caller.ts");
    await it.server.host.call(
      "issueToken",
      { hash: hashToken(token), id: tokens.grant_id, audience: "files", expiresAt: Date.now() + 60_000 },
      { home: true },
    );
    for (const path of ["/v1/schema", "/v1/streams", "/mcp"]) {
      expect(await reads(it.server, token, path)).toEqual([401, "authentication_error"]);
    }
  });
});

describe("a review that is out of date", () => {
  let version = 2;
  beforeEach(async () => {
    version++;
    await it.server.register("library", { ...library, declaration_version: String(version) });
  });
  const changed = (): Promise<void> =>
    it.server.register("library", {
      ...library,
      declaration_version: `${version}.1`,
      display: { name: `Library ${version}` },
    });

  test("is shown again with what has changed, and grants nothing until that is approved", async () => {
    const asked = await ask(it, client, asDetails(detail([{ name: "authors", instance_ids: [it.town] }])));
    const page = await it.browser.get(asked.href);
    const before = await granted();
    await changed();
    const again = await answer(it.browser, page, { duration: "1h" });
    expect(again.status).toBe(409);
    expect(again.html).toContain("has changed since");
    expect(again.html).toContain(`Library ${version}`);
    expect(await granted()).toBe(before);
    expect(formWith(again, "digest").fields).toContainEqual(["duration", "1h"]);
    const receipt = await answer(it.browser, again);
    expect(receipt.status).toBe(200);
    expect(await granted()).toBe(before + 1);
    const params = oauth.validateAuthResponse(it.as, client, await back(it.browser, receipt), asked.state);
    const tokens = await exchange(it, { ...asked, params });
    expect(streamsOf(tokens)).toMatchObject([{ name: "authors" }]);
  });

  test("so is one whose connection has gone", async () => {
    const gone = await it.server.connect("library", "Short lived");
    const page = await shown();
    await it.server.call("DELETE", `/v1/connections/${gone}`);
    const again = await answer(it.browser, page, { streams: [`${gone}/books`] });
    expect(again.status).toBe(409);
    expect(boxes(again, "stream").some((key) => key.startsWith(gone))).toBe(false);
  });
});

describe("a tampered answer", () => {
  const details = () => asDetails(detail([{ name: "books", instance_ids: [it.town], fields: ["title"] }]));
  test.each<[string, () => Choice]>([
    ["another stream", () => ({ streams: [town("books"), town("authors")] })],
    ["another connection", () => ({ streams: [town("books"), cabin("books")] })],
    ["another field", () => ({ fields: ["title", "secret"] })],
    ["no digest", () => ({ change: { digest: undefined } })],
    ["a made-up digest", () => ({ change: { digest: "x".repeat(43) } })],
    ["a made-up duration", () => ({ duration: "100y" })],
    ["a day that is none", () => ({ change: { since: "2024-13-01" } })],
    ["a span with nothing in it", () => ({ change: { since: "2024-05-01", until: "2024-04-01" } })],
    ["the required stream left out", () => ({ streams: [] })],
    ["a stream that is no stream", () => ({ streams: ["%"] })],
  ])("with %s grants nothing", async (_what, choice) => {
    const before = await granted();
    const page = await shown(details());
    const again = await answer(it.browser, page, choice());
    expect(again.status).toBe(409);
    expect(again.html).toContain('name="digest"');
    expect(await granted()).toBe(before);
  });

  test("with the digest of another request grants nothing", async () => {
    const before = await granted();
    const wide = formWith(await shown(asDetails(detail([{ name: "books", instance_ids: [it.town] }]))), "digest");
    const digest = wide.fields.find(([name]) => name === "digest")![1];
    const page = await shown(details());
    expect((await answer(it.browser, page, { change: { digest } })).status).toBe(409);
    expect(await granted()).toBe(before);
  });

  test("with neither allow nor deny grants nothing", async () => {
    const page = await shown(details());
    expect((await answer(it.browser, page, { change: { decision: "maybe" } })).status).not.toBe(500);
  });

  test("in another browser is not answered", async () => {
    const { url } = await shown(details());
    const stranger = await ownerBrowser(it.url).get(url);
    expect(stranger.status).toBe(400);
    expect(stranger.html).not.toContain("books");
  });
});
