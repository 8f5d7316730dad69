// The store on PostgreSQL keeps the contract of stores.
import { testOwner } from "../../../test/postgres.ts";
import { storeContract } from "../store-contract.fixture.ts";
import { openPostgresStore } from "./postgres-store.ts";

storeContract("P-07 the PostgreSQL store", async () => {
  const owner = await testOwner();
  const store = await openPostgresStore(owner.database, owner.subject);
  return {
    store,
    another: () => openPostgresStore(owner.database, owner.subject),
    async close() {
      await store.close();
      await owner.close();
    },
  };
});
