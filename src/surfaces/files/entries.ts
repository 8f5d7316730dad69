// Nodes in lists, each with its link, and as rows of an exported file.
import type { FileEntry } from "../../contract/file-answers.ts";
import type { FileNode } from "../../contract/files.ts";
import type { FileCall } from "../../files/shell/file-call.ts";
import { entryLink, links } from "../../files/shell/links.ts";
import type { ReportColumns } from "./rows.ts";

/** The number of nodes read at once for an exported file. */
export const ROWS_PAGE = 1000;

export function entryOf({ caller }: FileCall, indexId: string): (node: FileNode) => FileEntry {
  const urls = links(caller.origin);
  return (node) => ({ ...node, link: entryLink(indexId, node, urls) });
}

export const NODE_COLUMNS: ReportColumns<FileEntry> = {
  nodeId: ({ nodeId }) => nodeId,
  path: ({ path }) => path,
  name: ({ name }) => name,
  kind: ({ kind }) => kind,
  size: ({ size }) => size,
  allocated: ({ allocated }) => allocated,
  modifiedAt: ({ modifiedAt }) => modifiedAt,
  files: ({ counts }) => counts?.files,
  dirs: ({ counts }) => counts?.dirs,
  link: ({ link }) => link,
};
