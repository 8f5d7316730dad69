// A new home, files to import, and importers that misbehave, for tests of the runner.
import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import type { ImportJob } from "../contract/import.ts";
import type { RecordRead } from "../contract/record.ts";
import { openHome } from "../engine/home.ts";
import type { EngineHost } from "../engine/host.ts";
import { newFolder } from "./archive/walked.fixture.ts";
import type { ImportAnswers } from "./importer.ts";
import { openParser, type ParserOptions, type Planned } from "./parser.ts";
import { type ImportOptions, runImport } from "./run.ts";

const OWNER = { home: true } as const;
const SOURCES = new URL("../", import.meta.url).pathname;
const MISBEHAVING = { module: new URL("./misbehaving.fixture.ts", import.meta.url).href, reads: [SOURCES] };

export interface ImportOnce {
  limits?: ParserOptions["limits"];
  answers?: ImportAnswers;
  as?: string;
  signal?: AbortSignal;
  onProgress?: ImportOptions["onProgress"];
  host?: EngineHost;
  /** Uses our real importers instead of those that misbehave. */
  real?: boolean;
  importers?: ParserOptions["importers"];
}

export function importWorld() {
  const folder = newFolder();
  const home = join(folder.path, "home");
  const host = openHome(home, { create: true, note: () => undefined });
  const ask = <T>(name: Parameters<EngineHost["call"]>[0], query: object): Promise<T> =>
    host.call(name, query as never, OWNER) as Promise<T>;

  async function bring(
    names: readonly string[],
    once: ImportOnce = {},
  ): Promise<{ planned: Planned; jobs: ImportJob[] }> {
    const { limits, answers = {}, real = false, importers = MISBEHAVING, ...options } = once;
    const given = names.map((name) => resolve(folder.path, name));
    const parser = openParser({ home, given, limits, ...(real ? {} : { importers }) });
    try {
      const planned = await parser.plan(answers, options.signal);
      const jobs: ImportJob[] = [];
      for (const group of planned.groups) {
        jobs.push(await runImport({ host, credential: OWNER, parser, answers, ...options }, group));
      }
      return { planned, jobs };
    } finally {
      await parser.close();
    }
  }

  return {
    home,
    host,
    /** Imports files from elsewhere, with our real importers. */
    importFiles: async (paths: readonly string[]): Promise<ImportJob[]> => (await bring(paths, { real: true })).jobs,
    put: folder.put,
    remove: (name: string): void => rmSync(join(folder.path, name)),
    ask,
    bring,
    /** Imports a single group. */
    async one(names: readonly string[], once: ImportOnce = {}): Promise<ImportJob> {
      return (await bring(names, once)).jobs[0]!;
    },
    async records(stream: string, connection_id?: string): Promise<RecordRead[]> {
      const all: RecordRead[] = [];
      let cursor: string | undefined;
      do {
        const page = await ask<{ data: RecordRead[]; next_cursor?: string }>("records", {
          stream,
          limit: 100,
          texts: "full",
          ...(connection_id === undefined ? {} : { connection_id }),
          ...(cursor === undefined ? {} : { cursor }),
        });
        all.push(...page.data);
        cursor = page.next_cursor;
      } while (cursor !== undefined);
      return all;
    },
    async close(): Promise<void> {
      await host.close();
      rmSync(folder.path, { recursive: true, force: true });
    },
  };
}
