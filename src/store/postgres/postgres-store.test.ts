// The PostgreSQL store follows the store contract, even if several processes write for one owner.
import { expect, it } from "vitest";
import { testOwner } from "../../../test/postgres.ts";
import { storeContract } from "../store-contract.fixture.ts";
import { declaration, item, NOW } from "../store-samples.fixture.ts";
import { Database } from "./connection.ts";
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

it("P-07 concurrent writers assign each version once, and a reader that follows the feed misses nothing", async () => {
  const { database, url, subject, close } = await testOwner();
  const processes = [1, 2, 3].map(() => new Database(url, { connections: 1 }));
  const stores = await Promise.all(processes.map((own) => openPostgresStore(own, subject)));
  const streamNo = await stores[0]!.write(async (view) => {
    await view.putSource(subject, "contract", declaration, NOW);
    const connection = { connectionId: "cin_1", sourceId: declaration.source.id, displayName: "One", createdAt: NOW };
    await view.putConnection(subject, connection);
    return view.openStream("cin_1", "items");
  });
  const WRITES = 30;
  let left = stores.length;
  const write = async (n: number): Promise<void> => {
    const options = { appendOnly: false, limitsOf: () => ({ time: null }), now: NOW };
    for (let at = 0; at < WRITES; at++)
      await stores[n]!.write((view) =>
        view.apply(streamNo, [item(`${n}-${at}`), item("shared", `${n}-${at}`)], options),
      );
    left--;
  };
  const seen = new Set<string>();
  const follow = async (): Promise<void> => {
    let version = 0;
    for (let isLast = false; !isLast; ) {
      isLast = left === 0;
      const rows = await database.session((connection) =>
        connection.rows(
          "SELECT version, id FROM record WHERE subject_id = $1 AND version > $2 ORDER BY version",
          subject,
          version,
        ),
      );
      for (const [, id] of rows) seen.add(id as string);
      version = (rows.at(-1)?.[0] as number | undefined) ?? version;
    }
  };
  await Promise.all([...stores.keys()].map(write).concat(follow()));
  const written = stores.flatMap((_, n) => Array.from({ length: WRITES }, (_, at) => `${n}-${at}`));
  expect([...seen].sort()).toEqual([...written, "shared"].sort());
  expect(await stores[0]!.read((view) => view.version())).toBe(stores.length * WRITES * 2);
  await Promise.all([...processes.map((own) => own.close()), close()]);
});
