// A process that keeps changing the records of a home until it is ended.

import { localHost } from "../../src/engine/local-host.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { HOME_OWNER, ndjson } from "../harness.ts";
import { book } from "../library.ts";

const [home, connection_id] = process.argv.slice(2) as [string, string];
const host = localHost(openSqliteStore(home), { home, persist: false });
for (let round = 0; ; round++) {
  const text = ndjson(Array.from({ length: 50 }, (_, n) => book(`book-${n}`, { pages: round })));
  await host.call("ingest", { connection_id, stream: "books", text }, HOME_OWNER);
  if (round === 0) process.stdout.write("writing\n");
}
