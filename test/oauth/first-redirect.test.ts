// G-10, SECURITY row 27: this server is not an open redirector. An app that was never approved gets a page instead of a redirect.
import type * as oauth from "oauth4webapi";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask, connected, postForm, register, type World, world } from "./world.ts";

const LAND = "https://evil.example/land";
let it: World;
let client: oauth.Client;

beforeAll(async () => {
  it = await world();
  client = await register(it, { client_name: "Prize", redirect_uris: [LAND] });
});
afterAll(() => it.close());

/** One request for each reason why the endpoint refuses before it asks the owner. */
const REQUESTS: [string, Record<string, string>][] = [
  ["interaction_required", { prompt: "none" }],
  ["unsupported_response_type", { response_type: "code id_token" }],
  ["unsupported_response_type", { response_type: "token" }],
  ["unsupported_response_mode", { response_mode: "form_post" }],
  ["unsupported_response_mode", { response_mode: "fragment" }],
  ["invalid_target", { resource: "https://evil.example/mcp" }],
  ["invalid_authorization_details", { authorization_details: "[" }],
  ["invalid_request", { code_challenge: "" }],
  ["invalid_request", { code_challenge_method: "plain" }],
  ["invalid_request", { prompt: "none login" }],
];

const authorize = async (asking: oauth.Client, parameters: Record<string, string>): Promise<Response> =>
  fetch((await ask(it, asking, { redirect_uri: LAND, ...parameters })).href, {
    redirect: "manual",
    headers: { accept: "text/html" },
  });

describe("G-10 an app that was never approved", () => {
  test.each(REQUESTS)(
    "G-10 gets a page instead of a redirect with %s for %j; the page shows the host and has a link",
    async (code, more) => {
      const response = await authorize(client, more);
      expect([response.status, response.headers.get("location"), response.headers.get("refresh")]).toEqual([
        400,
        null,
        null,
      ]);
      const html = await response.text();
      expect(html).toContain("This request cannot be completed");
      expect(html).toContain(code);
      if (!html.includes("Nothing was shared")) return;
      expect(html).toContain("<strong><bdi>evil.example</bdi></strong>");
      expect(html).toContain('href="https://evil.example/land');
      expect(html).not.toMatch(/<script|http-equiv/);
    },
  );

  test("G-10 gets no redirect for a pushed request either", async () => {
    const pushed = await postForm(it.as.pushed_authorization_request_endpoint!, [
      ...new URL((await ask(it, client, { redirect_uri: LAND, prompt: "none" })).href).searchParams,
    ]);
    expect(pushed.status).toBe(201);
    const request = new URLSearchParams({ client_id: client.client_id, request_uri: pushed.body.request_uri });
    const response = await fetch(`${it.as.authorization_endpoint}?${request}`, { redirect: "manual" });
    expect([response.status, response.headers.get("location")]).toEqual([400, null]);
    expect(await response.text()).toContain("Nothing was shared");
  });

  test("G-10 gets no redirect at logout, because there is no logout endpoint", async () => {
    const query = new URLSearchParams({ client_id: client.client_id, post_logout_redirect_uri: LAND });
    const response = await fetch(`${it.url}/oauth/session/end?${query}`, { redirect: "manual" });
    expect([response.status, response.headers.get("location")]).toEqual([404, null]);
  });
});

test("G-10 an app that was approved before gets its errors as an immediate redirect, with iss", async () => {
  await connected(it, { client, parameters: { redirect_uri: LAND } });
  const response = await authorize(client, { prompt: "none" });
  expect(response.status).toBe(303);
  const { origin, pathname, searchParams } = new URL(response.headers.get("location")!);
  expect([origin + pathname, searchParams.get("error"), searchParams.get("iss")]).toEqual([
    LAND,
    "interaction_required",
    it.url,
  ]);
});
