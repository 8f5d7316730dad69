// Nodes and listings: by handle, by path, by directory, and over a whole tree.
import type {
  FileListing,
  FileNode,
  FileNodeDetail,
  FindQuery,
  FoundNodes,
  ListingQuery,
  SelectedNodes,
} from "../../contract/files.ts";
import { DIRECTORY } from "../../contract/files.ts";
import { PAGE } from "../../contract/limits.ts";
import type { JsonValue } from "../../contract/record.ts";
import { nodeHandle, parseNode } from "../handles.ts";
import { namesUnder } from "../node-path.ts";
import type { ListingPosition } from "../read/children.ts";
import type { FindPosition } from "../read/find.ts";
import { type FilesContext, paging, refUnder, requirePlace } from "./context.ts";

export function nodeCalls(context: FilesContext) {
  const { readers } = context;
  return {
    async node(indexId: string, nodeId: string): Promise<FileNodeDetail> {
      const place = requirePlace(context, indexId);
      return readers.call(place, "node", { ref: parseNode(place.no, nodeId) });
    },

    /** In the order asked, each with its path; null for what is gone. */
    async nodes(indexId: string, nodeIds: readonly string[]): Promise<(FileNode | null)[]> {
      const place = requirePlace(context, indexId);
      return readers.call(place, "nodes", { refs: nodeIds.map((nodeId) => parseNode(place.no, nodeId)) });
    },

    /** For each whether it lies in a directory that is named, too: 1 or 0. */
    async within(indexId: string, nodeIds: readonly string[]): Promise<Uint8Array> {
      const place = requirePlace(context, indexId);
      return readers.call(place, "within", { refs: nodeIds.map((nodeId) => parseNode(place.no, nodeId)) });
    },

    /** `path`: absolute and inside the root, or relative to it. */
    async nodeAt(indexId: string, path: string): Promise<FileNodeDetail> {
      const place = requirePlace(context, indexId);
      return readers.call(place, "at", { names: namesUnder(place.root.path, path) });
    },

    async children(indexId: string, nodeId: string, query: ListingQuery = {}): Promise<FileListing> {
      const place = requirePlace(context, indexId);
      const { order = "name", limit = PAGE.default } = query;
      const descending = query.descending ?? order !== "name";
      const page = paging<ListingPosition>(context, ["children", indexId, nodeId, order, descending]);
      const { next, ...listing } = await readers.call(place, "children", {
        ref: parseNode(place.no, nodeId),
        order,
        descending,
        limit,
        after: page.from(query.cursor),
      });
      return { ...listing, ...page.to(next) };
    },

    /** Every node that a filter lets through, page by page. */
    async find(indexId: string, query: FindQuery): Promise<FoundNodes> {
      const place = requirePlace(context, indexId);
      const { filter, under, order = "tree", limit = PAGE.default } = query;
      const descending = query.descending ?? (order === "size" || order === "time");
      const binding = ["find", indexId, filter ?? null, under ?? null, order, descending] as unknown as JsonValue;
      const page = paging<FindPosition>(context, binding);
      const { next, ...found } = await readers.call(place, "find", {
        filter,
        under: refUnder(place, under),
        order,
        descending,
        limit,
        after: page.from(query.cursor),
      });
      return { ...found, ...page.to(next) };
    },

    /** All that a filter lets through, as two columns; `handlesOf` makes nodeIds of them. */
    async select(indexId: string, { filter, under }: Pick<FindQuery, "filter" | "under">): Promise<SelectedNodes> {
      const place = requirePlace(context, indexId);
      return readers.call(place, "select", { filter, under: refUnder(place, under) });
    },

    handlesOf(indexId: string, { dirs, numbers }: Pick<SelectedNodes, "dirs" | "numbers">): string[] {
      const { no } = requirePlace(context, indexId);
      return Array.from(dirs, (dir, at) =>
        nodeHandle(no, numbers[at] === DIRECTORY ? { dir } : { dir, number: numbers[at]! }),
      );
    },
  };
}
