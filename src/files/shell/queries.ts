// Saved queries. A query is a filter with a name, and running it fills a selection with the current matches.
import { randomBytes } from "node:crypto";
import { PdppError } from "../../contract/errors.ts";
import {
  type More,
  type QueryCard,
  type QueryLookResult,
  type QueryRunResult,
  SHELL_LIST_MAX,
  SHELL_SAMPLE_MAX,
} from "../../contract/file-shell.ts";
import type { FileFilter } from "../../contract/files.ts";
import { SELECTION } from "../../contract/limits.ts";
import { formatInstant } from "../../core/instant.ts";
import { distinguishingPaths } from "./distinguishing-paths.ts";
import type { FileAnswer, FileCall } from "./file-call.ts";
import { filterSummary } from "./filter-words.ts";
import { fitsAnswer, fittedCards, fittedRows } from "./fitting.ts";
import { links } from "./links.ts";
import { digestsCall, digestsOf } from "./missing-digests.ts";
import { indexIdOf } from "./navigate.ts";
import { ownQuery } from "./own-query.ts";
import { partialOf } from "./partial.ts";
import type { QueryRow } from "./query-rows.ts";
import type { SetRow } from "./selection-rows.ts";
import { ownSet, rowOf, shown } from "./selections.ts";
import { indexOfSession, openSession } from "./sessions.ts";
import type { ListPlace } from "./shell-database.ts";

const LIMIT = { queries: 1000, name: 200 } as const;

export interface SavedFilter {
  filter: FileFilter;
  under?: string;
}

export type QueryRun =
  /** With a cursor, continues in the previous results instead of running again. */
  | { queryId: string; cursor?: string }
  | { filter: FileFilter; name?: string; under?: string; indexId?: string; sessionId?: string };

export async function queryRun(call: FileCall, asked: QueryRun): Promise<FileAnswer<QueryRunResult>> {
  const query = "queryId" in asked ? renewed(call, await ownQuery(call, asked.queryId)) : await newQuery(call, asked);
  const saved = savedFilter(query);
  const { root, index } = await call.searchable(query.index_id, saved.filter, "curate");
  const set = await setOf(call, query, saved, "queryId" in asked ? asked.cursor : undefined);
  const { answer } = await shown(call, set, "queryId" in asked ? asked.cursor : undefined);
  const { counts, totalSize, missing, sample, nextCursor, nextPageUrl } = answer;
  const report = { matches: counts.entries, totalSize, ...(missing === undefined ? {} : { missing }), sample };
  return {
    connectionId: root.connectionId,
    records: report.sample.length,
    answer: {
      queryId: query.query_id,
      selectionId: set.set_id,
      sampleUrl: links(call.caller.origin).entries(set.set_id),
      report,
      ...(nextCursor === undefined ? {} : { nextCursor, nextPageUrl }),
      ...partialOf(index),
      ...(await digestsOf(call, { indexId: query.index_id, root, filter: saved.filter }, digestsCall(root))),
    },
  };
}

/** Extends the expiry to a day from now. */
const renewed = ({ lens }: FileCall, query: QueryRow): QueryRow =>
  query.expires_at === null ? query : { ...query, expires_at: lens.now() + SELECTION.unnamedMs };

async function setOf(call: FileCall, query: QueryRow, saved: SavedFilter, cursor: string | undefined): Promise<SetRow> {
  if (cursor === undefined || query.set_id === null) return call.lens.selections.fill(query, saved);
  return ownSet(call, query.set_id);
}

async function newQuery(call: FileCall, asked: Extract<QueryRun, { filter: FileFilter }>): Promise<QueryRow> {
  const { store, now } = call.lens;
  const indexId = await indexAsked(call, asked);
  const named = asked.name?.trim().slice(0, LIMIT.name) || undefined;
  if (named === undefined) await call.lens.selections.sweep(call.client);
  else if ((await store.countQueries(call.client)) >= LIMIT.queries) {
    throw new PdppError("resource_limit", `there are already ${LIMIT.queries} saved queries`, {
      next_step: 'Delete some: resource-set-ops({"op":"delete","queryId":"fq_…"}).',
    });
  }
  const name = named ?? filterSummary(asked.filter).slice(0, LIMIT.name);
  const saved: SavedFilter = { filter: asked.filter, ...(asked.under === undefined ? {} : { under: asked.under }) };
  return {
    query_id: `fq_${randomBytes(9).toString("base64url")}`,
    client: call.client,
    name,
    index_id: indexId,
    filter: JSON.stringify(saved),
    set_id: null,
    created_at: now(),
    executed_at: null,
    expires_at: named === undefined ? now() + SELECTION.unnamedMs : null,
  };
}

/** Returns the given index, otherwise the index of the given node, otherwise the session's index. */
async function indexAsked(
  call: FileCall,
  { indexId, under, sessionId }: { indexId?: string; under?: string; sessionId?: string },
): Promise<string> {
  if (indexId !== undefined) return indexId;
  if (under !== undefined) return indexIdOf(under);
  const found = await indexOfSession(call, await openSession(call, sessionId));
  if (found !== undefined) return found.indexId;
  throw new PdppError("invalid_request", "a query needs an index", {
    param: "indexId",
    next_step: "Pass indexId, or cd into a root first.",
  });
}

export async function queryList(
  call: FileCall,
  { cursor, limit = SHELL_LIST_MAX, whole = false }: { cursor?: string; limit?: number; whole?: boolean },
): Promise<FileAnswer<{ queries: QueryCard[] } & More>> {
  const pages = await call.lens.pages<ListPlace>(["queries", call.client]);
  const open = (await call.roots()).flatMap(({ indexIds }) => indexIds);
  const rows = await call.lens.store.queries(call.client, open, limit + 1, pages.from(cursor));
  const page = (count: number): { queries: QueryCard[] } & More => {
    const last = rows[count - 1];
    const isMore = last !== undefined && rows.length > count;
    const { nextCursor } = pages.to(isMore ? [last.created_at, last.query_id] : undefined);
    return {
      queries: rows.slice(0, count).map((query) => cardOf(call, query)),
      ...(nextCursor === undefined ? {} : { nextCursor, nextPageUrl: links(call.caller.origin).queries(nextCursor) }),
    };
  };
  return { answer: whole ? page(limit) : await fittedCards(limit, ({ queries }) => queries, page) };
}

export interface QueryLook {
  filter: FileFilter;
  under?: string;
  indexId?: string;
  cursor?: string;
  sessionId?: string;
}

/** Runs a query without storing it or a selection, so it needs only `navigate`. */
export async function queryLook(call: FileCall, asked: QueryLook): Promise<FileAnswer<QueryLookResult>> {
  const { filter, under, cursor } = asked;
  const indexId = await indexAsked(call, asked);
  const { root, index } = await call.searchable(indexId, filter);
  const query = { filter, order: "size", descending: true, ...(under === undefined ? {} : { under }) } as const;
  const answer = await fittedRows<QueryLookResult>(
    SHELL_SAMPLE_MAX,
    ({ report }) => report.sample,
    async (limit) => {
      const from = cursor === undefined ? {} : { cursor };
      const { entries, matches, nextCursor } = await call.lens.files.find(indexId, { ...query, limit, ...from });
      const paths = distinguishingPaths(entries);
      const sample = entries.flatMap((entry, at) => rowOf(call, indexId, entry, paths[at]));
      const report = { matches: matches.nodes, totalSize: matches.size, sample };
      return { indexId, report, ...(nextCursor === undefined ? {} : { nextCursor }), ...partialOf(index) };
    },
  );
  const digests = await digestsOf(call, { indexId, root, filter }, digestsCall(root));
  return { connectionId: root.connectionId, records: answer.report.sample.length, answer: { ...answer, ...digests } };
}

/** Omits a filter that is too long for a response. It can be read at `filterUrl`. */
export async function queryGet(
  call: FileCall,
  { queryId, full = false }: { queryId: string; full?: boolean },
): Promise<FileAnswer<QueryCard & { filterUrl: string; filter?: FileFilter; under?: string }>> {
  const query = await ownQuery(call, queryId);
  const card = { ...cardOf(call, query), filterUrl: links(call.caller.origin).query(queryId) };
  const whole = { ...card, ...savedFilter(query) };
  return { answer: full && fitsAnswer(whole) ? whole : card };
}

export const savedFilter = ({ filter }: QueryRow): SavedFilter => JSON.parse(filter) as SavedFilter;

export function cardOf(call: FileCall, query: QueryRow): QueryCard {
  const { query_id, name, executed_at } = query;
  return {
    queryId: query_id,
    name,
    filterSummary: filterSummary(savedFilter(query).filter),
    lastExecutedAt: executed_at === null ? null : formatInstant(executed_at),
    runUrl: links(call.caller.origin).runQuery(query_id),
  };
}
