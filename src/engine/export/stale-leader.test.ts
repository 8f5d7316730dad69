// T-05: a leader that is paused in an export and goes on after another was elected destroys nothing of the other's.
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ndjson } from "../../../test/harness.ts";
import { BOOKS, library } from "../../../test/library.ts";
import { type TestOwner, testOwner } from "../../../test/postgres.ts";
import type { ExportJob } from "../../contract/answers.ts";
import { openStore } from "../../store/place.ts";
import type { EngineHost } from "../host.ts";
import { localHost } from "../local-host.ts";
import { type ExportingHost, exportingHost } from "./exporting-host.ts";

const OWNER = { home: true } as const;
let owner: TestOwner;
let folder: string;
let hosts: ExportingHost[];
beforeEach(async () => {
  owner = await testOwner();
  folder = mkdtempSync(join(tmpdir(), "postern-stale-leader-"));
  hosts = [];
});
afterEach(async () => {
  await Promise.all(hosts.map((host) => host.close()));
  await owner.close();
  rmSync(folder, { recursive: true });
});

/** A server on the shared folder; `around` stands between its runner and its engine. */
async function server(around: (host: EngineHost) => EngineHost = (host) => host): Promise<ExportingHost> {
  const objects = { kind: "folder", root: folder } as const;
  const store = await openStore({ home: folder, database: { url: owner.url, subject: owner.subject } });
  const inner = localHost(store, { home: folder, objects, persist: false });
  const host = exportingHost({ home: folder, objects, host: around(inner), log: () => undefined });
  hosts.push(host);
  return host;
}

const elect = async (): Promise<number> =>
  (await owner.database.session((connection) =>
    connection.row("UPDATE home SET term = term + 1 WHERE subject_id = $1 RETURNING term", owner.subject),
  ))![0] as number;

/** Where the first leader is paused: before a call is made, or before its answer is taken. */
test.each(["exportTasks", "exportPage", "settleExport"] as const)(
  "T-05 an export survives a leader that was paused at %s and goes on too late",
  async (method) => {
    const [paused, resumed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let pauses = false;
    const first = await server((host) => ({
      ...host,
      async call(asked, ...rest) {
        if (pauses && asked === method) {
          pauses = false;
          const answer = method === "exportTasks" ? await host.call(asked, ...rest) : undefined;
          paused.resolve();
          await resumed.promise;
          if (answer !== undefined) return answer;
        }
        return host.call(asked, ...rest);
      },
    }));
    const second = await server();
    await first.call("putConnector", { connector_key: "library", declaration: library }, OWNER);
    const made = await first.call("createConnection", { connector_id: "library" }, OWNER);
    const { connection_id } = JSON.parse(made) as { connection_id: string };
    await first.call("ingest", { stream: "books", connection_id, text: ndjson(BOOKS) }, OWNER);
    first.begin({ home: true, term: await elect() });
    await first.exported();
    pauses = true;
    const { export_id: id } = JSON.parse(await first.call("createExport", { stream: "books" }, OWNER)) as ExportJob;
    await paused.promise;
    second.begin({ home: true, term: await elect() });
    await second.exported();
    resumed.resolve();
    await first.rest();
    const job = JSON.parse(await second.call("exportDownload", { id }, OWNER)) as ExportJob & { file: string };
    const bytes = readFileSync(join(folder, "exports", job.file));
    expect([job.status, createHash("sha256").update(bytes).digest("hex")]).toEqual(["succeeded", job.sha256]);
    expect(readdirSync(join(folder, "exports"))).toContain(job.file);
  },
);
