// Reports: the largest files, types, ages, duplicates, unreadable files, and growth between scans.
import type {
  AgeShare,
  Duplicates,
  FileFilter,
  FileNode,
  FileScan,
  Growth,
  ProblemNode,
  TypeShare,
} from "../../contract/files.ts";
import { PAGE } from "../../contract/limits.ts";
import { parseNode } from "../handles.ts";
import type { DigestsMissing } from "../read/duplicates.ts";
import type { ProblemPosition } from "../read/problems.ts";
import type { NodePast } from "../read/read-calls.ts";
import { type FilesContext, paging, refUnder, requireFiles } from "./context.ts";

export interface ReportScope {
  /** Limits the report to this directory and everything below it. */
  under?: string;
  filter?: FileFilter;
}

export interface PageQuery {
  limit?: number;
  cursor?: string;
}

export function reportCalls(context: FilesContext) {
  const { reads, now } = context;
  return {
    /** Returns files by size, or directories by the size of everything below them, largest first. */
    async largest(
      indexId: string,
      {
        under,
        kind = "file",
        limit = PAGE.default,
        cursor,
      }: PageQuery & { under?: string; kind?: "file" | "dir" } = {},
    ): Promise<{ indexId: string; entries: FileNode[]; nextCursor?: string }> {
      const index = requireFiles(context, indexId);
      const page = paging<number>(context, ["largest", indexId, under ?? null, kind]);
      const skip = page.from(cursor) ?? 0;
      const { entries, more } = await reads.call(index, "largest", {
        under: refUnder(index, under),
        kind,
        limit,
        skip,
      });
      return { indexId, entries, ...page.to(more ? skip + limit : undefined) };
    },

    /** Sizes by file type, largest first. */
    async types(indexId: string, { under, filter }: ReportScope = {}): Promise<TypeShare[]> {
      const index = requireFiles(context, indexId);
      return reads.call(index, "types", { under: refUnder(index, under), filter });
    },

    /** Sizes by age, newest first. */
    async ages(indexId: string, { under, filter }: ReportScope = {}): Promise<AgeShare[]> {
      const index = requireFiles(context, indexId);
      return reads.call(index, "ages", { under: refUnder(index, under), filter, now: now() });
    },

    /** Uses the digests computed so far. `startDigests` computes the rest. */
    async duplicates(
      indexId: string,
      {
        limit = PAGE.default,
        cursor,
        files,
        under,
        minSize,
      }: PageQuery & { files?: number; under?: string; minSize?: number } = {},
    ): Promise<Duplicates> {
      const index = requireFiles(context, indexId);
      const page = paging<number>(context, ["duplicates", indexId, under ?? null, minSize ?? null]);
      const skip = page.from(cursor) ?? 0;
      const asked = { limit, skip, files, minSize, under: refUnder(index, under) };
      const { more, ...found } = await reads.call(index, "duplicates", asked);
      return { indexId, ...found, ...page.to(more ? skip + limit : undefined) };
    },

    /** Counts only files that may have a copy. */
    async digestsMissing(indexId: string): Promise<DigestsMissing> {
      return reads.call(requireFiles(context, indexId), "digestsMissing", undefined);
    },

    async problems(
      indexId: string,
      { limit = PAGE.default, cursor }: PageQuery = {},
    ): Promise<{ indexId: string; problems: ProblemNode[]; nextCursor?: string }> {
      const index = requireFiles(context, indexId);
      const page = paging<ProblemPosition>(context, ["problems", indexId]);
      const { problems, next } = await reads.call(index, "problems", { limit, after: page.from(cursor) });
      return { indexId, problems, ...page.to(next) };
    },

    async past(indexId: string, nodeId: string): Promise<NodePast> {
      const index = requireFiles(context, indexId);
      return reads.call(index, "past", { ref: parseNode(index.no, nodeId) });
    },

    /** Newest first. */
    async scans(indexId: string): Promise<FileScan[]> {
      return reads.call(requireFiles(context, indexId), "scans", undefined);
    },

    /** Growth and shrinkage between two scans (default: up to the latest). */
    async growth(
      indexId: string,
      { from, to, under, limit = PAGE.default }: { from: number; to?: number; under?: string; limit?: number },
    ): Promise<Growth> {
      const index = requireFiles(context, indexId);
      return reads.call(index, "growth", { from, to, under: refUnder(index, under), limit });
    },
  };
}
