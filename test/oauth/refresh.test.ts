// C-01: after its access token has expired, an app refreshes it with the scopes of its first request and continues.
import type * as oauth from "oauth4webapi";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connected, postForm, reads, register, type World, world } from "./world.ts";

let it: World;
let client: oauth.Client;
beforeAll(async () => {
  it = await world();
  client = await register(it);
});
afterAll(() => it.close());

/** Sends a refresh request as an app does, and returns the response of the token endpoint. */
const refreshWith = async (refresh_token: string, more: Record<string, string> = {}) =>
  postForm(it.as.token_endpoint!, {
    grant_type: "refresh_token",
    refresh_token,
    client_id: client.client_id,
    ...more,
  });

describe("C-01 a refresh", () => {
  test.each([
    ["Codex: scope=read offline_access", "read offline_access"],
    ["unknown scopes", "openid profile mail.write"],
    ["the reference's scope", "pdpp:read"],
    ["every scope that discovery names", undefined],
  ])("C-01 a refresh with the scopes of the first request succeeds: %s", async (_who, asked) => {
    const scope = asked ?? it.as.scopes_supported!.join(" ");
    const { tokens } = await connected(it, { client, parameters: { scope } });
    const { status, body } = await refreshWith(tokens.refresh_token, { scope });
    expect([status, body.error_description]).toEqual([200, undefined]);
    expect(body.scope).toBe("read");
    expect(await reads(it.server, body.access_token)).toEqual([200]);
    // Refreshes again with the scope in the response.
    expect((await refreshWith(body.refresh_token, { scope: body.scope })).status).toBe(200);
  });

  test.each(["", "/", "/mcp", "/mcp/", "/v1"])(
    "C-01 a refresh with the resource of the first request succeeds: ORIGIN%s",
    async (path) => {
      const resource = it.url + path;
      const { tokens } = await connected(it, { client, parameters: { resource } });
      const { status, body } = await refreshWith(tokens.refresh_token, { resource });
      expect([status, body.error_description]).toEqual([200, undefined]);
      expect(await reads(it.server, body.access_token)).toEqual([200]);
    },
  );

  test("C-01 returns nothing that was not granted: the other lens is refused, and scope adds nothing", async () => {
    const { tokens } = await connected(it, { client, streams: [`${it.town}/books`] });
    const other = await refreshWith(tokens.refresh_token, { resource: `${it.url}/files/mcp` });
    expect([other.status, other.body.error]).toEqual([400, "invalid_target"]);
    // The refused request did not consume the refresh token.
    const { body } = await refreshWith(tokens.refresh_token, { scope: "read files admin" });
    expect(body.scope).toBe("read");
    expect(body.authorization_details).toEqual(tokens.authorization_details);
    expect(await reads(it.server, body.access_token, "/v1/streams/authors/records")).toEqual([
      403,
      "grant_stream_not_allowed",
    ]);
    expect(await reads(it.server, body.access_token, "/api/roots")).not.toEqual([200]);
  });

  test("C-01 a refresh with a malformed scope is still refused", async () => {
    const { tokens } = await connected(it, { client });
    const { status, body } = await refreshWith(tokens.refresh_token, { scope: 'read "quoted"' });
    expect([status, body.error]).toEqual([400, "invalid_scope"]);
  });
});
