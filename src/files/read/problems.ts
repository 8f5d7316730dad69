// Lists directories and entries that could not be read, each with the reason, in tree order.
import type { ProblemNode } from "../../contract/files.ts";
import { nodeHandle } from "../handles.ts";
import { findNode, type RootNames, shownNode } from "./detail.ts";
import type { IndexReader } from "./index-reader.ts";

export type ProblemPosition = [dir: number, no: number];

export function problemsPage(
  reader: IndexReader,
  root: RootNames,
  limit: number,
  after: ProblemPosition = [0, 0],
): { problems: ProblemNode[]; next?: ProblemPosition } {
  const rows = reader.database
    .prepare("SELECT dir, no, text FROM problem WHERE (dir, no) > (?, ?) ORDER BY dir, no LIMIT ?")
    .all(...after, limit + 1) as { dir: number; no: number; text: string }[];
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    problems: shown.map(({ dir, text }) => {
      const found = findNode(reader, { dir });
      const path = found === undefined ? root.path : shownNode(reader, found, root).path!;
      return { nodeId: nodeHandle(reader.no, { dir }), path, text };
    }),
    ...(rows.length > limit && last !== undefined ? { next: [last.dir, last.no] } : {}),
  };
}
