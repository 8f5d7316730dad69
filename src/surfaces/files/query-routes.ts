// /api/queries: saved filters, which can be run again and explained.
import type { SavedQuery, SavedQueryList } from "../../contract/file-report-answers.ts";
import * as requests from "../../contract/file-requests.ts";
import type { FileFilter } from "../../contract/files.ts";
import { FILE_PAGE } from "../../contract/limits.ts";
import type { FileAnswer, FileCall } from "../../files/shell/file-call.ts";
import { links } from "../../files/shell/links.ts";
import { ownQuery, queryDelete } from "../../files/shell/own-query.ts";
import { cardOf, queryList, queryRun, savedFilter } from "../../files/shell/queries.ts";
import { type Explained, explained } from "./explain.ts";
import { route } from "./route.ts";

export const queryRoutes = [
  route({
    method: "POST",
    path: "/api/queries",
    summary: "Save a filter and run it; the matches become a selection",
    call: "createQuery",
    action: "query-run",
    needs: "curate",
    schema: requests.queryCreate,
    body: "needed",
    status: 201,
    answer: (call, { filter, format: _format, ...query }) =>
      queryRun(call, { ...query, filter: filter as unknown as FileFilter }),
    explain: (call, { indexId, filter, under }) =>
      explainQuery(call, { indexId, explains: "query", filter: filter as unknown as FileFilter, under }),
  }),
  route({
    method: "GET",
    path: "/api/queries",
    summary: "Your saved queries, newest first",
    call: "queries",
    action: "query-list",
    needs: "navigate",
    schema: requests.queriesQuery,
    async answer(call, query): Promise<FileAnswer<SavedQueryList>> {
      const { answer, ...outcome } = await queryList(call, {
        ...query,
        limit: query.limit ?? FILE_PAGE.default,
        whole: true,
      });
      const { queries, nextCursor } = answer;
      const urls = links(call.caller.origin);
      const next = nextCursor === undefined ? {} : { nextCursor };
      return {
        ...outcome,
        answer: { queries: queries.map((one) => ({ ...one, link: urls.query(one.queryId) })), ...next },
      };
    },
  }),
  route({
    method: "GET",
    path: "/api/queries/{queryId}",
    summary: "One saved query with its whole filter",
    call: "query",
    action: "query-get",
    needs: "navigate",
    schema: requests.queryExplained,
    async answer(call, { queryId }): Promise<FileAnswer<SavedQuery>> {
      const query = await ownQuery(call, queryId);
      const { root } = await call.index(query.index_id);
      return {
        connectionId: root.connectionId,
        answer: {
          ...cardOf(call, query),
          indexId: query.index_id,
          ...savedFilter(query),
          ...(query.set_id === null ? {} : { selectionId: query.set_id }),
          link: links(call.caller.origin).query(queryId),
        },
      };
    },
    explain: explainSaved,
  }),
  route({
    method: "POST",
    path: "/api/queries/{queryId}/run",
    summary: "Run a saved query again; the current matches replace its selection",
    call: "runQuery",
    action: "query-run",
    needs: "curate",
    schema: requests.queryExplained,
    answer: (call, { queryId }) => queryRun(call, { queryId }),
    explain: explainSaved,
  }),
  route({
    method: "DELETE",
    path: "/api/queries/{queryId}",
    summary: "Delete a saved query; the selection that it filled is kept",
    call: "deleteQuery",
    action: "query-delete",
    needs: "curate",
    schema: requests.queryById,
    answer: queryDelete,
  }),
] as const;

async function explainSaved(call: FileCall, { queryId }: { queryId: string }) {
  const query = await ownQuery(call, queryId);
  return explainQuery(call, { indexId: query.index_id, explains: `query ${queryId}`, ...savedFilter(query) });
}

const explainQuery = (call: FileCall, asked: Pick<Explained, "indexId" | "explains" | "filter" | "under">) =>
  explained(call, {
    ...asked,
    reads: "columns",
    steps: ["All nodes that are still marked go into the selection; the response lists the largest few."],
  });
