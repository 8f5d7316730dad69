// Builds the URL of each handle. The shell's responses use an empty origin and give the real one once, as `base`.
import type { FileNode } from "../../contract/files.ts";

const part = encodeURIComponent;

export const links = (origin: string) => ({
  root: (id: string): string => `${origin}/api/roots/${part(id)}`,
  roots: (cursor?: string): string => `${origin}/api/roots${cursor === undefined ? "" : `?cursor=${part(cursor)}`}`,
  session: (id: string): string => `${origin}/api/sessions/${part(id)}`,
  index: (id: string): string => `${origin}/api/indexes/${part(id)}`,
  node: (indexId: string, nodeId: string): string => `${origin}/api/indexes/${part(indexId)}/nodes/${part(nodeId)}`,
  detail: (indexId: string, nodeId: string): string =>
    `${origin}/api/indexes/${part(indexId)}/nodes/${part(nodeId)}/detail`,
  download: (indexId: string, nodeId: string): string =>
    `${origin}/api/indexes/${part(indexId)}/nodes/${part(nodeId)}/download`,
  tree: (indexId: string, parent: string, cursor?: string): string =>
    `${origin}/api/indexes/${part(indexId)}/tree?parent=${part(parent)}${cursor === undefined ? "" : `&cursor=${part(cursor)}`}`,
  find: (indexId: string): string => `${origin}/api/indexes/${part(indexId)}/find`,
  scans: (indexId: string): string => `${origin}/api/indexes/${part(indexId)}/scans`,
  report: (indexId: string, name: string, under?: string): string =>
    `${origin}/api/indexes/${part(indexId)}/reports/${name}${under === undefined ? "" : `?under=${part(under)}`}`,
  job: (id: string): string => `${origin}/api/jobs/${part(id)}`,
  set: (id: string): string => `${origin}/api/resource-sets/${part(id)}`,
  entries: (id: string, cursor?: string): string =>
    `${origin}/api/resource-sets/${part(id)}/entries${cursor === undefined ? "" : `?cursor=${part(cursor)}`}`,
  sets: (cursor: string, indexId?: string): string =>
    `${origin}/api/resource-sets?${indexId === undefined ? "" : `indexId=${part(indexId)}&`}cursor=${part(cursor)}`,
  query: (id: string): string => `${origin}/api/queries/${part(id)}`,
  runQuery: (id: string): string => `${origin}/api/queries/${part(id)}/run`,
  queries: (cursor: string): string => `${origin}/api/queries?cursor=${part(cursor)}`,
});

export type Links = ReturnType<typeof links>;

/** Returns the listing URL of a directory or a followed link, and the node URL of anything else. */
export function entryLink(
  indexId: string,
  { nodeId, kind, targetId }: Pick<FileNode, "nodeId" | "kind" | "targetId">,
  urls: Links,
): string {
  const listed = kind === "dir" ? nodeId : targetId;
  return listed === undefined ? urls.node(indexId, nodeId) : urls.tree(indexId, listed);
}
