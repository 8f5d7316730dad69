// Explains how a search, a report or a saved query would be executed, without executing it (S-11).
import { PdppError } from "../../contract/errors.ts";
import type { Explanation } from "../../contract/file-report-answers.ts";
import type { FileFilter } from "../../contract/files.ts";
import { explainFilter } from "../../files/read/filter.ts";
import type { FileAnswer, FileCall } from "../../files/shell/file-call.ts";
import { filterSummary } from "../../files/shell/filter-words.ts";

const SCAN =
  "All nodes start out marked. Columns (name, size, time, mode, owner, parent) are read in blocks, and a node without a mark is not read again.";
const FILTER =
  "The filter clears marks column by column; the parts of an `and` run in the order that plan lists, the cheapest first.";

export interface Explained {
  indexId: string;
  /** The query: `find`, `query fq_…`, `reports/largest`. */
  explains: string;
  reads: Explanation["reads"];
  steps: readonly string[];
  filter?: FileFilter;
  under?: string;
  order?: string;
  descending?: boolean;
}

export async function explained(call: FileCall, asked: Explained): Promise<FileAnswer<Explanation>> {
  const { indexId, filter, under, steps } = asked;
  const { index, root } = await call.searchable(indexId, filter);
  const plan = filter === undefined ? undefined : explainFilter(filter);
  // An invalid query is refused here too.
  if (under !== undefined) await requireDirectory(call, indexId, under);
  const { files = 0, dirs = 0 } = index.totals ?? {};
  const scanned = asked.reads === "columns" ? [SCAN] : [];
  const narrowed = under === undefined ? [] : [`Nodes outside ${under} are excluded first.`];
  const filtered = filter === undefined ? [] : [FILTER];
  return {
    connectionId: root.connectionId,
    answer: {
      indexId,
      explains: asked.explains,
      nodes: files + dirs,
      reads: asked.reads,
      steps: [...scanned, ...narrowed, ...filtered, ...steps],
      ...(under === undefined ? {} : { under }),
      ...(asked.order === undefined ? {} : { order: asked.order }),
      ...(asked.descending === undefined ? {} : { descending: asked.descending }),
      ...(filter === undefined ? {} : { filter, filterSummary: filterSummary(filter), plan }),
    },
  };
}

async function requireDirectory({ lens }: FileCall, indexId: string, under: string): Promise<void> {
  const { kind, targetId } = await lens.files.node(indexId, under);
  if (kind === "dir" || targetId !== undefined) return;
  throw new PdppError("invalid_request", `${under} is not a directory`, {
    param: "under",
    next_step: "Specify a directory, or omit it for the whole tree.",
  });
}
