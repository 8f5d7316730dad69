// /dashboard/apps over live grants: a package shows its request, without the grants that were revoked.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Loose } from "../harness.ts";
import { connected, type World, world } from "./world.ts";

let it: World;
beforeAll(async () => {
  it = await world();
});
afterAll(() => it.close());

test("X-08 P-04 a denied call under a package is on the page, with the way to why", async () => {
  const { tokens } = await connected(it, { streams: [`${it.town}/books`, `${it.archive}/books`] });
  const denied = await it.server.get("/v1/streams/loans/records", { token: tokens.access_token });
  expect(denied.status).toBe(403);
  const { html } = await it.browser.get("/dashboard/apps");
  expect(html).toContain("records of “loans”: denied, grant_stream_not_allowed");
  const why = await it.browser.get(`/dashboard/why/${denied.body.error.request_id}`);
  expect(why.html).toContain("None of the 2 grants names the stream loans");
});

test("P-04 a part that was revoked alone is no longer shown as readable", async () => {
  const { tokens } = await connected(it, { streams: [`${it.town}/authors`, `${it.archive}/authors`] });
  const shown = async (): Promise<string[]> => {
    const { html } = await it.browser.get("/dashboard/apps");
    const section = html.slice(html.indexOf(`aria-label="Grant ${tokens.grant_package_id}"`));
    return [...section.slice(0, section.indexOf("</section>")).matchAll(/read-from"><bdi>([^<]*)/g)].map(
      ([, name]) => name!,
    );
  };
  expect((await shown()).sort()).toEqual(["Old archive", "Town library"]);
  const [gone] = tokens.authorization_details.filter((one: Loose) => one.streams[0].instance_ids[0] === it.archive);
  await it.server.call("POST", `/v1/grants/${gone.grant_id}/revoke`);
  expect(await shown()).toEqual(["Town library"]);
});
