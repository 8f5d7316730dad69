// Calls for nodes and listings: by handle, by path, by directory and over a whole tree.
import type {
  FileListing,
  FileNode,
  FileNodeDetail,
  FindQuery,
  FoundNodes,
  ListingQuery,
  SelectedNodes,
} from "../../contract/files.ts";
import { PAGE } from "../../contract/limits.ts";
import type { JsonValue } from "../../contract/record.ts";
import { type NodeRef, parseNode } from "../handles.ts";
import { namesUnder } from "../node-path.ts";
import type { ListingPosition } from "../read/children.ts";
import type { FindPosition } from "../read/find.ts";
import type { Gathered } from "../read/gathered.ts";
import { type FilesContext, paging, refUnder, requireFiles } from "./context.ts";

export function nodeCalls(context: FilesContext) {
  const { reads } = context;
  return {
    async node(indexId: string, nodeId: string): Promise<FileNodeDetail> {
      const index = requireFiles(context, indexId);
      return reads.call(index, "node", { ref: parseNode(index.no, nodeId) });
    },

    /** Returns nodes in the requested order, each with its path, and null for deleted nodes. */
    async nodes(indexId: string, nodeIds: readonly string[]): Promise<(FileNode | null)[]> {
      const index = requireFiles(context, indexId);
      return reads.call(index, "nodes", { refs: nodeIds.map((nodeId) => parseNode(index.no, nodeId)) });
    },

    /** Returns the totals of the given nodes, and the `shown` nodes as `nodes` would, all from one snapshot. */
    async gathered(indexId: string, nodeIds: readonly string[], shown: readonly string[] = []): Promise<Gathered> {
      const index = requireFiles(context, indexId);
      const refs = (ids: readonly string[]): NodeRef[] => ids.map((nodeId) => parseNode(index.no, nodeId));
      return reads.call(index, "gathered", { refs: refs(nodeIds), shown: refs(shown) });
    },

    /** `path` is either absolute and inside the root, or relative to the root. */
    async nodeAt(indexId: string, path: string): Promise<FileNodeDetail> {
      const index = requireFiles(context, indexId);
      return reads.call(index, "at", { names: namesUnder(index.root.path, path) });
    },

    async children(indexId: string, nodeId: string, query: ListingQuery = {}): Promise<FileListing> {
      const index = requireFiles(context, indexId);
      const { order = "name", limit = PAGE.default } = query;
      const descending = query.descending ?? order !== "name";
      const page = paging<ListingPosition>(context, ["children", indexId, nodeId, order, descending]);
      const { next, ...listing } = await reads.call(index, "children", {
        ref: parseNode(index.no, nodeId),
        order,
        descending,
        limit,
        after: page.from(query.cursor),
      });
      return { ...listing, ...page.to(next) };
    },

    /** Returns every node that matches a filter, page by page. */
    async find(indexId: string, query: FindQuery): Promise<FoundNodes> {
      const index = requireFiles(context, indexId);
      const { filter, under, order = "tree", limit = PAGE.default } = query;
      const descending = query.descending ?? (order === "size" || order === "time");
      const binding = ["find", indexId, filter ?? null, under ?? null, order, descending] as unknown as JsonValue;
      const page = paging<FindPosition>(context, binding);
      const { next, ...found } = await reads.call(index, "find", {
        filter,
        under: refUnder(index, under),
        order,
        descending,
        limit,
        after: page.from(query.cursor),
      });
      return { ...found, ...page.to(next) };
    },

    /** Returns all matches of a filter as two columns. `nodeHandles` turns them into nodeIds. */
    async select(indexId: string, { filter, under }: Pick<FindQuery, "filter" | "under">): Promise<SelectedNodes> {
      const index = requireFiles(context, indexId);
      return reads.call(index, "select", { filter, under: refUnder(index, under) });
    },
  };
}
