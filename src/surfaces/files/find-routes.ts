// /api/indexes/{indexId}/find: finds nodes in a whole tree that match a filter.
import type { FoundEntries } from "../../contract/file-report-answers.ts";
import * as requests from "../../contract/file-requests.ts";
import type { FileFilter, FileNode, FindQuery } from "../../contract/files.ts";
import { FILE_PAGE } from "../../contract/limits.ts";
import { nodeHandles } from "../../files/handles.ts";
import type { FileAnswer, FileCall } from "../../files/shell/file-call.ts";
import { links } from "../../files/shell/links.ts";
import { digestsOf } from "../../files/shell/missing-digests.ts";
import { partialOf } from "../../files/shell/partial.ts";
import { entryOf, NODE_COLUMNS, ROWS_PAGE } from "./entries.ts";
import { explained } from "./explain.ts";
import { filterOf } from "./filter-text.ts";
import { route } from "./route.ts";
import { allPages, type ReportRows, rowsOf } from "./rows.ts";

type Find = FindQuery & { indexId: string };

/** Proxies between the app and the server may refuse longer addresses. */
const ADDRESS_MAX = 8000;
/** Each page of sorted nodes needs a separate scan, so pages are few and large. */
const SORTED_PAGE = 10_000;

export const findRoutes = [
  route({
    method: "GET",
    path: "/api/indexes/{indexId}/find",
    summary: "Nodes that match a filter, sorted, with the total number",
    call: "findFiles",
    action: "find",
    needs: "navigate",
    schema: requests.findQuery,
    answer: (call, { filter, ...query }) => find(call, { ...query, ...filterOf(filter) }),
    rows: (call, { filter, ...query }) => findRows(call, { ...query, ...filterOf(filter) }),
    explain: (call, { filter, ...query }) => explainFind(call, { ...query, ...filterOf(filter) }),
  }),
  route({
    method: "POST",
    path: "/api/indexes/{indexId}/find",
    summary: "The same with the filter in the body",
    call: "findFilesByBody",
    action: "find",
    needs: "navigate",
    schema: requests.findBody,
    body: "needed",
    answer: (call, query) => findByBody(call, query as Find),
    rows: (call, query) => findRows(call, query as Find),
    explain: (call, query) => explainFind(call, query as Find),
  }),
] as const;

async function find(call: FileCall, { indexId, ...query }: Find): Promise<FileAnswer<FoundEntries>> {
  const { root, index } = await call.searchable(indexId, query.filter);
  const found = await call.lens.files.find(indexId, { ...query, limit: query.limit ?? FILE_PAGE.default });
  return {
    connectionId: root.connectionId,
    records: found.entries.length,
    answer: {
      ...found,
      entries: found.entries.map(entryOf(call, indexId)),
      ...partialOf(index),
      ...(await digestsOf(call, { indexId, root, filter: query.filter }, `POST /api/indexes/${indexId}/digests`)),
    },
  };
}

/** The next page also gets an address, unless the filter is too long for one. */
async function findByBody(call: FileCall, query: Find): Promise<FileAnswer<FoundEntries>> {
  const outcome = await find(call, query);
  const { nextCursor } = outcome.answer;
  if (nextCursor === undefined) return outcome;
  const { indexId, filter, ...rest } = query;
  const asked = { ...rest, ...(filter === undefined ? {} : { filter: JSON.stringify(filter) }), cursor: nextCursor };
  const search = new URLSearchParams(
    Object.entries(asked).map(([name, value]): [string, string] => [name, `${value}`]),
  );
  const nextPageUrl = `${links(call.caller.origin).find(indexId)}?${search}`;
  return nextPageUrl.length > ADDRESS_MAX ? outcome : { ...outcome, answer: { ...outcome.answer, nextPageUrl } };
}

async function findRows(call: FileCall, { indexId, limit, ...query }: Find): Promise<ReportRows> {
  const { root } = await call.searchable(indexId, query.filter);
  const about = { root, name: `${indexId}-find` };
  return rowsOf(about, NODE_COLUMNS, await foundPages(call, indexId, query), limit);
}

/** Returns all matches. In tree order, one scan is enough. */
export async function foundPages(call: FileCall, indexId: string, query: Omit<FindQuery, "limit" | "cursor">) {
  const { files } = call.lens;
  const entry = entryOf(call, indexId);
  const { order = "tree", descending = false } = query;
  if (order === "tree" && !descending) return selectedPages(call, indexId, query);
  return allPages(
    (from) => files.find(indexId, { ...query, limit: SORTED_PAGE, ...from }),
    ({ entries }) => entries.map(entry),
  );
}

async function* selectedPages(
  call: FileCall,
  indexId: string,
  { filter, under }: { filter?: FileFilter; under?: string },
) {
  const { files } = call.lens;
  const { dirs, numbers } = await files.select(indexId, { filter, under });
  const entry = entryOf(call, indexId);
  for (let at = 0; at < dirs.length; at += ROWS_PAGE) {
    const part = { dirs: dirs.subarray(at, at + ROWS_PAGE), numbers: numbers.subarray(at, at + ROWS_PAGE) };
    const nodes = await files.nodes(indexId, nodeHandles(indexId, part));
    // Omit nodes that a rescan has removed in the meantime.
    yield nodes.filter((node): node is FileNode => node !== null).map(entry);
  }
}

function explainFind(call: FileCall, { indexId, filter, under, order = "tree", ...query }: Find) {
  const descending = query.descending ?? (order === "size" || order === "time");
  return explained(call, {
    indexId,
    explains: "find",
    reads: "columns",
    filter,
    under,
    order,
    descending,
    steps: [
      "matches is the number of nodes that are still marked.",
      `The first ${query.limit ?? FILE_PAGE.default} by ${order}${descending ? ", descending," : ""} become the entries.`,
    ],
  });
}
