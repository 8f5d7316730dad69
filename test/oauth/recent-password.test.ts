// G-04 on pages and for scripts: creating lasting access requires the password again and keeps the form's content.
import { afterAll, beforeAll, expect, test } from "vitest";
import { hashToken } from "../../src/engine/caller.ts";
import { formWith, OWNER, type Page } from "./owner-browser.ts";
import { answer, back, consentPage, grantCount, register, type World, world } from "./world.ts";

let it: World;
beforeAll(async () => {
  it = await world();
});
afterAll(() => it.close());

/** Simulates that ten minutes have passed since the owner entered the password. */
const letPasswordAge = (): Promise<object> =>
  it.server.host.call(
    "deleteAuthItem",
    { kind: "RecentPassword", hash: hashToken(it.browser.cookies.get("pdpp_session")!) },
    { home: true },
  );

const enter = (page: Page, password: string): Promise<Page> => {
  const form = formWith(page, "confirm_password");
  const kept = form.fields.filter(([name]) => name !== "confirm_password" && name !== "username");
  return it.browser.post(form.action, [...kept, ["confirm_password", password]]);
};

test("G-04 an approval requires the password, keeps the ticked boxes, and then completes", async () => {
  const page = await consentPage(it, await register(it));
  await letPasswordAge();
  const before = await grantCount(it);
  const asked = await answer(it.browser, page, { streams: [`${it.town}/authors`, `${it.cabin}/books`] });
  expect([asked.status, asked.html.includes("Enter your password to continue")]).toEqual([403, true]);
  const wrong = await enter(asked, "not the password");
  expect([wrong.status, wrong.html.includes("That is not your password.")]).toEqual([403, true]);
  expect(await grantCount(it)).toBe(before);
  const receipt = await enter(wrong, OWNER.password);
  expect(receipt.html).toContain("may now see this");
  expect(await grantCount(it)).toBe(before + 2);
  expect((await back(it.browser, receipt)).searchParams.get("code")).not.toBeNull();
});

test("G-04 a backup requires the password on its page", async () => {
  await letPasswordAge();
  const { fields } = formWith(await it.browser.get("/dashboard/settings"), "csrf");
  const csrf = fields.find(([name]) => name === "csrf")!;
  const asked = await it.browser.post("/dashboard/settings", [csrf, ["do", "backup"]]);
  expect([asked.status, asked.html.includes("Enter your password to continue")]).toEqual([403, true]);
  expect((await it.server.get("/dashboard/settings.json")).body.backups.errand).toBeUndefined();
  expect((await enter(asked, OWNER.password)).status).toBe(200);
  const settings = async () => (await it.server.get("/dashboard/settings.json")).body.backups;
  await expect.poll(async () => (await settings()).errand?.result?.snapshot).toBeDefined();
  const [{ snapshot }] = (await settings()).kept;
  await letPasswordAge();
  const download = [csrf, ["do", "download"], ["snapshot", snapshot]] as [string, string][];
  const refused = await it.browser.post("/dashboard/settings", download);
  expect([refused.status, refused.html.includes("Enter your password to continue")]).toEqual([403, true]);
  const file = await enter(refused, OWNER.password);
  expect([file.status, file.html.startsWith("postern-home")]).toEqual([200, true]);
});

test("G-04 a script gets an error code and the next step; revoking never requires the password", async () => {
  await letPasswordAge();
  const page = await it.browser.get("/dashboard/apps");
  const csrf = /name="csrf" value="([^"]*)"/.exec(page.html)![1]!;
  const call = async (path: string, body: object): Promise<Response> => {
    const at = `/~${it.browser.key}/dashboard${path}`;
    const headers = { cookie: it.browser.jar(at), origin: it.url, "postern-form": csrf };
    return fetch(it.url + at, { method: "POST", headers, body: JSON.stringify(body) });
  };
  for (const [path, body] of [
    ["/v1/grants", { all: true }],
    ["/api/roots", { path: it.server.home }],
  ] as const) {
    const refused = await call(path, body);
    const { error } = (await refused.json()) as { error: { code: string; next_step: string } };
    expect([path, refused.status, error.code]).toEqual([path, 403, "password_required"]);
    expect(error.next_step).toContain("Sign in again");
  }
  const [{ grant }] = (await it.server.get("/v1/grants")).body.data;
  expect((await call(`/v1/grants/${grant.grant_id}/revoke`, {})).status).toBe(200);
});
