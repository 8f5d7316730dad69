// SECURITY row 8: the effect of a flood of registrations is bounded, and other apps are not locked out.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openSqliteStore, prepareHome } from "../../store/sqlite/sqlite-store.ts";
import type { Store } from "../../store/store.ts";
import { roomForClient } from "./clients.ts";

const NOW = Date.parse("2026-03-01T00:00:00Z");
const FLOOD = 1500;

let folder: string;
let store: Store;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "postern-registrations-"));
  prepareHome(folder);
  store = openSqliteStore(folder);
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

it("SECURITY row 8: of 1,500 registrations the newest 1,000 are kept, and an approved app is never removed", async () => {
  const item = (n: number) => ({
    kind: "Client",
    hash: `client-${n}`,
    body: "{}",
    grantId: null,
    uid: null,
    userCode: null,
    consumedAt: null,
    expiresAt: NOW + 3_600_000 + n,
  });
  await store.write(async (view) => {
    await view.putAuthItem(item(0));
    await view.keepAuthItem("Client", "client-0");
    for (let n = 1; n <= FLOOD; n++) {
      await roomForClient(view, NOW + n);
      await view.putAuthItem(item(n));
    }
  });
  await store.read(async (view) => {
    expect(await view.countAuthItems("Client", NOW + FLOOD)).toBeLessThanOrEqual(1000);
    const isKnown = async (n: number) => (await view.authItem("Client", `client-${n}`)) !== undefined;
    expect([await isKnown(0), await isKnown(1), await isKnown(FLOOD - 900), await isKnown(FLOOD)]).toEqual([
      true,
      false,
      true,
      true,
    ]);
  });
});
