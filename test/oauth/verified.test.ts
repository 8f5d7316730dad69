// G-06, SECURITY row 7: "verified" is shown only if the host was verified in this flow, and consistently everywhere.
import * as oauth from "oauth4webapi";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { guardedFetch } from "../../src/auth/guarded-fetch.ts";
import { type ClientSite, startClientSite } from "../client-site.ts";
import { pdpp } from "../pdpp.ts";
import { typeUserCode } from "./approve.ts";
import { boxes, formWith, type Page } from "./owner-browser.ts";
import { answer, ask, connected, HTTP, REDIRECT, type World, world } from "./world.ts";

const DEVICE = "urn:ietf:params:oauth:grant-type:device_code";
const SITE_REDIRECT = "https://app.example.test/callback";
/** Metadata that anyone on the internet can claim as theirs. */
const CLIENT: oauth.Client = {
  client_id: "https://app.example.test/client.json",
  token_endpoint_auth_method: "none",
};
let site: ClientSite;
let it: World;

beforeAll(async () => {
  const document = {
    client_id: CLIENT.client_id,
    client_name: "Shelf",
    redirect_uris: [REDIRECT, SITE_REDIRECT, "https://relay.example.test/callback", "org.example.shelf:/callback"],
    grant_types: ["authorization_code", "refresh_token", DEVICE],
    token_endpoint_auth_method: "none",
  };
  site = await startClientSite((_request, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(document)),
  );
  it = await world({ clientFetch: guardedFetch(site.reach) });
});
afterAll(async () => {
  await it.close();
  await site.close();
});

const start = async (): Promise<oauth.DeviceAuthorizationResponse> =>
  oauth.processDeviceAuthorizationResponse(
    it.as,
    CLIENT,
    await oauth.deviceAuthorizationRequest(it.as, CLIENT, oauth.None(), {}, HTTP),
  );

/** Returns the page that the owner sees after typing the code. */
async function confirmPage(code: string): Promise<Page> {
  const typed = formWith(await it.browser.get("/device"), "user_code");
  const fields = typed.fields.filter(([name]) => name !== "user_code");
  return it.browser.post(typed.action, [...fields, ["user_code", code]]);
}

const verifiedOn = ({ html }: Page): boolean => html.includes("Verified host");
const headingOf = ({ html }: Page): string => /<h1>(.*?)<\/h1>/s.exec(html)![1]!.replace(/<[^>]+>/g, "");

/** Returns every view of a grant for the owner: its page, the app's page, the lists of apps, REST and the CLI. */
async function shownOf(
  grantId: string,
): Promise<{ pages: Page[]; verifiedHost?: string; cli: string; listed: string }> {
  const { browser, server } = it;
  const grantPage = await browser.get(`/dashboard/grants/${grantId}`);
  const appPath = /href="(?:\/~[\w-]{22})?(\/dashboard\/apps\/[^"]+)"/.exec(grantPage.html)![1]!;
  const { words } = (await server.get(`/v1/grants/${grantId}`)).body;
  const pages = [
    grantPage,
    await browser.get(appPath),
    await browser.get("/dashboard/apps"),
    await browser.get(`/dashboard/connections/${words.reads[0].connection_id}`),
    await browser.get("/dashboard/connect"),
  ];
  expect(pages.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  const env = { PDPP_ACCESS_TOKEN: server.owner };
  const shown = await pdpp(["grants", "show", grantId, "--server", it.url], { env });
  const list = await pdpp(["grants", "list", "--server", it.url], { env });
  const listed = list.stdout.split("\n").find((line) => line.startsWith(grantId))!;
  return { pages, verifiedHost: words.verified_host, cli: shown.stdout, listed };
}

async function revoke(grantId: string): Promise<void> {
  expect((await it.server.call("POST", `/v1/grants/${grantId}/revoke`)).status).toBe(200);
}

describe("G-06 the device flow", () => {
  test("G-06 verifies no app; the page says that the person who started the flow gets access, and how to check", async () => {
    const { user_code } = await start();
    const page = await confirmPage(user_code);
    expect(verifiedOn(page)).toBe(false);
    expect(headingOf(page)).toBe("Did you start this?");
    expect(page.html).toContain("The person who started this request gets access.");
    expect(page.html).toContain("<bdi>Shelf</bdi>");
    expect(page.html).toContain("says that it belongs to <bdi>app.example.test</bdi>");
    expect(page.html).toContain("Nothing proves this");
    expect(page.html).toContain(user_code);
    expect(page.html).toContain("from this computer");
  });

  test("G-06 shows the app as unverified on the consent, receipt, app and grant pages, in REST and in the CLI", async () => {
    const { user_code, device_code } = await start();
    const consent = await typeUserCode(it.browser, user_code);
    expect(headingOf(consent)).toBe("An unverified app");
    expect(consent.html).toContain("the person who started the request gets access");
    const receipt = await answer(it.browser, consent, { streams: boxes(consent, "stream").slice(0, 1) });
    expect(receipt.html).toContain("may now see this");
    expect([verifiedOn(consent), verifiedOn(receipt)]).toEqual([false, false]);
    const tokens = await oauth.processDeviceCodeResponse(
      it.as,
      CLIENT,
      await oauth.deviceCodeGrantRequest(it.as, CLIENT, oauth.None(), device_code, HTTP),
    );
    const grantId = tokens.grant_id as string;
    const { pages, verifiedHost, cli, listed } = await shownOf(grantId);
    expect(pages.map(verifiedOn)).toEqual([false, false, false, false, false]);
    expect(verifiedHost).toBeUndefined();
    expect(cli).toMatch(
      / {2}app {8}“Shelf” \(https:\/\/app\.example\.test\/client\.json\)\n {2}identity {3}Unverified\n/,
    );
    expect(listed).toMatch(/^grt_\S+ +“Shelf” +Unverified +active /);
    await revoke(grantId);
  });
});

describe("G-06 the code flow", () => {
  test("G-06 a redirect to an https address in the app's own document verifies its host, and every page shows that", async () => {
    const page = await it.browser.get((await ask(it, CLIENT, { redirect_uri: SITE_REDIRECT })).href);
    expect([headingOf(page), verifiedOn(page)]).toEqual(["app.example.test", true]);
    const { tokens } = await connected(it, { client: CLIENT, parameters: { redirect_uri: SITE_REDIRECT } });
    const { pages, verifiedHost, cli, listed } = await shownOf(tokens.grant_id);
    expect(pages.map(verifiedOn)).toEqual([true, true, true, true, true]);
    expect(verifiedHost).toBe("app.example.test");
    expect(cli).toContain("  app        app.example.test, calls itself “Shelf”\n  identity   Verified host\n");
    expect(listed).toMatch(/^grt_\S+ +app\.example\.test +Verified host +active /);
    await revoke(tokens.grant_id);
  });

  test("G-06 for a redirect to another host, the page says where the response is sent and who listed that host", async () => {
    const page = await it.browser.get(
      (await ask(it, CLIENT, { redirect_uri: "https://relay.example.test/callback" })).href,
    );
    expect(page.html).toContain(
      "<strong><bdi>relay.example.test</bdi></strong>, which app.example.test lists as its own",
    );
  });

  test.each([
    ["a program on this computer", REDIRECT, "any program on this computer can present itself this way"],
    ["an app on this device", "org.example.shelf:/callback", "any app on this device can present itself this way"],
  ])("G-06 a redirect to %s verifies no app, and the page says why", async (_what, redirect_uri, why) => {
    const page = await it.browser.get((await ask(it, CLIENT, { redirect_uri })).href);
    expect([headingOf(page), verifiedOn(page)]).toEqual(["An unverified app", false]);
    expect(page.html).toContain("says that it belongs to <bdi>app.example.test</bdi>");
    expect(page.html).toContain(why);
  });

  test("G-06 an app with one verified and one unverified grant is shown as unverified", async () => {
    const verified = await connected(it, { client: CLIENT, parameters: { redirect_uri: SITE_REDIRECT } });
    const local = await connected(it, { client: CLIENT, change: { before: "keep" } });
    const [first, second] = [await shownOf(verified.tokens.grant_id), await shownOf(local.tokens.grant_id)];
    expect(first.pages.map(verifiedOn)).toEqual([true, false, false, false, false]);
    expect(second.pages.map(verifiedOn)).toEqual([false, false, false, false, false]);
    await revoke(local.tokens.grant_id);
    expect((await shownOf(verified.tokens.grant_id)).pages.map(verifiedOn)).toEqual([true, true, true, true, true]);
    await revoke(verified.tokens.grant_id);
  });

  test("G-06 the receipt agrees with the consent page", async () => {
    const receipts: boolean[] = [];
    for (const redirect_uri of [SITE_REDIRECT, REDIRECT]) {
      const page = await it.browser.get((await ask(it, CLIENT, { redirect_uri })).href);
      const receipt = await answer(it.browser, page, { streams: boxes(page, "stream").slice(0, 1) });
      expect(receipt.html).toContain("may now see this");
      receipts.push(verifiedOn(receipt));
    }
    expect(receipts).toEqual([true, false]);
  });
});
