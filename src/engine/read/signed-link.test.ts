// A signed link is valid for at most 15 minutes, and never longer than its grant.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { declaration } from "../../../test/non-interference/world.ts";
import { openSqliteStore, prepareHome } from "../../store/sqlite/sqlite-store.ts";
import type { Credential } from "../caller.ts";
import { localHost } from "../local-host.ts";

const OWNER: Credential = { home: true };

it("K-08 SECURITY row 28 a signed link expires after 15 minutes, or with the token's grant if that is sooner", async () => {
  const home = mkdtempSync(join(tmpdir(), "pdpp-links-"));
  prepareHome(home);
  let now = Date.UTC(2026, 0, 1);
  const store = openSqliteStore(home);
  const host = localHost(store, { home, persist: false, now: () => now });
  await host.call("putConnector", { connector_key: "world", declaration }, OWNER);
  const { connection_id } = await host.call("createConnection", { connector_id: "world" }, OWNER);
  const selections = [{ connection_id, stream: "items" }];
  for (const [lasting, minutes] of [
    [{}, 15],
    [{ expires_in_seconds: 60 }, 1],
  ] as const) {
    const { access_token } = await host.call("issueGrant", { selections, ...lasting }, OWNER);
    const asked = "/v1/blobs/b?connection_id=c";
    const { url, expires_at } = await host.call("signLink", { url: asked }, { token: access_token });
    expect(Date.parse(expires_at) - now).toBe(minutes * 60_000);
    const link = { url: asked, signed: new URL(url, "http://here").searchParams.get("signed")! };
    now = Date.parse(expires_at) - 1;
    expect(await host.call("openLink", link, OWNER)).toEqual({ grant: expect.stringMatching(/^grt_/) });
    now++;
    await expect(host.call("openLink", link, OWNER)).rejects.toThrow(
      expect.objectContaining({ code: "token_expired" }),
    );
  }
  await host.close();
  rmSync(home, { recursive: true });
});
