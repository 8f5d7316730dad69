// L-13: export jobs with a controlled clock and disk: expiry, limits, and servers that stop halfway.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ExportJob } from "../../contract/answers.ts";
import type { SourceDeclaration } from "../../contract/declaration.ts";
import { PdppError } from "../../contract/errors.ts";
import { EXPORT } from "../../contract/limits.ts";
import { openSqliteStore, prepareHome } from "../../store/sqlite/sqlite-store.ts";
import type { Services } from "../calls/services.ts";
import { type EngineHost, hostAround } from "../host.ts";
import { localHost } from "../local-host.ts";
import { servedHost } from "../served-host.ts";
import { exportService } from "./export-service.ts";

const OWNER = { home: true } as const;
const COUNT = 2500;
let home: string;
let now: number;
let hosts: ExportingHost[];
let log: string[];
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), "pdpp-exports-"));
  prepareHome(home);
  now = Date.UTC(2025, 0, 1);
  hosts = [];
  log = [];
});
afterEach(async () => {
  for (const host of hosts) await host.close();
  rmSync(home, { recursive: true, force: true });
  expect(log).toEqual([]);
});

const declaration: SourceDeclaration = {
  protocol_version: "0.1.0",
  source: { kind: "connector", id: "https://test.example/notes" },
  declaration_version: "1",
  publisher: { id: "test" },
  display: { name: "Notes" },
  streams: [
    {
      name: "notes",
      semantics: "mutable_state",
      primary_key: ["id"],
      schema: { type: "object", required: ["id"], properties: { id: { type: "string" }, body: { type: "string" } } },
    },
  ],
};

interface Options {
  diskBytes?: number;
  /** Wraps the engine for the runner. */
  around?: (host: EngineHost) => EngineHost;
}

interface ExportingHost extends EngineHost {
  exported(): Promise<void>;
}

function open({ diskBytes, around = (host) => host }: Options = {}): ExportingHost {
  const inner = around(localHost(openSqliteStore(home), { home, persist: true, now: () => now }));
  const exports = exportService({ home, host: inner, log: (text) => log.push(text), now: () => now, diskBytes });
  exports.begin({ home: true });
  const served = servedHost(inner, { exports } as unknown as Services, [exports.effects]);
  const host: ExportingHost = {
    ...served,
    exported: () => exports.idle(),
    async close() {
      await exports.close();
      await served.close();
    },
  };
  hosts.push(host);
  return host;
}

async function filled(host: EngineHost): Promise<string> {
  await host.call("putConnector", { connector_key: "notes", declaration }, OWNER);
  const made = await host.call("createConnection", { connector_id: "notes" }, OWNER);
  const { connection_id } = made;
  const text = Array.from({ length: COUNT }, (_, n) =>
    JSON.stringify({ key: `n${n}`, data: { id: `n${n}`, body: `note ${n}` }, emitted_at: "2024-01-01T00:00:00Z" }),
  ).join("\n");
  await host.call("ingest", { stream: "notes", connection_id, text }, OWNER);
  return connection_id;
}

const create = (host: EngineHost): Promise<ExportJob> => host.call("createExport", { stream: "notes" }, OWNER);
const show = (host: EngineHost, id: string): Promise<ExportJob> => host.call("exportJob", { id }, OWNER);
/** File names without the term and the attempt. */
const files = (): string[] => readdirSync(join(home, "exports")).map((name) => name.replace(/\.\d+\.[\w-]+$/, ""));

describe("L-13 expiry", () => {
  it("L-13 a day after an export is ready, its file is deleted and it is marked as expired; a week later the export is deleted", async () => {
    const host = open();
    await filled(host);
    const { export_id: id } = await create(host);
    await host.exported();
    expect(files()).toEqual([id]);
    now += EXPORT.lifetimeMs - 1;
    expect((await show(host, id)).status).toBe("succeeded");
    now += 1;
    await expect(show(host, id)).rejects.toMatchObject({ code: "export_expired" });
    await expect(host.call("exportDownload", { id }, OWNER)).rejects.toMatchObject({
      code: "export_expired",
      details: { next_step: "Start it again: POST /v1/exports." },
    });
    expect((await host.call("exports", {}, OWNER)).data).toEqual([]);
    const next = await create(host);
    await host.exported();
    expect(files()).toEqual([next.export_id]);
    now += EXPORT.rememberedMs;
    await create(host);
    await host.exported();
    await expect(show(host, id)).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("L-05 disk", () => {
  it("L-05 an export that does not fit on the disk fails completely, and the error says what to do", async () => {
    const host = open({ diskBytes: 100_000 });
    await filled(host);
    const { export_id: id } = await create(host);
    await host.exported();
    expect(await show(host, id)).toMatchObject({
      status: "failed",
      error: { code: "storage_full", next_step: expect.stringContaining("DELETE /v1/exports/ID") },
    });
    expect(files()).toEqual([]);
    await expect(host.call("exportDownload", { id }, OWNER)).rejects.toMatchObject({ code: "storage_full" });
  });

  it("L-05 no new job is accepted if the directory is full", async () => {
    const roomy = open();
    await filled(roomy);
    const { export_id: id } = await create(roomy);
    await roomy.exported();
    const tight = open({ diskBytes: 1000 });
    await tight.exported();
    await expect(create(tight)).rejects.toMatchObject({ code: "storage_full" });
    await tight.call("deleteExport", { id }, OWNER);
    expect((await create(tight)).status).toBe("queued");
    await tight.exported();
  });
});

describe("L-13 a server that stops halfway", () => {
  /** An engine whose second page never arrives, as if the process had died. */
  const stuck = (pages: PromiseWithResolvers<void>) => (host: EngineHost) =>
    hostAround(host, (next) => (name, query, ...rest) => {
      if (name !== "exportPage" || (query as { after?: unknown }).after === undefined)
        return next(name, query, ...rest);
      pages.resolve();
      return new Promise(() => undefined);
    });

  it("L-13 the next server repeats the export, and nothing remains of the first attempt", async () => {
    const pages = Promise.withResolvers<void>();
    const first = open({ around: stuck(pages) });
    await filled(first);
    const { export_id: id } = await create(first);
    await pages.promise;
    hosts = [];
    expect(await show(first, id)).toMatchObject({ status: "running", progress: { records: 1000, total: COUNT } });
    expect(files()).toEqual([expect.stringMatching(new RegExp(`^${id}\\.0\\.[\\w-]+\\.partial$`))]);
    const second = open();
    await second.exported();
    expect(await show(second, id)).toMatchObject({ status: "succeeded", progress: { records: COUNT, total: COUNT } });
    expect(files()).toEqual([id]);
    expect(
      readFileSync(
        join(home, "exports", readdirSync(join(home, "exports")).find((name) => name.startsWith(id))!),
        "utf8",
      ).split("\n"),
    ).toHaveLength(COUNT + 1);
  });

  it("L-13 an export that crashes every server is abandoned, and the error gives advice", async () => {
    let last: ExportingHost | undefined;
    let id = "";
    for (let life = 0; life < 5; life++) {
      const pages = Promise.withResolvers<void>();
      last = open({ around: stuck(pages) });
      if (life === 0) {
        await filled(last);
        id = (await create(last)).export_id;
      }
      await pages.promise;
    }
    hosts = [];
    const after = open();
    await after.exported();
    expect(await show(after, id)).toMatchObject({
      status: "failed",
      error: { code: "api_error", next_step: expect.stringContaining("POST /v1/exports") },
    });
  });

  it("L-13 a server that is told to stop puts the export back in the queue, every time", async () => {
    const first = open();
    await filled(first);
    const { export_id: id } = await create(first);
    for (let life = 0; life < 5; life++) {
      await hosts.at(-1)!.close();
      open();
    }
    const last = hosts.at(-1)!;
    hosts = [last];
    await last.exported();
    expect(await show(last, id)).toMatchObject({ status: "succeeded", progress: { records: COUNT } });
    expect(files()).toEqual([id]);
  });

  it("P-07 an attempt that fails because the store is temporarily unavailable is not counted", async () => {
    let failures = 5;
    const host = open({
      around: (inner) =>
        hostAround(inner, (next) => (name, ...rest) => {
          if (name === "exportPage" && failures-- > 0)
            return Promise.reject(new PdppError("store_unavailable", "away for a moment"));
          return next(name, ...rest);
        }),
    });
    await filled(host);
    const { export_id: id } = await create(host);
    await expect.poll(() => show(host, id)).toMatchObject({ status: "succeeded" });
    expect(failures).toBeLessThan(0);
    expect(log.splice(0)).toEqual([expect.stringContaining("away for a moment")]);
  });

  it("L-13 at startup, files that belong to no export are deleted, and an export whose file is missing counts as expired", async () => {
    const first = open();
    await filled(first);
    const { export_id: id } = await create(first);
    await first.exported();
    await first.close();
    hosts = [];
    for (const stray of ["job_gone", `${id}.partial`, "note.txt"]) writeFileSync(join(home, "exports", stray), "x");
    const second = open();
    await second.exported();
    expect(files()).toEqual([id]);
  });
});
