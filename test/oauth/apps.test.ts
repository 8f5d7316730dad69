// /dashboard/apps with live grants: a package shows its access without the revoked grants.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Loose } from "../harness.ts";
import { connected, type World, world } from "./world.ts";

let it: World;
beforeAll(async () => {
  it = await world();
});
afterAll(() => it.close());

test("X-08 P-04 a denied call under a package is on the page, with a link to the reason", async () => {
  const { tokens } = await connected(it, { streams: [`${it.town}/books`, `${it.archive}/books`] });
  const denied = await it.server.get("/v1/streams/loans/records", { token: tokens.access_token });
  expect(denied.status).toBe(403);
  const { html } = await it.browser.get("/dashboard/apps");
  expect(html).toContain("Asked for “loans”: refused");
  const why = await it.browser.get(`/dashboard/why/${denied.body.error.request_id}`);
  expect(why.html).toContain("It asked for something that you did not allow it to see.");
  expect(why.html).toContain("none of the 2 grants includes the stream loans");
});

test("P-04 a revoked grant of a package is no longer in the package's sentence", async () => {
  const { tokens } = await connected(it, { streams: [`${it.town}/authors`, `${it.archive}/authors`] });
  const sentence = async (): Promise<string> => {
    const { html } = await it.browser.get(`/dashboard/grants/${tokens.grant_package_id}`);
    return /class="may">.*?<bdi>([^<]*)/.exec(html)![1]!;
  };
  expect(await sentence()).toBe("Authors from Old archive and Town library");
  const [gone] = tokens.authorization_details.filter((one: Loose) => one.streams[0].instance_ids[0] === it.archive);
  await it.server.call("POST", `/v1/grants/${gone.grant_id}/revoke`);
  expect(await sentence()).toBe("Authors from Town library");
});
