// The data for the crash tests: one source with a mutable stream, its connection, and the owner's token.
import { localHost } from "../../src/engine/local-host.ts";
import { openStore } from "../../src/store/place.ts";
import { prepareDatabase } from "../../src/store/postgres/prepare.ts";
import { prepareHome } from "../../src/store/sqlite/sqlite-store.ts";

export const STREAM = "items";
export const CONNECTOR = "crash";
export const GROUPS = ["a", "b", "c", "d", "e"] as const;
/** Words for the notes. The first ones occur in many notes, the last ones in few. */
export const WORDS = ["river", "lantern", "copper", "meadow", "zephyr"] as const;

const DECLARATION = {
  protocol_version: "0.1.0",
  source: { kind: "connector", id: "https://crash.example/items" },
  declaration_version: "1",
  publisher: { id: "https://crash.example" },
  display: { name: "Crash" },
  streams: [
    {
      name: STREAM,
      semantics: "mutable_state",
      schema: {
        type: "object",
        properties: {
          id: { type: "string" },
          group: { type: "string" },
          amount: { type: "integer" },
          revision: { type: "integer" },
          note: { type: "string" },
          picture: { type: "object", properties: { blob_id: { type: "string" } } },
        },
        required: ["id", "group", "amount", "revision", "note"],
      },
      primary_key: ["id"],
      cursor_field: "revision",
      query: {
        search: { lexical_fields: ["note"] },
        aggregations: { count: true, group_by: ["group"], sum: ["amount"] },
      },
    },
  ],
};

/** Creates the home before the first server starts, in files or in a database. Returns the owner's token. */
export async function makeHome(home: string, databaseUrl?: string): Promise<string> {
  if (databaseUrl === undefined) prepareHome(home);
  const database = databaseUrl === undefined ? undefined : await prepareDatabase(databaseUrl);
  const host = localHost(await openStore({ home, database }), { home, persist: false });
  const owner = { home: true } as const;
  await host.call("putConnector", { connector_key: CONNECTOR, declaration: DECLARATION }, owner);
  await host.call("createConnection", { connector_id: CONNECTOR }, owner);
  const { access_token } = await host.call("issueOwnerToken", {}, owner);
  await host.close();
  return access_token;
}
