// /api/indexes/{indexId}/tree and /nodes: listings, one node, its current state on disk, and its bytes.
import type { FileEntry, FileNodeExtended, FileNodeRead, FileTree } from "../../contract/file-answers.ts";
import * as requests from "../../contract/file-requests.ts";
import type { FileNodeDetail, ListingQuery } from "../../contract/files.ts";
import { FILE_PAGE } from "../../contract/limits.ts";
import type { ConnectedRoot } from "../../files/shell/connected-roots.ts";
import type { FileAnswer, FileCall } from "../../files/shell/file-call.ts";
import { links } from "../../files/shell/links.ts";
import { nodeUrls } from "../../files/shell/navigate.ts";
import { entryOf, NODE_COLUMNS, ROWS_PAGE } from "./entries.ts";
import { jobOf } from "./index-routes.ts";
import { onDisk } from "./on-disk.ts";
import { route } from "./route.ts";
import { allPages, type ReportRows, rowsOf } from "./rows.ts";

type TreeQuery = ListingQuery & { indexId: string; parent?: string };
interface NodeQuery {
  indexId: string;
  nodeId: string;
}

export const nodeRoutes = [
  route({
    method: "GET",
    path: "/api/indexes/{indexId}/tree",
    summary: "The entries of a directory, by name, size or time",
    call: "fileTree",
    action: "tree",
    needs: "navigate",
    schema: requests.treeQuery,
    answer: tree,
    rows: treeRows,
  }),
  route({
    method: "GET",
    path: "/api/indexes/{indexId}/nodes/{nodeId}",
    summary: "One node as indexed; for a directory, also its first entries",
    call: "fileNode",
    action: "inspect",
    needs: "navigate",
    schema: requests.nodeById,
    answer: node,
  }),
  route({
    method: "GET",
    path: "/api/indexes/{indexId}/nodes/{nodeId}/detail",
    summary:
      "The node with a link's target; with `download` also the digest, the type detected from the content and the beginning of a text file",
    call: "fileDetail",
    action: "detail",
    needs: "navigate",
    schema: requests.nodeById,
    answer: detail,
  }),
  route({
    method: "GET",
    path: "/api/indexes/{indexId}/nodes/{nodeId}/download",
    summary: "The bytes of a regular file, or a Range of them",
    call: "fileDownload",
    action: "download",
    needs: "download",
    schema: requests.nodeById,
    async download(call, query) {
      return { ...query, root: (await call.index(query.indexId, "download")).root };
    },
  }),
] as const;

async function tree(call: FileCall, { indexId, parent, ...query }: TreeQuery): Promise<FileAnswer<FileTree>> {
  const { index, root } = await call.index(indexId);
  const shown = { ...query, limit: query.limit ?? FILE_PAGE.default };
  const listing = await call.lens.files.children(indexId, parent ?? index.rootNodeId, shown);
  const entry = entryOf(call, indexId);
  return {
    connectionId: root.connectionId,
    records: listing.entries.length,
    answer: {
      ...listing,
      parent: entry(listing.parent),
      entries: listing.entries.map(entry),
      ...(await jobOf(call, index)),
    },
  };
}

async function treeRows(call: FileCall, { indexId, parent, limit, ...query }: TreeQuery): Promise<ReportRows> {
  const { index, root } = await call.index(indexId);
  const { files } = call.lens;
  const { nodeId, path } = await files.node(indexId, parent ?? index.rootNodeId);
  const entry = entryOf(call, indexId);
  const pages = allPages(
    (from) => files.children(indexId, nodeId, { ...query, limit: ROWS_PAGE, ...from }),
    ({ entries }) =>
      entries.map((one): FileEntry => entry({ ...one, path: `${path === "/" ? "" : path}/${one.name}` })),
  );
  return rowsOf({ root, name: `${indexId}-tree` }, NODE_COLUMNS, pages, limit);
}

async function node(call: FileCall, { indexId, nodeId }: NodeQuery): Promise<FileAnswer<FileNodeRead>> {
  const { root } = await call.index(indexId);
  const { files } = call.lens;
  const found = await files.node(indexId, nodeId);
  const directory = found.kind === "dir" ? found.nodeId : found.targetId;
  const children = directory === undefined ? undefined : await firstOf(call, indexId, directory);
  return {
    connectionId: root.connectionId,
    records: 1 + (children?.entries.length ?? 0),
    answer: { ...(await known(call, root, found)), ...(children === undefined ? {} : { children }) },
  };
}

async function firstOf(call: FileCall, indexId: string, nodeId: string): Promise<FileNodeRead["children"] & object> {
  const { entries, total, nextCursor } = await call.lens.files.children(indexId, nodeId, { limit: FILE_PAGE.default });
  const next =
    nextCursor === undefined ? {} : { nextCursor, nextPageUrl: urlsOf(call).tree(indexId, nodeId, nextCursor) };
  return { entries: entries.map(entryOf(call, indexId)), total, ...next };
}

async function detail(call: FileCall, { indexId, nodeId }: NodeQuery): Promise<FileAnswer<FileNodeExtended>> {
  const { root } = await call.index(indexId);
  const { files } = call.lens;
  const found = await files.node(indexId, nodeId);
  const { kind, targetId } = found;
  const isOpen = kind === "file" && call.may(root, "download");
  const digest = isOpen ? await files.digest(indexId, nodeId) : undefined;
  const target = kind === "link" ? await files.readLink(indexId, nodeId) : undefined;
  return {
    connectionId: root.connectionId,
    records: 1,
    answer: {
      ...(await known(call, root, found)),
      ...(await files.past(indexId, nodeId)),
      ...(digest === undefined ? {} : { digest: `sha256:${digest}` }),
      ...(target === undefined ? {} : { symlink: { target, ...(targetId === undefined ? {} : { targetId }) } }),
      ...(isOpen ? await onDisk(files, found) : {}),
    },
  };
}

const urlsOf = ({ caller }: FileCall) => links(caller.origin);

const known = async (call: FileCall, root: ConnectedRoot, found: FileNodeDetail) => ({
  ...found,
  link: urlsOf(call).node(found.indexId, found.nodeId),
  urls: await nodeUrls(call, root, found),
});
