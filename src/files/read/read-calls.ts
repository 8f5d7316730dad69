// The calls that a reader thread handles. Each runs on one index, in one snapshot.
import { PdppError } from "../../contract/errors.ts";
import type {
  AgeShare,
  DirGrowth,
  FileFilter,
  FileListing,
  FileNode,
  FileNodeDetail,
  FileScan,
  FileTotals,
  FileVersion,
  FoundNodes,
  Growth,
  SelectedNodes,
  TypeShare,
} from "../../contract/files.ts";
import { formatInstant } from "../../core/instant.ts";
import type { DigestStore } from "../digest/digest-store.ts";
import { indexHandle, type NodeRef } from "../handles.ts";
import { TYPE } from "../leaf.ts";
import { ROOT_ID } from "../write/tree.ts";
import { type ChildrenQuery, childrenPage, type ListingPosition } from "./children.ts";
import { detailOf, findNode, findPath, type NodeLocation, nodeOf, type RootNames, shownNode } from "./detail.ts";
import {
  type DigestsMissing,
  type DuplicatesQuery,
  digestsMissing,
  duplicateKeys,
  duplicatesPage,
  isCurrent,
} from "./duplicates.ts";
import { compileFilter } from "./filter.ts";
import { type FindPosition, type FindRequest, type FoundNode, find, select } from "./find.ts";
import { type Gathered, gathered, nodesAt } from "./gathered.ts";
import { growthOf, scansOf } from "./growth.ts";
import { growthOfDir, versionsOf } from "./history.ts";
import type { IndexReader } from "./index-reader.ts";
import { type LargestQuery, largest } from "./largest.ts";
import { kindOf } from "./node-view.ts";
import { problemsPage } from "./problems.ts";
import { ageShares, typeShares } from "./reports.ts";

export interface IndexReadContext {
  reader: IndexReader;
  root: RootNames;
  digests: () => DigestStore | undefined;
}

export interface NodePast {
  growth?: DirGrowth;
  versions?: FileVersion[];
}

export interface DiskPath {
  /** Names from the root down. */
  names: Uint8Array[];
  kind: FileNode["kind"];
}

export interface IndexSummary {
  complete: boolean;
  totals?: FileTotals;
  scans: number;
  scannedAt?: string;
  /** The number of directories that were not read. */
  unread?: number;
}

export const readCalls = {
  summary({ reader }: IndexReadContext): IndexSummary {
    const last = reader.database.prepare("SELECT count(*) AS scans, max(ended_at) AS ended FROM scan").get()!;
    const row = reader.dir(ROOT_ID);
    const { count: unread } = reader.unread();
    return {
      ...(unread === 0 ? {} : { unread }),
      complete: (last.scans as number) > 0,
      scans: last.scans as number,
      ...(last.ended === null ? {} : { scannedAt: formatInstant(last.ended as number) }),
      ...(row === undefined
        ? {}
        : {
            totals: {
              files: row.files,
              dirs: row.dirs,
              size: row.size,
              allocated: row.allocated,
              problems: row.problems,
            },
          }),
    };
  },

  node({ reader, root }: IndexReadContext, { ref }: { ref: NodeRef }): FileNodeDetail {
    return detailOf(reader, requireNode(reader, ref), root);
  },

  nodes({ reader, root }: IndexReadContext, { refs }: { refs: NodeRef[] }): (FileNode | null)[] {
    return nodesAt(reader, refs, root);
  },

  gathered({ reader, root }: IndexReadContext, query: { refs: NodeRef[]; shown: NodeRef[] }): Gathered {
    return gathered(reader, query, root);
  },

  at({ reader, root }: IndexReadContext, { names }: { names: string[] }): FileNodeDetail {
    const ref = findPath(reader, names);
    const found = ref === undefined ? undefined : findNode(reader, ref);
    if (found !== undefined) return detailOf(reader, found, root);
    throw new PdppError("node_not_found", `${indexHandle(reader.no)} has no ${JSON.stringify(names.join("/"))}`, {
      param: "path",
      next_step: "List the directory above it, and spell names as the listing prints them.",
    });
  },

  children(
    { reader, root }: IndexReadContext,
    { ref, ...query }: ChildrenQuery & { ref: NodeRef },
  ): Omit<FileListing, "nextCursor"> & { next?: ListingPosition } {
    const found = requireNode(reader, ref);
    const dir = dirOf(reader, found);
    if (dir === undefined) {
      throw new PdppError("invalid_request", `this node is a ${nodeOf(reader, found, root).kind}, not a directory`, {
        param: "nodeId",
        next_step: "Inspect it (GET /api/indexes/INDEX/nodes/NODE/detail), or list its parent.",
      });
    }
    const page = childrenPage(reader, dir, query);
    return { indexId: indexHandle(reader.no), parent: nodeOf(reader, found, root), ...page };
  },

  /** Returns the path on disk, for opening the file. */
  place({ reader }: IndexReadContext, { ref }: { ref: NodeRef }): DiskPath {
    const found = requireNode(reader, ref);
    if ("root" in found) return { names: [], kind: "dir" };
    const { parent, entries, index } = found;
    // Copy the names, because a view would keep the whole leaf in memory.
    const names = reader.namesTo(parent, entries.numbers[index]!)!.map((name) => Uint8Array.from(name));
    return { names, kind: kindOf(entries.modes[index]!) };
  },

  /** Returns a digest only if it matches the indexed state of the file. */
  digest({ reader, digests }: IndexReadContext, { ref }: { ref: NodeRef }): string | undefined {
    if (ref.number === undefined) return undefined;
    const row = digests()?.get(ref.dir, ref.number);
    const whole = row !== undefined && isCurrent(reader, row) ? row.whole : null;
    return whole === null ? undefined : Buffer.from(whole).toString("hex");
  },

  largest(
    { reader, root }: IndexReadContext,
    query: Omit<LargestQuery, "under"> & { under: NodeRef },
  ): { entries: FileNode[]; more: boolean } {
    const { refs, more } = largest(reader, { ...query, under: requireDir(reader, query.under) });
    return { entries: refs.map((ref) => shownNode(reader, requireNode(reader, ref), root)), more };
  },

  problems({ reader, root }: IndexReadContext, { limit, after }: { limit: number; after?: [number, number] }) {
    return problemsPage(reader, root, limit, after);
  },

  scans({ reader }: IndexReadContext): FileScan[] {
    return scansOf(reader);
  },

  growth(
    { reader, root }: IndexReadContext,
    query: { from: number; to?: number; under: NodeRef; limit: number },
  ): Growth {
    const under = requireDir(reader, query.under);
    return { indexId: indexHandle(reader.no), ...growthOf(reader, { ...query, under, root: root.path }) };
  },

  /** Returns the growth of a directory or the versions of a file, and undefined for any other node. */
  past({ reader }: IndexReadContext, { ref }: { ref: NodeRef }): NodePast {
    const found = requireNode(reader, ref);
    const dir = dirOf(reader, found);
    if (dir !== undefined) return { growth: growthOfDir(reader, dir) };
    if ("root" in found || (found.entries.modes[found.index]! & TYPE.mask) !== TYPE.file) return {};
    const { parent, entries, index } = found;
    const [number, size, time] = [entries.numbers[index]!, entries.sizes[index]!, entries.times[index]!];
    return { versions: versionsOf(reader, { dir: parent, number, size, time }) };
  },

  find(
    { reader, root, digests }: IndexReadContext,
    { filter, under, ...query }: Omit<FindRequest, "filter" | "under"> & ReadScope,
  ): Omit<FoundNodes, "nextCursor"> & { next?: FindPosition } {
    const { found, ...rest } = find(reader.columns(), { ...query, ...within(reader, { filter, under }) }, () =>
      duplicateKeys(reader, digests()),
    );
    const entries = found.map((match) => shownNode(reader, foundAt(reader, match), root));
    return { indexId: indexHandle(reader.no), entries, ...rest };
  },

  select({ reader, digests }: IndexReadContext, query: ReadScope): SelectedNodes {
    return select(reader.columns(), within(reader, query), () => duplicateKeys(reader, digests()));
  },

  types({ reader, digests }: IndexReadContext, query: ReadScope): TypeShare[] {
    return typeShares(reader.columns(), within(reader, query), () => duplicateKeys(reader, digests()));
  },

  ages({ reader, digests }: IndexReadContext, { now, ...query }: ReadScope & { now: number }): AgeShare[] {
    return ageShares(reader.columns(), within(reader, query), () => duplicateKeys(reader, digests()), now);
  },

  digestsMissing({ reader, digests }: IndexReadContext): DigestsMissing {
    return digestsMissing(reader, digests());
  },

  duplicates({ reader, root, digests }: IndexReadContext, query: Omit<DuplicatesQuery, "under"> & { under: NodeRef }) {
    return duplicatesPage(reader, digests(), { ...query, under: requireDir(reader, query.under) }, root);
  },
};

interface ReadScope {
  filter?: FileFilter;
  under?: NodeRef;
}

function within(reader: IndexReader, { filter, under }: ReadScope): Pick<FindRequest, "filter" | "under"> {
  return {
    filter: filter === undefined ? undefined : compileFilter(filter),
    under: under === undefined ? undefined : requireDir(reader, under),
  };
}

/** A directory that was listed but not read yet has no row, so it is looked up as an entry. */
function foundAt(reader: IndexReader, { parent, number, dirId }: FoundNode): NodeLocation {
  const entries = reader.entries(parent);
  const index = dirId === undefined ? reader.indexOfNumber(entries, number!) : reader.indexOfDir(entries, dirId);
  return { parent, entries, index };
}

function requireDir(reader: IndexReader, ref: NodeRef): number {
  const dir = dirOf(reader, requireNode(reader, ref));
  if (dir !== undefined) return dir;
  throw new PdppError("invalid_request", "this node is not a directory", {
    param: "under",
    next_step: "Pass a directory, or omit it to search the whole tree.",
  });
}

function requireNode(reader: IndexReader, ref: NodeRef): NodeLocation {
  const found = findNode(reader, ref);
  if (found !== undefined) return found;
  throw new PdppError("node_not_found", `this node is no longer in ${indexHandle(reader.no)}`, {
    param: "nodeId",
    next_step: "List its parent directory, or look it up by its path; a rescan may have removed it.",
  });
}

/** Returns undefined if the node is not a directory. A directory that was not read yet has no entries. */
function dirOf(reader: IndexReader, found: NodeLocation): number | undefined {
  if ("root" in found) return ROOT_ID;
  const { parent, entries, index } = found;
  if (index < entries.dirs) return entries.dirIds[index]!;
  if ((entries.modes[index]! & TYPE.mask) !== TYPE.link) return undefined;
  return reader.target(parent, entries.numbers[index]!);
}

export type ReadCalls = typeof readCalls;
export type ReadCallName = keyof ReadCalls;
export type ReadParams<Name extends ReadCallName> = Parameters<ReadCalls[Name]>[1];
export type ReadResult<Name extends ReadCallName> = ReturnType<ReadCalls[Name]>;
