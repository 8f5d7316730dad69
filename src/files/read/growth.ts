// Growth between two scans. Each scan notes the previous totals of the directories it changes.
import { PdppError } from "../../contract/errors.ts";
import type { FileScan, GrownDir } from "../../contract/files.ts";
import { formatInstant } from "../../core/instant.ts";
import { indexHandle, nodeHandle } from "../handles.ts";
import { printable } from "../printable.ts";
import { ROOT_ID } from "../write/tree.ts";
import { pathText } from "./detail.ts";
import type { IndexReader } from "./index-reader.ts";

interface Sums {
  files: number;
  dirs: number;
  size: number;
  allocated: number;
}

export function scansOf(reader: IndexReader): FileScan[] {
  return reader.database
    .prepare("SELECT * FROM scan ORDER BY no DESC")
    .all()
    .map((row) => ({
      scan: row.no as number,
      jobId: row.job_id as string,
      mode: row.mode as FileScan["mode"],
      startedAt: formatInstant(row.started_at as number),
      endedAt: formatInstant(row.ended_at as number),
      totals: {
        files: row.files as number,
        dirs: row.dirs as number,
        size: row.size as number,
        allocated: row.allocated as number,
        problems: row.problems as number,
      },
      dirsRead: row.read_dirs as number,
    }));
}

export interface GrowthQuery {
  from: number;
  /** Default: the latest scan. */
  to?: number;
  under: number;
  limit: number;
  /** The printed path of the root. */
  root: string;
}

export function growthOf(
  reader: IndexReader,
  query: GrowthQuery,
): { from: FileScan; to: FileScan; growth: number; dirs: GrownDir[]; more: boolean } {
  const scans = scansOf(reader);
  const to = requireScan(reader, scans, query.to ?? scans[0]?.scan ?? 0, "to");
  const from = requireScan(reader, scans, query.from, "from");
  const past = new PastSums(reader);
  const changed = past.changedBetween(Math.min(from.scan, to.scan), Math.max(from.scan, to.scan));
  const differences = changed
    .map((id) => ({ id, before: past.sums(id, from.scan), after: past.sums(id, to.scan) }))
    .map((one) => ({ ...one, growth: (one.after?.size ?? 0) - (one.before?.size ?? 0) }))
    .filter(
      ({ before, after, growth }) => growth !== 0 || before?.files !== after?.files || before?.dirs !== after?.dirs,
    )
    .sort((one, other) => Math.abs(other.growth) - Math.abs(one.growth) || one.id - other.id);
  const dirs: GrownDir[] = [];
  for (const { id, before, after, growth } of differences) {
    const names = past.namesTo(id, query.under);
    if (names === undefined) continue;
    dirs.push({
      ...(reader.dir(id) === undefined ? {} : { nodeId: nodeHandle(reader.no, { dir: id }) }),
      path: pathText(query.root, names.map(printable)),
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
      growth,
    });
    if (dirs.length > query.limit) break;
  }
  const growth = differences.find(({ id }) => id === query.under)?.growth ?? 0;
  return { from, to, growth, dirs: dirs.slice(0, query.limit), more: dirs.length > query.limit };
}

function requireScan(reader: IndexReader, scans: readonly FileScan[], no: number, param: string): FileScan {
  const found = scans.find(({ scan }) => scan === no);
  if (found !== undefined) return found;
  const known = scans.map(({ scan }) => scan).reverse();
  throw new PdppError("invalid_request", `${indexHandle(reader.no)} has no scan ${no}`, {
    param,
    next_step:
      known.length < 2
        ? "Scan it again first: a comparison needs two scans."
        : `Compare two of its scans: ${known.slice(-20).join(", ")}.`,
  });
}

/**
 * Before a scan changes a directory's totals, it notes the old ones. The totals as of a scan are therefore in the first
 * note that a later scan made.
 */
export class PastSums {
  readonly #reader: IndexReader;
  readonly #later;
  readonly #gone;

  constructor(reader: IndexReader) {
    this.#reader = reader;
    this.#later = reader.database.prepare(
      "SELECT files, dirs, size, allocated FROM past WHERE dir = ? AND scan > ? ORDER BY scan LIMIT 1",
    );
    this.#gone = reader.database.prepare(
      "SELECT parent, name FROM past WHERE dir = ? AND name IS NOT NULL ORDER BY scan DESC LIMIT 1",
    );
  }

  changedBetween(from: number, to: number): number[] {
    const rows = this.#reader.database
      .prepare("SELECT DISTINCT dir FROM past WHERE scan > ? AND scan <= ?")
      .all(from, to);
    return rows.map(({ dir }) => dir as number);
  }

  /** Returns undefined if the directory did not exist. */
  sums(dir: number, scan: number): Sums | undefined {
    const noted = this.#later.get(dir, scan);
    if (noted === undefined) {
      const row = this.#reader.dir(dir);
      return row && { files: row.files, dirs: row.dirs, size: row.size, allocated: row.allocated };
    }
    return noted.size === null ? undefined : ({ ...noted } as unknown as Sums);
  }

  /**
   * Returns the names from the root down, or undefined if the directory is not below `under`. Deleted directories are
   * found through their notes.
   */
  namesTo(dir: number, under: number): Uint8Array[] | undefined {
    const names: Uint8Array[] = [];
    let isBelow = under === ROOT_ID;
    for (let at = dir; at !== ROOT_ID; ) {
      if (at === under) isBelow = true;
      const row = (this.#reader.dir(at) ?? this.#gone.get(at)) as { parent: number; name: Uint8Array } | undefined;
      if (row === undefined) return undefined;
      names.push(row.name);
      at = row.parent;
    }
    return isBelow ? names.reverse() : undefined;
  }
}
