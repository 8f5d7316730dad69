// An app that revokes its own grant loses its export files, as it does when the owner revokes the grant.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connected, postForm, type World, world } from "./world.ts";

let it: World;
beforeAll(async () => {
  it = await world();
});
afterAll(() => it.close());

test("D-03 an app's export files are removed when it revokes its own grant", async () => {
  const { server } = it;
  const { client, tokens } = await connected(it, { streams: [`${it.town}/books`] });
  const query = { stream: "books", connection_id: it.town };
  const { body } = await server.call("POST", "/v1/exports", { token: tokens.access_token, body: query });
  await server.jobs.exports.idle();
  const files = (): string[] => readdirSync(join(server.home, "exports"));
  expect(files()).toEqual([expect.stringContaining(body.export_id)]);
  await postForm(`${it.url}/oauth/revoke`, { token: tokens.refresh_token, client_id: client.client_id });
  await server.jobs.exports.idle();
  expect(files()).toEqual([]);
});
