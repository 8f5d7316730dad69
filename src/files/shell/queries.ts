// Saved queries: a filter with a name. Running one fills a selection with what matches now.
import { randomBytes } from "node:crypto";
import { PdppError } from "../../contract/errors.ts";
import { type More, type QueryCard, type QueryRunResult, SHELL_LIST_MAX } from "../../contract/file-shell.ts";
import type { FileFilter } from "../../contract/files.ts";
import { formatInstant } from "../../core/instant.ts";
import type { FileAnswer, FileCall } from "./file-call.ts";
import { filterSummary } from "./filter-words.ts";
import { fitsAnswer, fittedCards } from "./fitting.ts";
import { links } from "./links.ts";
import { digestsCall, digestsOf } from "./missing-digests.ts";
import { indexIdOf } from "./navigate.ts";
import { partialOf } from "./partial.ts";
import type { QueryRow } from "./query-rows.ts";
import type { SetRow } from "./selection-rows.ts";
import { ownSet, shown } from "./selections.ts";
import { indexOfSession, openSession } from "./sessions.ts";
import type { ListPlace } from "./shell-database.ts";

const LIMIT = { queries: 1000, name: 200 } as const;

export interface SavedFilter {
  filter: FileFilter;
  under?: string;
}

export type QueryRun =
  /** With a cursor it goes on in what it filled last, and does not run. */
  | { queryId: string; cursor?: string }
  | { filter: FileFilter; name?: string; under?: string; indexId?: string; sessionId?: string };

export async function queryRun(call: FileCall, asked: QueryRun): Promise<FileAnswer<QueryRunResult>> {
  const query = "queryId" in asked ? await ownQuery(call, asked.queryId) : await newQuery(call, asked);
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

async function setOf(call: FileCall, query: QueryRow, saved: SavedFilter, cursor: string | undefined): Promise<SetRow> {
  if (cursor === undefined || query.set_id === null) return call.lens.selections.fill(query, saved);
  return ownSet(call, query.set_id);
}

async function newQuery(call: FileCall, asked: Extract<QueryRun, { filter: FileFilter }>): Promise<QueryRow> {
  const { store, now } = call.lens;
  const indexId =
    asked.indexId ??
    (asked.under === undefined
      ? (await indexOfSession(call, await openSession(call, asked.sessionId)))?.indexId
      : indexIdOf(asked.under));
  if (indexId === undefined) {
    throw new PdppError("invalid_request", "a query belongs to an index, and none is named", {
      param: "indexId",
      next_step: "Pass indexId, or cd into a root first.",
    });
  }
  if ((await store.countQueries(call.client)) >= LIMIT.queries)
    throw new PdppError("resource_limit", `there are ${LIMIT.queries} saved queries already; delete some over HTTP`);
  const name = asked.name?.trim().slice(0, LIMIT.name) || filterSummary(asked.filter).slice(0, LIMIT.name);
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
  };
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

/** A filter that is too long for an answer is found at its address. */
export async function queryGet(
  call: FileCall,
  { queryId, full = false }: { queryId: string; full?: boolean },
): Promise<FileAnswer<QueryCard & { filterUrl: string; filter?: FileFilter; under?: string }>> {
  const query = await ownQuery(call, queryId);
  const card = { ...cardOf(call, query), filterUrl: links(call.caller.origin).query(queryId) };
  const whole = { ...card, ...savedFilter(query) };
  return { answer: full && fitsAnswer(whole) ? whole : card };
}

export async function ownQuery(call: FileCall, queryId: string): Promise<QueryRow> {
  const query = await call.lens.store.query(queryId);
  const isOpen =
    query?.client === call.client && (await call.roots()).some(({ indexIds }) => indexIds.includes(query.index_id));
  if (isOpen) return query;
  throw new PdppError("not_found", `there is no query ${JSON.stringify(queryId.slice(0, 60))}`, {
    param: "queryId",
    next_step: "Call query-list({}) to see yours, or query-run with a filter to make one.",
  });
}

export const savedFilter = ({ filter }: QueryRow): SavedFilter => JSON.parse(filter) as SavedFilter;

/** The selection that it filled stays. */
export async function queryDelete(
  call: FileCall,
  { queryId }: { queryId: string },
): Promise<FileAnswer<{ queryId: string; deleted: true }>> {
  const query = await ownQuery(call, queryId);
  const { root } = await call.index(query.index_id, "curate");
  await call.lens.store.deleteQuery(queryId);
  return { connectionId: root.connectionId, answer: { queryId, deleted: true } };
}

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
