// P-03, P-07: a long read returns no data if another process revokes its grant while it runs.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { library } from "../../test/library.ts";
import { emptyDatabase } from "../../test/postgres.ts";
import { openStore } from "../store/place.ts";
import { Database } from "../store/postgres/connection.ts";
import { prepareDatabase } from "../store/postgres/prepare.ts";
import { localHost } from "./local-host.ts";

const OWNER = { home: true } as const;

it("P-03 P-07 a revocation that another process has acknowledged ends running reads", async () => {
  const home = mkdtempSync(join(tmpdir(), "pdpp-revoked-"));
  const { url, drop } = await emptyDatabase();
  const place = { home, database: await prepareDatabase(url) };
  const hosts = await Promise.all([1, 2].map(async () => localHost(await openStore(place), { home, persist: false })));
  const [here, there] = hosts as [(typeof hosts)[0], (typeof hosts)[0]];
  await here.call("putConnector", { connector_key: "library", declaration: library }, OWNER);
  await here.call("createConnection", { connector_id: "library" }, OWNER);
  const { grants, access_token: token } = await here.call("issueGrant", { all: true }, OWNER);
  const read = () => there.call("records", { stream: "books" }, { token });
  await read();

  const database = new Database(url, { connections: 1 });
  const slow = database.session(async (connection) => {
    await connection.script("BEGIN; LOCK TABLE record IN ACCESS EXCLUSIVE MODE");
    const answer = read().then(
      () => "answered",
      (error: { code: string }) => error.code,
    );
    const waits = "SELECT 1 FROM pg_locks WHERE relation = 'record'::regclass AND NOT granted";
    while ((await connection.row(waits)) === undefined);
    await here.call("revokeGrant", { id: grants[0]!.grant_id }, OWNER);
    await connection.script("COMMIT");
    return answer;
  });
  expect(await slow).toBe("grant_revoked");

  await database.close();
  await Promise.all(hosts.map((host) => host.close()));
  await drop();
  rmSync(home, { recursive: true });
});
