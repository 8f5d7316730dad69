// Changes since a time, if records are not in chronological order.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { declaration } from "../../../test/non-interference/world.ts";
import { openSqliteStore, prepareHome } from "../../store/sqlite/sqlite-store.ts";
import type { Credential } from "../caller.ts";
import { localHost } from "../local-host.ts";

const OWNER: Credential = { home: true };
const MINUTE = 60_000;

it("K-07 G-01 records from a write that began earlier do not hide changes since a time, whether they are visible or not", async () => {
  const home = mkdtempSync(join(tmpdir(), "pdpp-feed-"));
  prepareHome(home);
  const begin = Date.UTC(2026, 0, 1, 10);
  const host = localHost(openSqliteStore(home), { home, persist: false, now: () => begin + 6 * MINUTE });
  await host.call("putConnector", { connector_key: "world", declaration }, OWNER);
  const { connection_id } = await host.call("createConnection", { connector_id: "world" }, OWNER);
  const place = { stream: "items", connection_id };
  const write = async (ids: string[], began: number) => {
    const lines = ids.map((id) => JSON.stringify({ key: id, data: { id }, emitted_at: "2025-12-01T00:00:00Z" }));
    const { changed } = await host.call("ingest", { ...place, text: lines.join("\n"), began }, OWNER);
    expect(changed).toBe(ids.length);
  };
  await write(["seen"], begin + 5 * MINUTE);
  // Another write, which began earlier, continues after this one.
  await write(["late1", "late2", "late3"], begin);
  const selections = [{ ...place, resources: ["seen"] }];
  const { access_token } = await host.call("issueGrant", { selections }, OWNER);
  const changes_since = new Date(begin + 3 * MINUTE).toISOString();
  for (const credential of [OWNER, { token: access_token }]) {
    for (const query of [
      { ...place, changes_since },
      { stream: "all", changes_since },
    ]) {
      const { data } = await host.call("records", query, credential);
      expect(data.map(({ id }) => id)).toEqual(["seen"]);
    }
  }
  await host.close();
  rmSync(home, { recursive: true });
});
