// The reasons in an import's report, grouped across its files with failures first, and the word for its outcome.
import type { ImportedFile, ImportJob } from "../contract/import.ts";

export interface ReasonGroup {
  /** The first reason of the group; reasons with the same wording but other values belong to the same group. */
  reason: string;
  failed: boolean;
  count: number;
  /** With the first position in each file. */
  files: { path: string; count: number; offset?: number }[];
}

export function groupReasons(files: readonly ImportedFile[]): ReasonGroup[] {
  const groups = new Map<string, ReasonGroup>();
  for (const { path, reasons } of files) {
    for (const { reason, count, failed, offset } of reasons) {
      const wording = `${failed} ${reason.replace(/"(?:[^"\\]|\\.)*"/g, "…").replace(/\d+/g, "0")}`;
      const group = groups.get(wording) ?? { reason, failed, count: 0, files: [] };
      groups.set(wording, group);
      group.count += count;
      const same = group.files.find((file) => file.path === path);
      if (same !== undefined) same.count += count;
      else group.files.push({ path, count, ...(offset === undefined ? {} : { offset }) });
    }
  }
  return [...groups.values()].sort(
    (one, other) => Number(other.failed) - Number(one.failed) || other.count - one.count,
  );
}

/** A file that held another number of items than the plan estimated. */
export interface EstimateDifference {
  path: string;
  planned: number;
  found: number;
}

/** Files with the largest difference first. */
export const estimateDifferences = (files: readonly ImportedFile[]): EstimateDifference[] =>
  files
    .flatMap(({ path, estimate }) => (estimate === undefined ? [] : [{ path, ...estimate }]))
    .sort((one, other) => Math.abs(other.planned - other.found) - Math.abs(one.planned - one.found));

/** A successful run may have read nothing, or only a part. */
export type ImportVerdict = ImportJob["status"] | "incomplete";

export function verdictOf({ status, progress: { counts } }: Pick<ImportJob, "status" | "progress">): ImportVerdict {
  if (status !== "succeeded" || counts.failed === 0) return status;
  return counts.imported + counts.changed + counts.unchanged === 0 ? "failed" : "incomplete";
}
