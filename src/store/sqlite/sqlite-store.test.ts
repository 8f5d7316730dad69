// The embedded store follows the store contract.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { storeContract } from "../store-contract.fixture.ts";
import { openSqliteStore, prepareHome } from "./sqlite-store.ts";

storeContract("the SQLite store", async () => {
  const home = mkdtempSync(join(tmpdir(), "pdpp-store-"));
  prepareHome(home);
  const store = openSqliteStore(home);
  return {
    store,
    another: async () => openSqliteStore(home),
    async close() {
      await store.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
});
