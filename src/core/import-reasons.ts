// Groups the reasons in an import's report across its files, with failures first, and chooses the word for its outcome.
import type { ImportedFile, ImportJob } from "../contract/import.ts";

export interface ReasonGroup {
  /** The first reason in the group. Reasons with the same wording but different values belong to the same group. */
  reason: string;
  failed: boolean;
  count: number;
  /** The files, each with the first position of the reason. */
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

/** A file that contained a different number of items than the plan estimated. */
export interface EstimateDifference {
  path: string;
  planned: number;
  found: number;
}

/** Returns the files with the largest difference first. */
export const estimateDifferences = (files: readonly ImportedFile[]): EstimateDifference[] =>
  files
    .flatMap(({ path, estimate }) => (estimate === undefined ? [] : [{ path, ...estimate }]))
    .sort((one, other) => Math.abs(other.planned - other.found) - Math.abs(one.planned - one.found));

/** `incomplete` is for a run that succeeded but read only part of its files. */
export type ImportVerdict = ImportJob["status"] | "incomplete";

export function verdictOf({ status, progress: { counts } }: Pick<ImportJob, "status" | "progress">): ImportVerdict {
  if (status !== "succeeded" || counts.failed === 0) return status;
  return counts.imported + counts.changed + counts.unchanged === 0 ? "failed" : "incomplete";
}
