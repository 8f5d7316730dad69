// State shared by all calls of the files lens, and functions that look up an index.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { PdppError } from "../../contract/errors.ts";
import type { JsonValue } from "../../contract/record.ts";
import type { Catalogue, IndexRow } from "../catalogue.ts";
import { openPosition, sealPosition } from "../cursor.ts";
import { indexHandle, indexNo, type NodeRef, parseNode, rootHandle } from "../handles.ts";
import type { JobRunner } from "../job-runner.ts";
import { printable } from "../printable.ts";
import type { IndexReads } from "../read/index-reads.ts";
import type { IndexFiles } from "../read/open-indexes.ts";
import { ROOT_ID } from "../write/tree.ts";

export interface FilesContext {
  home: string;
  /** The directory of the catalogue and the indexes. */
  directory: string;
  now: () => number;
  catalogue: Catalogue;
  reads: IndexReads;
  scans: JobRunner;
  digests: JobRunner;
  records: JobRunner;
  /** The key that seals cursors. */
  key: Uint8Array;
}

export const indexFile = (directory: string, no: number): string => join(directory, `${indexHandle(no)}.db`);
export const digestDirectory = (directory: string): string => join(directory, "digests");
export const digestFile = (directory: string, no: number): string =>
  join(digestDirectory(directory), `${indexHandle(no)}.db`);
export const recordsDirectory = (directory: string): string => join(directory, "records");
/** The file that stores which scan a root's records were made from. */
export const sentFile = (directory: string, root: number): string =>
  join(recordsDirectory(directory), `${rootHandle(root)}.db`);

export function requireIndex({ catalogue }: FilesContext, indexId: string): IndexRow {
  const no = indexNo(indexId);
  const index = no === undefined ? undefined : catalogue.index(no);
  if (index !== undefined) return index;
  throw new PdppError("not_found", `there is no index ${JSON.stringify(indexId.slice(0, 60))}`, {
    param: "indexId",
    next_step: "Call GET /api/indexes to list the indexes, or index a root to create one.",
  });
}

/** Returns undefined until the first scan is requested. */
export function filesOf({ catalogue, directory }: FilesContext, { no, root }: IndexRow): IndexFiles | undefined {
  const path = indexFile(directory, no);
  if (!existsSync(path)) return undefined;
  const { path: rootPath, name } = catalogue.root(root)!;
  return { no, path, digestPath: digestFile(directory, no), root: { path: printable(rootPath), name } };
}

export function requireFiles(context: FilesContext, indexId: string): IndexFiles {
  const index = filesOf(context, requireIndex(context, indexId));
  if (index !== undefined) return index;
  throw new PdppError("not_found", `${indexId} is still empty`, {
    param: "indexId",
    next_step: "Index its root, and try again once the job is running.",
  });
}

export const refUnder = (index: IndexFiles, under: string | undefined): NodeRef =>
  under === undefined ? { dir: ROOT_ID } : parseNode(index.no, under);

/** Seals and opens the position of a page in a list. The position is bound to the index and the whole query. */
export function paging<Position extends JsonValue>({ key }: Pick<FilesContext, "key">, binding: JsonValue) {
  return {
    from: (cursor: string | undefined): Position | undefined =>
      cursor === undefined ? undefined : (openPosition(key, binding, cursor) as Position),
    to: (next: Position | undefined): { nextCursor?: string } =>
      next === undefined ? {} : { nextCursor: sealPosition(key, binding, next) },
  };
}
