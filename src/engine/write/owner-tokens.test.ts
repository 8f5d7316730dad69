// Owner tokens are listed by id, never by secret, and a revoked token is refused at the next call.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openSqliteStore, prepareHome } from "../../store/sqlite/sqlite-store.ts";
import type { Credential } from "../caller.ts";
import type { EngineHost } from "../host.ts";
import { localHost } from "../local-host.ts";

const OWNER: Credential = { home: true };
const home = mkdtempSync(join(tmpdir(), "pdpp-owner-"));
let host: EngineHost;

beforeAll(() => {
  prepareHome(home);
  host = localHost(openSqliteStore(home), { home, persist: false });
});

afterAll(async () => {
  await host.close();
  rmSync(home, { recursive: true, force: true });
});

const issue = async () => await host.call("issueOwnerToken", {}, OWNER);
const listed = async () => (await host.call("ownerTokens", {}, OWNER)).data;

it("SECURITY row 20 lists tokens by an id that is not secret", async () => {
  const { access_token, token_id } = await issue();
  const tokens = await listed();
  expect(tokens).toEqual([expect.objectContaining({ object: "owner_token", token_id, status: "active" })]);
  expect(JSON.stringify(tokens)).not.toContain(access_token.slice(-20));
});

it("a revoked token is refused at the next call, and others keep working", async () => {
  const [kept, gone] = [await issue(), await issue()];
  await host.call("revokeOwnerToken", { id: gone.token_id }, OWNER);
  await expect(host.call("schema", {}, { token: gone.access_token })).rejects.toMatchObject({
    code: "authentication_error",
  });
  await expect(host.call("schema", {}, { token: kept.access_token })).resolves.toMatchObject({ object: "schema" });
  await expect(host.call("revokeOwnerToken", { id: gone.token_id }, OWNER)).rejects.toMatchObject({
    code: "not_found",
  });
});

it("all tokens can be revoked at once", async () => {
  await issue();
  await host.call("revokeOwnerToken", { id: "all" }, OWNER);
  expect(await listed()).toEqual([]);
});

it("a grant's token cannot list owner tokens", async () => {
  await expect(host.call("ownerTokens", {}, { token: "pdpp_at_unknown" })).rejects.toMatchObject({
    code: "authentication_error",
  });
});
