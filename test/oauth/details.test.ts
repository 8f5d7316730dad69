// Requests with authorization details: how the consent page is prefilled, what is granted, and which requests are refused.
import * as oauth from "oauth4webapi";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Loose } from "../harness.ts";
import { book, library } from "../library.ts";
import { boxes, formWith } from "./owner-browser.ts";
import {
  answer,
  asDetails,
  ask,
  back,
  type Choice,
  connected,
  consentPage,
  detail,
  grantCount,
  HTTP,
  reads,
  register,
  streamsOf,
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

const forDetails = (details: object[], choice: Choice = {}) =>
  connected(it, { client, parameters: asDetails(...details), ...choice });

describe("P-03 a request with details", () => {
  test("has required streams ticked and optional ones unticked", async () => {
    const page = await consentPage(
      it,
      client,
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

  test("lets the owner choose if several connections fit, and one is enough", async () => {
    const page = await consentPage(it, client, asDetails(detail([{ name: "books" }])));
    expect(boxes(page, "stream").sort()).toEqual([town("books"), cabin("books")].sort());
    expect(ticked(page)).toEqual([]);
    expect(page.html).toContain("The app needs this from one connection; choose which one.");
    const { tokens } = await forDetails([detail([{ name: "books" }])], { streams: [cabin("books")] });
    expect(streamsOf(tokens)).toMatchObject([{ name: "books", instance_ids: [it.cabin] }]);
    expect(tokens.grant_id).toBeDefined();
  });

  test("limits the grant by fields, view, time range, single records and instances", async () => {
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

  test("V-08 a record filter limits the grant, and the app learns of the filter only if it may read the field", async () => {
    const [books, ...others] = library.streams;
    const schema = { ...books!.schema, "x-kind": "transaction" };
    schema.properties = { ...schema.properties, genre: { ...schema.properties!.genre, "x-role": "category" } };
    const source = { kind: "connector" as const, id: "https://test.example/filed" };
    await it.server.register("filed", { ...library, source, streams: [{ ...books!, schema }, ...others] });
    const filed = await it.server.connect("filed", "Filed shelf");
    await it.server.ingest("books", filed, [book("s1", { genre: "poetry" }), book("s2", { genre: "crime" })]);
    const asks = (more: object) => ({ ...detail([{ name: "books", instance_ids: [filed], ...more }]), source });
    const record_filter = { field: "genre", values: ["crime"] };
    const page = await consentPage(it, client, asDetails(asks({ record_filter })));
    expect(page.html).toMatch(/<strong>1 record<\/strong>/);
    expect(page.html).toContain("It asks only for items filed under “crime”.");
    for (const [fields, told] of [
      [["title", "genre"], record_filter],
      [["title"], undefined],
    ] as const) {
      const { tokens } = await forDetails([asks({ record_filter, fields })]);
      expect(streamsOf(tokens)[0].record_filter).toEqual(told);
      const { data } = (await it.server.get("/v1/streams/books/records", { token: tokens.access_token })).body;
      expect(data.map((record: Loose) => record.id)).toEqual(["s2"]);
    }
    const other = await consentPage(it, client, asDetails(asks({ record_filter: { field: "title", values: ["x"] } })));
    expect(other.html).toContain("books cannot be limited by “title”.");
  });

  test("X-07 the figures count only the requested time range and records", async () => {
    const figures = async (stream: object): Promise<string> => {
      const { html } = await consentPage(
        it,
        client,
        asDetails(detail([{ name: "books", instance_ids: [it.town], ...stream }])),
      );
      return html.slice(html.indexOf("stream-figures"), html.indexOf("stream-more")).replace(/<[^>]*>/g, " ");
    };
    expect(await figures({})).toContain("12 records");
    const since = await figures({ time_range: { since: "2024-03-01T00:00:00Z", until: "2024-12-01T00:00:00Z" } });
    expect(since).not.toContain("12 records");
    expect(since).toContain("It asks only for items dated 1 Mar 2024 – 1 Dec 2024.");
    const named = await figures({ resources: ["b03", "b05"] });
    expect(named).toContain("2 records");
    expect(named).toContain("It asks only for 2 specific records.");
  });

  test("X-07 the time span uses the field that grants are limited by, not the sort field", async () => {
    const [books, ...others] = library.streams;
    await it.server.register("bought", {
      ...library,
      source: { kind: "connector", id: "https://test.example/bought" },
      streams: [{ ...books!, cursor_field: "pages" }, ...others],
    });
    const bought = await it.server.connect("bought", "By pages");
    await it.server.ingest("books", bought, [
      book("p1", { pages: 1, published_at: "2024-09-01T00:00:00Z" }),
      book("p2", { pages: 2, published_at: "2021-02-03T00:00:00Z" }),
      book("p3", { pages: 3, published_at: "2023-05-05T00:00:00Z" }),
    ]);
    const { html } = await consentPage(it, client);
    expect(html).toContain("3 Feb 2021 – 1 Sep 2024");
    // Opening the page writes only one line to the log, not two per stream.
    const { data } = (await it.server.get("/v1/activity", { query: { limit: "100" } })).body;
    expect(data.filter((call: Loose) => call.action === "records" && call.actor === "owner")).toEqual([]);
    await it.server.call("DELETE", `/v1/connections/${bought}`);
  });

  test("SECURITY row 7 an unknown stream is shown in quotes, cleaned and shortened, so that an app cannot imitate this server's words", async () => {
    const name = `films. \u202eChecked \u2714 by \u201cPostern\u201d: press Allow ${"x".repeat(80)}`;
    const { html } = await consentPage(
      it,
      client,
      asDetails(
        detail([
          { name: "books", instance_ids: [it.town] },
          { name, necessity: "optional" },
        ]),
      ),
    );
    const said = /role="alert">(.*?)<\/div>/s.exec(html)?.[1] ?? "";
    expect(said).toContain("has no \u201cfilms. Checked by &#39;Postern&#39;: press Allow x");
    expect(said).toMatch(/x\u2026\u201d here\./);
    const many = Array.from({ length: 40 }, (_, n) => ({ name: `films${n}`, necessity: "optional" }));
    expect((await consentPage(it, client, asDetails(detail([{ name: "books" }, ...many])))).html).toContain(
      "32 other items",
    );
  });

  test("the owner can narrow the requested time range but not widen it", async () => {
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

  test('a request for the stream "*" ticks every stream', async () => {
    const page = await consentPage(it, client, asDetails(detail([{ name: "*", instance_ids: [it.town] }])));
    expect(ticked(page).sort()).toEqual(["authors", "books", "loans"].map(town));
  });

  test("a request can use a source's preset", async () => {
    await it.server.register("library", {
      ...library,
      declaration_version: "1.1",
      selection_presets: [{ id: "shelf", label: "Shelf", streams: [{ name: "books", fields: ["title"] }] }],
    });
    const { tokens } = await forDetails([detail(undefined, { selection_preset: "shelf" })], {
      streams: [town("books")],
    });
    expect(streamsOf(tokens)).toMatchObject([{ name: "books", fields: ["id", "title"] }]);
    const page = await consentPage(it, client, asDetails(detail(undefined, { selection_preset: "nope" })));
    expect(page.html).toContain("has no preset");
  });

  test("P-04 several details form one package: one approval, one token, several grants", async () => {
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
  ])("%s: the page says so, and the owner can only deny", async (_what, streams) => {
    const asked = await ask(it, client, asDetails(detail(streams)));
    const page = await it.browser.get(asked.href);
    expect(page.html).toContain("books is requested twice");
    expect((await answer(it.browser, page, { streams: [town("books")] })).status).toBe(409);
    const denied = await answer(it.browser, page, { decision: "deny" });
    expect((await back(it.browser, denied)).searchParams.get("error")).toBe("invalid_authorization_details");
  });

  test.each([
    ["an unknown stream", [{ name: "films" }]],
    ["a field that is not declared", [{ name: "books", instance_ids: ["TOWN"], fields: ["isbn"] }]],
    ["a view that is not declared", [{ name: "books", instance_ids: ["TOWN"], view: "full" }]],
    ["an unknown connection", [{ name: "books", instance_ids: ["cin_other"] }]],
    ["a time range for a stream without times", [{ name: "authors", time_range: { since: "2024-01-01T00:00:00Z" } }]],
  ])("%s: nothing can be granted, and the app gets an error", async (_what, streams) => {
    const before = await grantCount(it);
    const own = JSON.parse(JSON.stringify(streams).replace("TOWN", it.town));
    const page = await consentPage(it, client, asDetails(detail(own)));
    expect([page.status, page.html.includes("The app then learns that the data it needs is not here")]).toEqual([
      200,
      true,
    ]);
    const again = await answer(it.browser, page, { streams: [town("books")] });
    expect(again.status).toBe(409);
    const denied = await answer(it.browser, page, { decision: "deny" });
    const { searchParams } = await back(it.browser, denied);
    expect(searchParams.get("error")).toBe("invalid_authorization_details");
    expect(searchParams.get("iss")).toBe(it.url);
    expect(await grantCount(it)).toBe(before);
  });

  const wrong: [string, string][] = [
    ["not JSON", "{"],
    ["not an array", "{}"],
    ["another type", JSON.stringify([{ type: "https://example.com/other" }])],
    ["no streams", JSON.stringify([detail(undefined)])],
    ["streams and a preset", JSON.stringify([detail([{ name: "books" }], { selection_preset: "shelf" })])],
    ["fields and a view", JSON.stringify([detail([{ name: "books", fields: ["title"], view: "card" }])])],
    ["an unknown member", JSON.stringify([detail([{ name: "books" }], { scope: "all" })])],
    ["a purpose that is not a URI", JSON.stringify([detail([{ name: "books" }], { purpose_code: "fun" })])],
    ["no purpose", JSON.stringify([detail([{ name: "books" }], { purpose_code: undefined })])],
    ["an invalid time", JSON.stringify([detail([{ name: "books", time_range: { since: "yesterday" } }])])],
    ["51 details", JSON.stringify(Array.from({ length: 51 }, () => detail([{ name: "books" }])))],
    ["more than 32 KB", JSON.stringify([detail([{ name: "books" }], { retention: "x".repeat(33_000) })])],
  ];
  test.each(wrong)("is refused with invalid_authorization_details: %s", async (_what, authorization_details) => {
    // Sent as a pushed request, because the largest one would not fit into a URL.
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

  test("an empty list of details requests nothing specific", async () => {
    const page = await consentPage(it, client, { authorization_details: "[]" });
    expect(page.status).toBe(200);
    expect(ticked(page)).toEqual([]);
  });

  test("training needs separate consent", async () => {
    const before = await grantCount(it);
    const training = detail([{ name: "authors", instance_ids: [it.town] }], {
      purpose_code: "https://pdpp.dev/purpose/ai_training",
    });
    const page = await consentPage(it, client, asDetails(training));
    expect(formWith(page, "digest").fields.map(([name]) => name)).not.toContain("ai_training");
    const again = await answer(it.browser, page);
    expect(again.status).toBe(409);
    expect(again.html).toContain("wants to train on this data");
    expect(await grantCount(it)).toBe(before);
    expect((await answer(it.browser, again, { change: { ai_training: "yes" } })).status).toBe(200);
  });

  test("a single-use request can be allowed only once", async () => {
    const once = asDetails(detail([{ name: "authors", instance_ids: [it.town] }], { access_mode: "single_use" }));
    const page = await consentPage(it, client, once);
    expect((await answer(it.browser, page, { duration: "forever" })).status).toBe(409);
    const { tokens } = await connected(it, { client, parameters: once });
    expect(tokens.refresh_token).toBeUndefined();
    expect(tokens.authorization_details[0].access_mode).toBe("single_use");
  });
});
