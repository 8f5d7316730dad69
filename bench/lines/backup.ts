// A second backup, after 1 % of the records are new or changed: its time compared with the first backup, and the bytes
// it writes.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { startBackup as StartBackup } from "../../src/engine/backup/backup-process.ts";
import { localHost } from "../../src/engine/local-host.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import type { Bench } from "../bench.ts";
import { type BenchRecord, lineOf, recordAt, STREAM } from "../data.ts";
import { milliseconds } from "../measure.ts";
import { inMs } from "../report.ts";

const BATCH = 500;

export const backup: Bench = {
  name: "backup",
  async onHome({ name, path: home, records }) {
    // Imported from the build, because a server runs the built code.
    const built = new URL("../../dist/engine/backup/backup-process.js", import.meta.url).href;
    const { startBackup } = (await import(built)) as { startBackup: typeof StartBackup };
    const folder = mkdtempSync(join(tmpdir(), "postern-bench-backup-"));
    const make = async () => {
      const job = { kind: "backup", options: { home, directory: join(folder, "backups") } } as const;
      let report = { bytes: 0, written_bytes: 0 };
      const took = await milliseconds(async () => (report = await startBackup(job, { log: console.error }).ended));
      return { took, ...report };
    };
    try {
      const first = await make();
      await change(home, records);
      const second = await make();
      const isLarge = records >= 1_000_000;
      return [
        {
          line: "second backup, after 1 % of the records changed",
          size: name,
          ratio: second.took / first.took,
          ...(isLarge ? { budget: { atMost: 0.15 } } : {}),
          ours: inMs(second.took),
          yardstick: inMs(first.took),
          against: "the first backup",
        },
        {
          line: "bytes written by the second backup",
          size: name,
          ratio: second.written_bytes / second.bytes,
          ...(isLarge ? { budget: { atMost: 0.03 } } : {}),
          ours: inMegabytes(second.written_bytes),
          yardstick: inMegabytes(second.bytes),
          against: `the size of the home; the first backup wrote ${inMegabytes(first.written_bytes)}`,
        },
      ];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

const inMegabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/** Half are new records, and half are changes to records from the last few weeks. */
async function change(home: string, records: number): Promise<void> {
  const count = records / 200;
  const fresh = Array.from({ length: count }, (_, index) => recordAt(records + index, records));
  const changed = Array.from({ length: count }, (_, index) => edited(recordAt(records - 1 - 2 * index, records)));
  const host = localHost(openSqliteStore(home), { home, persist: false });
  for (const part of [fresh, changed])
    for (let at = 0; at < part.length; at += BATCH) {
      const text = part
        .slice(at, at + BATCH)
        .map(lineOf)
        .join("");
      await host.call("ingest", { stream: STREAM, text }, { home: true });
    }
  await host.close();
}

const edited = (record: BenchRecord): BenchRecord => ({
  ...record,
  data: record.data.replace('"text":"', '"text":"changed '),
});
