// Saved queries: a filter with a name. Running one fills a selection with what matches now.
import { randomBytes } from "node:crypto";
import { PdppError } from "../../contract/errors.ts";
import {
  type More,
  type QueryCard,
  type QueryRunResult,
  SHELL_LIST_MAX,
  SHELL_SAMPLE_MAX,
} from "../../contract/file-shell.ts";
import type { FileFilter } from "../../contract/files.ts";
import { formatInstant } from "../../core/instant.ts";
import type { FileCall, Told } from "./file-call.ts";
import { filterSummary } from "./filter-words.ts";
import { links } from "./links.ts";
import { newSet, rowOf } from "./selections.ts";
import { openSession } from "./sessions.ts";
import type { QueryRow } from "./shell-store.ts";

const LIMIT = { queries: 1000, matches: 200_000, page: 5000, name: 200 } as const;

export interface SavedFilter {
  filter: FileFilter;
  under?: string;
}

export type QueryRun =
  | { queryId: string }
  | { filter: FileFilter; name?: string; under?: string; indexId?: string; sessionId?: string };

export async function queryRun(call: FileCall, asked: QueryRun): Promise<Told<QueryRunResult>> {
  const { store, files, now } = call.lens;
  const query = "queryId" in asked ? await ownQuery(call, asked.queryId) : await newQuery(call, asked);
  const { root } = await call.index(query.index_id, "curate");
  const saved = savedFilter(query);
  // Looked for before anything is written: a filter that is refused leaves nothing behind.
  const first = await files.find(query.index_id, { ...saved, order: "size", limit: SHELL_SAMPLE_MAX });
  if (first.matches.nodes > LIMIT.matches) {
    throw new PdppError("resource_limit", `${first.matches.nodes} nodes match; a selection takes ${LIMIT.matches}`, {
      param: "filter",
      next_step: 'Narrow the filter, e.g. {"and":[…,{"size":{"min":1000000}}]}.',
    });
  }
  const known = query.set_id === null ? undefined : store.set(query.set_id);
  const set = known ?? newSet(call, query.name, query.index_id);
  store.clear(set.set_id);
  let cursor: string | undefined;
  do {
    const page = await files.find(query.index_id, {
      ...saved,
      order: "tree",
      limit: LIMIT.page,
      ...(cursor === undefined ? {} : { cursor }),
    });
    store.addEntries(
      set.set_id,
      page.entries.map(({ nodeId, kind, size }) => ({ nodeId, kind, size })),
      now(),
    );
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  store.putQuery({ ...query, set_id: set.set_id, executed_at: now() });
  return {
    connectionId: root.connectionId,
    records: first.entries.length,
    answer: {
      queryId: query.query_id,
      selectionId: set.set_id,
      sampleUrl: links(call.caller.origin).entries(set.set_id),
      report: {
        matches: first.matches.nodes,
        totalSize: first.matches.size,
        sample: first.entries.map((node) => rowOf(call, query.index_id, node)),
      },
    },
  };
}

async function newQuery(call: FileCall, asked: Extract<QueryRun, { filter: FileFilter }>): Promise<QueryRow> {
  const { store, now } = call.lens;
  const indexId = asked.indexId ?? openSession(call, asked.sessionId).index_id;
  if (indexId === null) {
    throw new PdppError("invalid_request", "a query belongs to an index, and none is named", {
      param: "indexId",
      next_step: "Pass indexId, or cd into a root first.",
    });
  }
  if (store.countQueries(call.client) >= LIMIT.queries)
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
  { cursor, limit = SHELL_LIST_MAX }: { cursor?: string; limit?: number },
): Promise<Told<{ queries: QueryCard[] } & More>> {
  const { store } = call.lens;
  const after = cursor === undefined ? undefined : store.query(cursor);
  if (cursor !== undefined && after?.client !== call.client)
    throw new PdppError("invalid_cursor", "this cursor is of another list", { param: "cursor" });
  const open = new Set((await call.roots()).flatMap(({ indexIds }) => indexIds));
  const rows = store.queries(call.client, limit + 1, after);
  const page = rows.slice(0, limit);
  const next = rows.length > page.length ? page.at(-1)!.query_id : undefined;
  return {
    answer: {
      queries: page.filter(({ index_id }) => open.has(index_id)).map((query) => cardOf(call, query)),
      ...(next === undefined ? {} : { nextCursor: next, nextPageUrl: links(call.caller.origin).queries(next) }),
    },
  };
}

export async function queryGet(
  call: FileCall,
  { queryId, full = false }: { queryId: string; full?: boolean },
): Promise<Told<QueryCard & { filterUrl: string; filter?: FileFilter; under?: string }>> {
  const query = await ownQuery(call, queryId);
  return {
    answer: {
      ...cardOf(call, query),
      filterUrl: links(call.caller.origin).query(queryId),
      ...(full ? savedFilter(query) : {}),
    },
  };
}

export async function ownQuery(call: FileCall, queryId: string): Promise<QueryRow> {
  const query = call.lens.store.query(queryId);
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
): Promise<Told<{ queryId: string; deleted: true }>> {
  const query = await ownQuery(call, queryId);
  const { root } = await call.index(query.index_id, "curate");
  call.lens.store.deleteQuery(queryId);
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
