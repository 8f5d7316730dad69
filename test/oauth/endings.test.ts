// Tests how the owner learns why a grant ended, that two addresses share one audience, and which name is shown for an
// app without one.
import type * as oauth from "oauth4webapi";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { approved, ask, connected, postForm, reads, refresh, refusal, register, type World, world } from "./world.ts";

let it: World;
let client: oauth.Client;
beforeAll(async () => {
  it = await world();
  client = await register(it);
});
afterAll(() => it.close());

const endingOf = async (id: string): Promise<string | undefined> =>
  (await it.server.get(`/v1/grants/${id}`)).body.ended_by;
const appsPage = async (): Promise<string> => (await it.browser.get("/dashboard/apps")).html;

describe("SECURITY row 9: the owner learns why a grant ended", () => {
  test("a refresh token was used twice and may have been stolen", async () => {
    const { tokens } = await connected(it, { client });
    const { refresh_token } = await refresh(it, client, tokens.refresh_token);
    await refresh(it, client, refresh_token);
    await refusal(refresh(it, client, tokens.refresh_token));
    expect(await reads(it.server, tokens.access_token)).toEqual([403, "grant_revoked"]);
    expect(await endingOf(tokens.grant_id)).toBe("reuse");
    expect(await appsPage()).toContain("it may have been stolen");
  });

  test("the app revoked it", async () => {
    const { tokens } = await connected(it, { client });
    await postForm(`${it.url}/oauth/revoke`, { token: tokens.refresh_token, client_id: client.client_id });
    expect(await endingOf(tokens.grant_id)).toBe("app");
    expect(await appsPage()).toContain("The app ended this grant.");
  });

  test("the owner revoked it", async () => {
    const { tokens } = await connected(it, { client });
    await it.server.call("POST", `/v1/grants/${tokens.grant_id}/revoke`);
    expect(await endingOf(tokens.grant_id)).toBe("owner");
  });
});

describe("P-03 one audience with two addresses", () => {
  test("a token requested at /mcp can be exchanged at /v1 and refreshed at /mcp", async () => {
    const done = await approved(it, client, { parameters: { resource: `${it.url}/mcp` } });
    const exchanged = await postForm(`${it.url}/oauth/token`, {
      grant_type: "authorization_code",
      code: done.params.get("code")!,
      redirect_uri: done.redirect,
      client_id: client.client_id,
      code_verifier: done.verifier,
      resource: `${it.url}/v1`,
    });
    expect(exchanged.status).toBe(200);
    const tokens = exchanged.body;
    expect((await reads(it.server, tokens.access_token))[0]).toBe(200);
    const renewed = await postForm(`${it.url}/oauth/token`, {
      grant_type: "refresh_token",
      refresh_token: tokens.refresh_token,
      client_id: client.client_id,
      resource: `${it.url}/mcp`,
    });
    expect(renewed.status).toBe(200);
  });
});

describe("X-07 an app that registered without a name is shown with the name in client_display", () => {
  test.each([
    ['{"name":"Gardener"}', "Gardener"],
    ["Gardener of old", "Gardener of old"],
    ['{"name":"<b>bold\\u202e</b>"}', "&lt;b&gt;bold"],
  ])("client_display=%s", async (client_display, shown) => {
    const nameless = await register(it, { client_name: undefined });
    const asked = await ask(it, nameless, { client_display });
    const page = await it.browser.get(asked.href);
    expect(page.html).toContain(shown);
    expect(page.html).not.toContain("<b>bold");
  });
});
