// The history of one node: a directory's growth since the previous scan, or a file's versions (S-22).
import type { DirGrowth, FileVersion } from "../../contract/files.ts";
import { formatInstant } from "../../core/instant.ts";
import { PastSums, scansOf } from "./growth.ts";
import type { IndexReader } from "./index-reader.ts";
import { timeText } from "./node-view.ts";

/** Returns undefined if there was only one scan. */
export function growthOfDir(reader: IndexReader, dir: number): DirGrowth | undefined {
  const [, before] = scansOf(reader);
  const now = reader.dir(dir);
  if (before === undefined || now === undefined) return undefined;
  const was = new PastSums(reader).sums(dir, before.scan) ?? { files: 0, dirs: 0, size: 0 };
  return {
    since: before.endedAt,
    size: now.size - was.size,
    files: now.files - was.files,
    dirs: now.dirs - was.dirs,
  };
}

/** Returns the current version first. */
export function versionsOf(
  reader: IndexReader,
  { dir, number, size, time }: { dir: number; number: number; size: number; time: number },
): FileVersion[] {
  // An index that was last scanned before this table existed has no history.
  const hasPast = reader.database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'past_file'").get() !== undefined;
  const rows = hasPast
    ? reader.database
        .prepare(`
          SELECT past_file.size AS size, time, ended_at FROM past_file LEFT JOIN scan ON scan.no = past_file.scan
          WHERE dir = ? AND number = ? ORDER BY past_file.scan DESC`)
        .all(dir, number)
    : [];
  const versions: FileVersion[] = [];
  let version: { size: number; time: number } | undefined = { size, time };
  for (const row of rows) {
    if (version === undefined) break;
    const foundAt = row.ended_at === null ? {} : { foundAt: formatInstant(row.ended_at as number) };
    versions.push({ size: version.size, modifiedAt: timeText(version.time), ...foundAt });
    version = row.size === null ? undefined : { size: row.size as number, time: row.time as number };
  }
  if (version !== undefined) versions.push({ size: version.size, modifiedAt: timeText(version.time) });
  return versions;
}
