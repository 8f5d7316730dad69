// The owner's decision on the consent page: an outdated page is shown again, and a tampered form grants nothing.
import * as oauth from "oauth4webapi";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { library } from "../library.ts";
import { boxes, formWith, ownerBrowser } from "./owner-browser.ts";
import {
  answer,
  asDetails,
  ask,
  back,
  type Choice,
  consentPage,
  detail,
  exchange,
  grantCount,
  register,
  streamsOf,
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

describe("an outdated consent page", () => {
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

  test("is shown again with the change, and grants nothing until the new version is approved", async () => {
    const asked = await ask(it, client, asDetails(detail([{ name: "authors", instance_ids: [it.town] }])));
    const page = await it.browser.get(asked.href);
    const before = await grantCount(it);
    await changed();
    const again = await answer(it.browser, page, { duration: "1h" });
    expect(again.status).toBe(409);
    expect(again.html).toContain("has changed since");
    expect(again.html).toContain(`Library ${version}`);
    expect(await grantCount(it)).toBe(before);
    expect(formWith(again, "digest").fields).toContainEqual(["duration", "1h"]);
    const receipt = await answer(it.browser, again);
    expect(receipt.status).toBe(200);
    expect(await grantCount(it)).toBe(before + 1);
    const params = oauth.validateAuthResponse(it.as, client, await back(it.browser, receipt), asked.state);
    const tokens = await exchange(it, { ...asked, params });
    expect(streamsOf(tokens)).toMatchObject([{ name: "authors" }]);
  });

  test("is shown again if one of its connections was deleted", async () => {
    const gone = await it.server.connect("library", "Short lived");
    const page = await consentPage(it, client);
    await it.server.call("DELETE", `/v1/connections/${gone}`);
    const again = await answer(it.browser, page, { streams: [`${gone}/books`] });
    expect(again.status).toBe(409);
    expect(boxes(again, "stream").some((key) => key.startsWith(gone))).toBe(false);
  });
});

describe("a tampered consent form", () => {
  const details = () => asDetails(detail([{ name: "books", instance_ids: [it.town], fields: ["title"] }]));
  test.each<[string, () => Choice]>([
    ["another stream", () => ({ streams: [town("books"), town("authors")] })],
    ["another connection", () => ({ streams: [town("books"), cabin("books")] })],
    ["another field", () => ({ fields: ["title", "secret"] })],
    ["no digest", () => ({ change: { digest: undefined } })],
    ["a made-up digest", () => ({ change: { digest: "x".repeat(43) } })],
    ["a made-up duration", () => ({ duration: "100y" })],
    ["an invalid day", () => ({ change: { since: "2024-13-01" } })],
    ["an empty time range", () => ({ change: { since: "2024-05-01", until: "2024-04-01" } })],
    ["the required stream omitted", () => ({ streams: [] })],
    ["a malformed stream key", () => ({ streams: ["%"] })],
  ])("a form with %s grants nothing", async (_what, choice) => {
    const before = await grantCount(it);
    const page = await consentPage(it, client, details());
    const again = await answer(it.browser, page, choice());
    expect(again.status).toBe(409);
    expect(again.html).toContain('name="digest"');
    expect(await grantCount(it)).toBe(before);
  });

  test("a form with the digest of another request grants nothing", async () => {
    const before = await grantCount(it);
    const wide = formWith(
      await consentPage(it, client, asDetails(detail([{ name: "books", instance_ids: [it.town] }]))),
      "digest",
    );
    const digest = wide.fields.find(([name]) => name === "digest")![1];
    const page = await consentPage(it, client, details());
    expect((await answer(it.browser, page, { change: { digest } })).status).toBe(409);
    expect(await grantCount(it)).toBe(before);
  });

  test("a form without a valid decision grants nothing", async () => {
    const page = await consentPage(it, client, details());
    expect((await answer(it.browser, page, { change: { decision: "maybe" } })).status).not.toBe(500);
  });

  test("another browser cannot open the consent page", async () => {
    const { url } = await consentPage(it, client, details());
    const stranger = await ownerBrowser(it.url).get(url);
    expect(stranger.status).toBe(400);
    expect(stranger.html).not.toContain("books");
  });
});
