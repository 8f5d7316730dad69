// T-05: a leader that is paused during an export, and continues after another leader was elected, does not damage the
// new leader's work.
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ndjson } from "../../../test/harness.ts";
import { BOOKS, library } from "../../../test/library.ts";
import { type TestOwner, testOwner } from "../../../test/postgres.ts";
import { openStore } from "../../store/place.ts";
import type { Services } from "../calls/services.ts";
import { type EngineHost, hostAround } from "../host.ts";
import { localHost } from "../local-host.ts";
import { servedHost } from "../served-host.ts";
import { type ExportService, exportService } from "./export-service.ts";

const OWNER = { home: true } as const;
let owner: TestOwner;
let folder: string;
let servers: Server[];
beforeEach(async () => {
  owner = await testOwner();
  folder = mkdtempSync(join(tmpdir(), "postern-stale-leader-"));
  servers = [];
});
afterEach(async () => {
  for (const { exports, host } of servers) {
    await exports.close();
    await host.close();
  }
  await owner.close();
  rmSync(folder, { recursive: true });
});

interface Server {
  exports: ExportService;
  host: EngineHost;
}

/** A server on the shared folder. `around` wraps the engine for its runner. */
async function server(around: (host: EngineHost) => EngineHost = (host) => host): Promise<Server> {
  const objects = { kind: "folder", root: folder } as const;
  const store = await openStore({ home: folder, database: { url: owner.url, subject: owner.subject } });
  const inner = around(localHost(store, { home: folder, objects, persist: false }));
  const exports = exportService({ home: folder, objects, host: inner, log: () => undefined });
  const one = { exports, host: servedHost(inner, { exports } as unknown as Services, [exports.effects]) };
  servers.push(one);
  return one;
}

const elect = async (): Promise<number> =>
  (await owner.database.session((connection) =>
    connection.row("UPDATE home SET term = term + 1 WHERE subject_id = $1 RETURNING term", owner.subject),
  ))![0] as number;

/** Where the first leader is paused: before it makes a call, or before it receives the result. */
test.each(["exportTasks", "exportPage", "settleExport"] as const)(
  "T-05 an export survives a leader that was paused at %s and continues too late",
  async (name) => {
    const [paused, resumed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let pauses = false;
    const first = await server((host) =>
      hostAround(host, (ask) => async (asked, ...rest) => {
        if (pauses && asked === name) {
          pauses = false;
          const answer = name === "exportTasks" ? await ask(asked, ...rest) : undefined;
          paused.resolve();
          await resumed.promise;
          if (answer !== undefined) return answer;
        }
        return ask(asked, ...rest);
      }),
    );
    const second = await server();
    await first.host.call("putConnector", { connector_key: "library", declaration: library }, OWNER);
    const { connection_id } = await first.host.call("createConnection", { connector_id: "library" }, OWNER);
    await first.host.call("ingest", { stream: "books", connection_id, text: ndjson(BOOKS) }, OWNER);
    first.exports.begin({ home: true, term: await elect() });
    await first.exports.idle();
    pauses = true;
    const { export_id: id } = await first.host.call("createExport", { stream: "books" }, OWNER);
    await paused.promise;
    second.exports.begin({ home: true, term: await elect() });
    await second.exports.idle();
    resumed.resolve();
    await first.exports.rest();
    const job = await second.host.call("exportDownload", { id }, OWNER);
    const bytes = readFileSync(join(folder, "exports", job.file));
    expect([job.status, createHash("sha256").update(bytes).digest("hex")]).toEqual(["succeeded", job.sha256]);
    expect(readdirSync(join(folder, "exports"))).toContain(job.file);
  },
);
