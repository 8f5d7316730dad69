// SECURITY row 2: every route that changes something refuses requests from other sites and other sessions.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AUTH_PATHS } from "../../src/auth/discovery.ts";
import { ROUTES } from "../../src/engine/calls/calls.ts";
import { FILE_ROUTES } from "../../src/surfaces/files/routes.ts";
import { OWNER_PAGES } from "../../src/surfaces/web/dashboard/pages.ts";
import { formWith, logIn, type OwnerBrowser, ownerBrowser } from "../oauth/owner-browser.ts";
import { type World, world } from "../oauth/world.ts";

const filled = (path: string): string => path.replace(/\{\w+\}/g, "x");
/** Forms have the CSRF token in a field. */
const FORMS: [string, string][] = [
  ...OWNER_PAGES.filter(({ post, upload }) => post !== undefined || upload !== undefined).map(
    ({ path }): [string, string] => ["POST", filled(path)],
  ),
  ["POST", "/setup"],
  ["POST", "/login"],
  ["POST", "/logout"],
];
/** Page scripts send the CSRF token in a header. */
const CALLS: [string, string][] = [...ROUTES, ...FILE_ROUTES]
  .filter(({ method }) => method !== "GET")
  .map(({ method, path }) => [method, `/dashboard${filled(path)}`]);
/** The authorization server's own pages. Their token is bound to a pending request, and there is no such request. */
const PENDING: [string, string][] = [
  ["POST", AUTH_PATHS.verification],
  ["POST", `${AUTH_PATHS.interaction}/x`],
];

let it: World;
let owner: OwnerBrowser;
let token: string;
let foreignToken: string;
beforeAll(async () => {
  it = await world();
  owner = it.browser;
  token = await formToken(owner);
  const elsewhere = ownerBrowser(it.url);
  await logIn(elsewhere, await elsewhere.get("/login"));
  foreignToken = await formToken(elsewhere);
});
afterAll(() => it.close());

async function formToken(browser: OwnerBrowser): Promise<string> {
  const page = await browser.get("/dashboard/apps");
  return formWith(page, "csrf").fields.find(([name]) => name === "csrf")![1];
}

async function send(
  [method, path]: [string, string],
  { origin = it.url, csrf }: { origin?: string; csrf?: string },
): Promise<{ status: number; text: string; location: string | null }> {
  const isForm = !CALLS.some(([, called]) => called === path);
  const place = `/~${owner.key}${path}`;
  const response = await fetch(it.url + place, {
    method,
    redirect: "manual",
    headers: {
      cookie: owner.jar(place),
      origin,
      accept: "application/json",
      ...(isForm ? { "content-type": "application/x-www-form-urlencoded" } : { "content-type": "application/json" }),
      ...(isForm || csrf === undefined ? {} : { "postern-form": csrf }),
    },
    body: isForm ? new URLSearchParams(csrf === undefined ? {} : { csrf }).toString() : "{}",
  });
  return { status: response.status, text: await response.text(), location: response.headers.get("location") };
}

const refusal = { status: 403, text: expect.stringContaining("forbidden_origin"), location: null };

describe("SECURITY row 2: cross-site requests", () => {
  test("SECURITY row 2 these tests use the owner's session", async () => {
    expect((await owner.get("/dashboard/apps")).url).toBe(`${it.url}/dashboard/apps`);
    expect([FORMS.length > 20, CALLS.length > 40, token === foreignToken]).toEqual([true, true, false]);
  });

  test.each([...FORMS, ...CALLS])(
    "row 2 %s %s is refused from another site, without a token, and with another session's token",
    async (...route) => {
      for (const origin of ["https://evil.example", "null", "http://127.0.0.1:1"])
        expect(await send(route, { origin, csrf: token }), origin).toEqual(refusal);
      expect(await send(route, {}), "without a token").toEqual(refusal);
      expect(await send(route, { csrf: foreignToken }), "with the token of another session").toEqual(refusal);
      expect(await send(route, { csrf: `${token}x` }), "with a changed token").toEqual(refusal);
    },
  );

  test.each(PENDING)(
    "row 2 %s %s is refused from another site, and without a pending request in this browser",
    async (...route) => {
      for (const origin of ["https://evil.example", "null"])
        expect(await send(route, { origin, csrf: token }), origin).toEqual(refusal);
      const { status, location } = await send(route, { csrf: foreignToken });
      expect([status >= 400 && status < 500, location]).toEqual([true, null]);
    },
  );

  test.each(CALLS.slice(0, 5))("row 2 %s %s with the page's own token passes this check", async (...route) => {
    expect((await send(route, { csrf: token })).text).not.toContain("forbidden_origin");
  });

  test("SECURITY row 2 the owner is still signed in after all of these requests", async () => {
    expect((await owner.get("/dashboard/apps")).url).toBe(`${it.url}/dashboard/apps`);
  });
});
