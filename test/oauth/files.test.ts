// Consent for the files lens, from the request to a token that gives access to roots and no records.
import * as oauth from "oauth4webapi";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  activity,
  approvedRoots,
  enter,
  fileDetail,
  PAPERS,
  PHOTOS,
  type Roots,
  refusedWith,
} from "../files-authority.ts";
import { HOME_OWNER, type Loose } from "../harness.ts";
import { typeUserCode } from "./approve.ts";
import { boxes, formWith, type Page } from "./owner-browser.ts";
import {
  answer,
  approved,
  asDetails,
  ask,
  back,
  type Choice,
  connected,
  consentPage,
  detail,
  exchange,
  grantCount,
  HTTP,
  reads,
  refresh,
  refusal,
  register,
  ticked,
  type World,
  world,
} from "./world.ts";

const DEVICE = "urn:ietf:params:oauth:grant-type:device_code";
let it: World;
let client: oauth.Client;
let roots: Roots;
let resource: { resource: string };

beforeAll(async () => {
  it = await world();
  roots = await approvedRoots(it.server);
  client = await register(it, { grant_types: ["authorization_code", "refresh_token", DEVICE] });
  resource = { resource: `${it.url}/files/mcp` };
});
afterAll(() => it.close());

const asks = (...details: object[]) => ({ ...resource, ...(details.length === 0 ? {} : asDetails(...details)) });
const box = (connection: string): string => `${connection}/files`;
const mayTicked = (page: Page): string[] =>
  formWith(page, "digest").fields.flatMap(([name, value]) => (name === "may" ? [value] : []));
const granted = (details: object[], choice: Choice = {}) =>
  connected(it, { client, parameters: asks(...details), ...choice });

describe("S-01 consent for the files lens", () => {
  test("S-01 for a request without details, the owner picks roots and powers, and no power is ticked", async () => {
    for (const path of ["/files/mcp", "/api"]) {
      const page = await consentPage(it, client, { resource: it.url + path });
      expect(page.html).toContain("An app is asking to browse your files");
      expect(boxes(page, "stream").sort()).toEqual([box(roots.photos), box(roots.papers)].sort());
      expect(page.html).toContain(`<bdi>${PHOTOS}</bdi>`);
      expect(page.html).toMatch(/2 files<\/strong> <span>4\.0 MB/);
      expect(page.html).toContain("not counted yet");
      expect([ticked(page), boxes(page, "may"), mayTicked(page)]).toEqual([[], ["index", "curate", "download"], []]);
      expect(page.html).toContain("Delete, move, rename or change a file.");
      // Records belong to the other lens.
      expect(page.html).not.toContain("Town library");
    }
  });

  test("S-01 the token, the receipt and the grant contain what the owner ticked", async () => {
    const parameters = asks(
      fileDetail(["index", "curate", "download"], { roots: [`${PHOTOS}/`], purpose_description: "Sorts photos" }),
    );
    const asked = await ask(it, client, parameters);
    const page = await it.browser.get(asked.href);
    expect(page.html).toContain("Sorts photos");
    expect([boxes(page, "stream"), ticked(page)]).toEqual([[box(roots.photos)], [box(roots.photos)]]);
    // The owner has to tick the download power explicitly.
    expect([boxes(page, "may"), mayTicked(page)]).toEqual([
      ["index", "curate", "download"],
      ["index", "curate"],
    ]);
    const receipt = await answer(it.browser, page, { may: ["curate", "download"], duration: "1d" });
    expect(receipt.html).toContain("may now browse this");
    expect(receipt.html).toContain("may look through it, collect selections, download files");
    const params = oauth.validateAuthResponse(it.as, client, await back(it.browser, receipt), asked.state);
    const tokens = await exchange(it, { ...asked, params });
    const may = ["navigate", "curate", "download"];
    const details = [
      {
        type: "https://pdpp.dev/file-access",
        grant_id: tokens.grant_id,
        roots: [roots.photos],
        may,
        purpose_code: "https://pdpp.dev/purpose/unspecified",
        access_mode: "continuous",
        expires_at: expect.any(String),
      },
    ];
    expect(tokens.authorization_details).toEqual(details);
    const bearer = await enter(it.server, tokens.access_token);
    expect(bearer).toMatchObject({
      kind: "client",
      client_id: client.client_id,
      grant_id: tokens.grant_id,
      roots: [{ connection_id: roots.photos, path: PHOTOS, grant_id: tokens.grant_id, may }],
    });
    expect(Date.parse(bearer.expires_at!)).toBeGreaterThan(Date.now());
    const introspected = await oauth.processIntrospectionResponse(
      it.as,
      client,
      await oauth.introspectionRequest(it.as, client, oauth.None(), tokens.access_token, HTTP),
    );
    expect(introspected).toMatchObject({
      active: true,
      aud: `${it.url}/files/mcp`,
      pdpp_token_kind: "client",
      authorization_details: details,
    });
    const renewed = await refresh(it, client, tokens.refresh_token);
    expect((await enter(it.server, renewed.access_token)).roots).toEqual(bearer.roots);
    expect(await reads(it.server, renewed.access_token)).toEqual([401, "authentication_error"]);

    const [grant] = (await it.server.get("/v1/grants", { query: { client_id: client.client_id } })).body.data;
    expect(grant).toMatchObject({
      grant: { grant_id: tokens.grant_id, files: { may }, streams: [{ name: "files", instance_ids: [roots.photos] }] },
      words: { reads: [{ connection: PHOTOS, may }] },
    });
    const apps = await it.browser.get(`/dashboard/grants/${tokens.grant_id}`);
    expect(apps.html).toContain("look through it, collect selections, download files");
    expect((await it.browser.get("/dashboard/apps")).html).toContain(PHOTOS);
  });

  test("P-04 several roots need only one approval and one token, and each has a grant that can be revoked separately", async () => {
    const { tokens } = await granted([fileDetail(["navigate"])], { streams: [box(roots.photos), box(roots.papers)] });
    const bearer = await enter(it.server, tokens.access_token);
    expect(bearer).toMatchObject({ kind: "mcp_package", grant_package_id: tokens.grant_package_id });
    expect(bearer.roots.map(({ path, may }) => [path, may])).toEqual([
      [PAPERS, ["navigate"]],
      [PHOTOS, ["navigate"]],
    ]);
    await it.server.call("POST", `/v1/grants/${bearer.roots[1]!.grant_id}/revoke`);
    expect((await enter(it.server, tokens.access_token)).roots.map(({ path }) => path)).toEqual([PAPERS]);
    const entry = { action: "cd", connection_id: roots.photos };
    expect(await refusedWith(enter(it.server, tokens.access_token, entry))).toEqual([404, "root_not_allowed"]);
    await it.server.call("POST", `/v1/grants/${tokens.grant_package_id}/revoke`);
    expect(await refusedWith(enter(it.server, tokens.access_token))).toEqual([403, "grant_revoked"]);
  });

  test("works with a device code", async () => {
    const begun = await oauth.processDeviceAuthorizationResponse(
      it.as,
      client,
      await oauth.deviceAuthorizationRequest(
        it.as,
        client,
        oauth.None(),
        asks(fileDetail(["index"], { roots: [roots.papers] })),
        HTTP,
      ),
    );
    const page = await typeUserCode(it.browser, begun.user_code);
    expect(page.html).toContain("An app is asking to browse your files");
    const receipt = await answer(it.browser, page);
    expect(receipt.html).toContain("may look through it, start scans");
    const tokens: Loose = await oauth.processDeviceCodeResponse(
      it.as,
      client,
      await oauth.deviceCodeGrantRequest(it.as, client, oauth.None(), begun.device_code, HTTP),
    );
    expect((await enter(it.server, tokens.access_token)).roots).toMatchObject([
      { path: PAPERS, may: ["navigate", "index"] },
    ]);
  });

  test("a single-use grant returns only one token, which expires after an hour", async () => {
    const { tokens } = await granted([fileDetail(["navigate"], { roots: [PHOTOS], access_mode: "single_use" })], {
      duration: "once",
    });
    expect(tokens.refresh_token).toBeUndefined();
    expect((await enter(it.server, tokens.access_token)).roots).toHaveLength(1);
    const again = { hash: "another", id: tokens.grant_id, audience: "files", expiresAt: Date.now() + 60_000 } as const;
    expect(await refusedWith(it.server.host.call("issueToken", again, HOME_OWNER))).toEqual([403, "grant_consumed"]);
    const page = await consentPage(
      it,
      client,
      asks(fileDetail(["navigate"], { roots: [PHOTOS], access_mode: "single_use" })),
    );
    expect((await answer(it.browser, page, { change: { duration: "30d" } })).status).toBe(409);
  });

  test("training on the files needs separate consent", async () => {
    const purpose = { purpose_code: "https://pdpp.dev/purpose/ai_training", roots: [PHOTOS] };
    const page = await consentPage(it, client, asks(fileDetail(["navigate"], purpose)));
    expect(boxes(page, "ai_training")).toEqual(["yes"]);
    const refused = await answer(it.browser, page);
    expect([refused.status, refused.html]).toEqual([409, expect.stringContaining("agree to that separately")]);
    expect((await answer(it.browser, page, { change: { ai_training: "yes" } })).status).toBe(200);
  });
});

describe("S-13 the limits of a request", () => {
  test("roots and powers beyond the request are refused", async () => {
    const before = await grantCount(it);
    const page = await consentPage(it, client, asks(fileDetail(["index"], { roots: [PHOTOS] })));
    for (const choice of [
      { streams: [box(roots.papers)] },
      { streams: [box(roots.photos), box(roots.papers)] },
      { streams: [`${it.town}/files`] },
      { streams: [`${it.town}/books`] },
      { streams: ["cin_none/files"] },
      { streams: [] },
      { may: ["download"] },
      { may: ["index", "curate"] },
      { duration: "always" },
    ]) {
      const again = await answer(it.browser, page, choice);
      expect([again.status, JSON.stringify(choice)]).toEqual([409, JSON.stringify(choice)]);
      expect(again.html).toContain("An app is asking to browse your files");
    }
    expect(await grantCount(it)).toBe(before);
  });

  test("an unknown root is shown only to the owner, in quotes", async () => {
    const mixed = await consentPage(it, client, asks(fileDetail(["navigate"], { roots: ["/etc\u202e", PHOTOS] })));
    expect(mixed.html).toContain("There is no root “/etc” here.");
    expect(ticked(mixed)).toEqual([box(roots.photos)]);
    // The id of a connection that is not a root also counts as unknown.
    const none = await consentPage(it, client, asks(fileDetail(["navigate"], { roots: ["/etc", it.town] })));
    expect(boxes(none, "stream")).toEqual([]);
    expect((await answer(it.browser, none)).status).toBe(409);
    const told = await back(it.browser, await answer(it.browser, none, { decision: "deny" }));
    expect(told.searchParams.get("error")).toBe("invalid_authorization_details");
    expect(told.href).not.toContain("etc");
  });

  test("if the roots have changed since the page was shown, it is shown again and nothing is granted", async () => {
    const before = await grantCount(it);
    const page = await consentPage(it, client, asks(fileDetail(["navigate"])));
    const added = await it.server.connect("files", "/srv/new");
    const stale = await answer(it.browser, page, { streams: [box(roots.photos)] });
    expect([stale.status, stale.html]).toEqual([409, expect.stringContaining("has changed since")]);
    expect(boxes(stale, "stream")).toContain(box(added));
    await it.server.call("DELETE", `/v1/connections/${added}`);
    expect(await grantCount(it)).toBe(before);
  });

  test("a denied app learns only that it was denied", async () => {
    const { href } = await ask(it, client, asks());
    const told = await back(it.browser, await answer(it.browser, await it.browser.get(href), { decision: "deny" }));
    expect(told.searchParams.get("error")).toBe("access_denied");
  });
});

describe("P-03 authorization details of one lens", () => {
  const errorOf = async (parameters: Record<string, string>): Promise<[string | null, string | null]> => {
    const { searchParams } = new URL((await it.browser.get((await ask(it, client, parameters)).href)).url);
    return [searchParams.get("error"), searchParams.get("error_description")];
  };

  test("are refused for the other lens", async () => {
    const files = fileDetail(["navigate"]);
    const records = detail([{ name: "books" }]);
    const wrong = "invalid_authorization_details";
    expect(await errorOf(asks(records))).toEqual([
      wrong,
      "0.type: this resource accepts https://pdpp.dev/file-access; https://pdpp.dev/data-access is for the other lens",
    ]);
    expect(await errorOf(asDetails(files))).toEqual([
      wrong,
      "0.type: this resource accepts https://pdpp.dev/data-access; https://pdpp.dev/file-access is for the other lens",
    ]);
    expect((await errorOf({ ...asDetails(files), resource: `${it.url}/v1` }))[0]).toBe(wrong);
    expect((await errorOf(asks(files, records)))[0]).toBe(wrong);
    expect((await errorOf(asDetails(records, files)))[0]).toBe(wrong);
    expect(await errorOf(asks(files, files))).toEqual([
      wrong,
      expect.stringContaining("request files with a single authorization detail"),
    ]);
  });

  test.each([
    ["may: is missing", { may: undefined }],
    ["may: must not be empty", { may: [] }],
    ["may.0: must be one of", { may: ["delete"] }],
    ["may: must have at most", { may: Array(5).fill("index") }],
    ["roots: must not be empty", { roots: [] }],
    ["roots.0: must not be empty", { roots: [""] }],
    ["roots.0: must have at most", { roots: ["x".repeat(5000)] }],
    ["roots: must have at most", { roots: Array(201).fill("/a") }],
    ["roots: must be a list", { roots: "/a" }],
    ["access_mode: must be one of", { access_mode: "always" }],
    ["purpose_code: must be an absolute URI", { purpose_code: "fun" }],
    ["is not recognised", { streams: [{ name: "files" }] }],
  ])("details with invalid values are refused immediately: %s", async (message, change) => {
    expect(await errorOf(asks({ ...fileDetail(["navigate"]), ...change }))).toEqual([
      "invalid_authorization_details",
      expect.stringContaining(message),
    ]);
  });
});

describe("S-01 two lenses with two kinds of token", () => {
  test("S-01 a token for one lens does not work for the other, and the error gives the right address", async () => {
    const files = (await granted([fileDetail(["navigate"], { roots: [PHOTOS] })])).tokens.access_token;
    const records = (await connected(it, { client })).tokens.access_token;
    for (const path of ["/v1/schema", "/v1/streams", "/v1/connections", "/mcp"]) {
      expect(await reads(it.server, files, path)).toEqual([401, "authentication_error"]);
    }
    const refused = await it.server.get("/v1/schema", { token: files });
    expect(refused.body.error).toMatchObject({
      message: "this token is for the files lens, not the records lens",
      next_step: expect.stringContaining("/files/mcp"),
    });
    // Tests both orders, because the token cache must not mix the lenses.
    expect((await enter(it.server, files)).roots).toHaveLength(1);
    expect(await reads(it.server, files)).toEqual([401, "authentication_error"]);
    expect(await reads(it.server, records)).toEqual([200]);
    expect(await refusedWith(enter(it.server, records))).toEqual([401, "authentication_error"]);
    await expect(enter(it.server, records)).rejects.toMatchObject({
      message: "this token is for the records lens, not the files lens",
      details: { next_step: expect.stringContaining("pdpp grants issue --files") },
    });
    expect(await reads(it.server, records)).toEqual([200]);
    const [line] = await activity(it.server, { action: "files.cd", outcome: "denied" });
    expect(line).toMatchObject({ actor: "client", client_id: client.client_id, outcome: "authentication_error" });
  });

  test("S-01 a code for one lens returns no token for the other", async () => {
    for (const [first, second] of [
      ["/files/mcp", "/mcp"],
      ["/api", "/v1"],
      ["/mcp", "/files/mcp"],
    ] as const) {
      const done = await approved(it, client, { parameters: { resource: it.url + first } });
      const taken = oauth.authorizationCodeGrantRequest(
        it.as,
        client,
        oauth.None(),
        done.params,
        done.redirect,
        done.verifier,
        { ...HTTP, additionalParameters: { resource: it.url + second } },
      );
      expect(
        await refusal(taken.then((response) => oauth.processAuthorizationCodeResponse(it.as, client, response))),
      ).toBe("invalid_target");
    }
  });

  test("S-14 under a record grant, an approved root can be read like any connection", async () => {
    const { tokens } = await connected(it, {
      client,
      parameters: asDetails({
        ...detail([{ name: "files", instance_ids: [roots.photos], fields: ["name", "size"] }]),
        source: { kind: "connector", id: "https://postern.dev/sources/files" },
      }),
    });
    const { body } = await it.server.get("/v1/streams/files/records", { token: tokens.access_token });
    expect(body.data.map((record: Loose) => record.data.name).sort()).toEqual(["a.jpg", "b.jpg"]);
    expect(await refusedWith(enter(it.server, tokens.access_token))).toEqual([401, "authentication_error"]);
  });
});

describe("P-03 the end of a token", () => {
  test("S-13 after the owner revokes it, the next call is refused", async () => {
    const { tokens } = await granted([fileDetail(["download"], { roots: [PHOTOS] })]);
    const enters = () => enter(it.server, tokens.access_token, { action: "cd", connection_id: roots.photos });
    await enters();
    await it.server.call("POST", `/v1/grants/${tokens.grant_id}/revoke`);
    expect(await refusedWith(enters())).toEqual([403, "grant_revoked"]);
    // A response that was being prepared is no longer sent.
    const note = { action: "cd", connection_id: roots.photos, records: 3, bytes: 90 };
    const told = it.server.host.call("noteFileCall", note, { token: tokens.access_token });
    expect(await refusedWith(told)).toEqual([403, "grant_revoked"]);
    expect(await refusal(refresh(it, client, tokens.refresh_token))).toBe("invalid_grant");
  });

  test("after the app revokes it, or its connection is deleted, it gives no access", async () => {
    const { tokens } = await granted([fileDetail(["navigate"], { roots: [PAPERS] })]);
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(it.as, client, oauth.None(), tokens.refresh_token, HTTP),
    );
    expect(await refusedWith(enter(it.server, tokens.access_token))).toEqual([403, "grant_revoked"]);
    const gone = await it.server.connect("files", "/srv/gone");
    const issued = await it.server.grant({ files: { roots: ["/srv/gone"] } });
    expect((await enter(it.server, issued.access_token)).roots).toHaveLength(1);
    await it.server.call("DELETE", `/v1/connections/${gone}`);
    expect((await enter(it.server, issued.access_token)).roots).toEqual([]);
  });

  test("an unknown token gives no access", async () => {
    expect(await refusedWith(enter(it.server, "pdpp_at_nobody"))).toEqual([401, "authentication_error"]);
  });
});
