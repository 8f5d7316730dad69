// /api/resource-sets: creates, changes, combines, pages and exports selections of nodes.
import { PdppError } from "../../contract/errors.ts";
import type { FileEntry } from "../../contract/file-answers.ts";
import type { ResourceSetEntries, ResourceSetList, ResourceSetRead } from "../../contract/file-report-answers.ts";
import * as requests from "../../contract/file-requests.ts";
import type { More, ResourceSetCard, ResourceSetResult } from "../../contract/file-shell.ts";
import { FILE_PAGE } from "../../contract/limits.ts";
import type { FileAnswer, FileCall } from "../../files/shell/file-call.ts";
import { links } from "../../files/shell/links.ts";
import { resourceSetOps, type SetAnswer } from "../../files/shell/selections.ts";
import { changeSet, type SetMember, setEntries } from "../../files/shell/set-entries.ts";
import { entryOf, NODE_COLUMNS, ROWS_PAGE } from "./entries.ts";
import { route } from "./route.ts";
import { allPages, type ReportRows, rowsOf } from "./rows.ts";

type SetEntryAnswer = ResourceSetEntries["entries"][number];

export const setRoutes = [
  route({
    method: "POST",
    path: "/api/resource-sets",
    summary: "Create a selection of nodeIds, or the union, intersection or difference of others",
    call: "createResourceSet",
    action: "resource-set-ops",
    needs: "curate",
    schema: requests.setCreate,
    body: "needed",
    status: 201,
    async answer(call, { combine, selectionIds, nodeIds, indexId, name }) {
      if (combine === undefined && selectionIds === undefined) {
        if (nodeIds === undefined && indexId === undefined) throw nothingNamed();
        return read(call, await resourceSetOps(call, { op: "create", name, nodeIds, indexId }));
      }
      if (combine === undefined || selectionIds === undefined || nodeIds !== undefined) throw nothingNamed();
      return read(call, await resourceSetOps(call, { op: "create", name, combine, selectionIds }));
    },
  }),
  route({
    method: "GET",
    path: "/api/resource-sets",
    summary: "Your selections, newest first",
    call: "resourceSets",
    action: "resource-set-ops",
    needs: "navigate",
    schema: requests.setsQuery,
    async answer(call, query): Promise<FileAnswer<ResourceSetList>> {
      const listed = { op: "list", ...query, limit: query.limit ?? FILE_PAGE.default, whole: true } as const;
      const { answer, ...outcome } = (await resourceSetOps(call, listed)) as FileAnswer<
        { sets: ResourceSetCard[] } & More
      >;
      const { sets, nextCursor } = answer;
      const next = nextCursor === undefined ? {} : { nextCursor };
      return { ...outcome, answer: { sets: sets.map((set) => withLink(call, set)), ...next } };
    },
  }),
  route({
    method: "GET",
    path: "/api/resource-sets/{selectionId}",
    summary: "One selection: counts, size and its largest entries",
    call: "resourceSet",
    action: "resource-set-ops",
    needs: "navigate",
    schema: requests.setById,
    answer: async (call, { selectionId }) => read(call, await resourceSetOps(call, { op: "get", selectionId })),
  }),
  route({
    method: "PATCH",
    path: "/api/resource-sets/{selectionId}",
    summary: "Add nodes, remove nodes or rename the selection; either all changes apply or none do",
    call: "changeResourceSet",
    action: "resource-set-ops",
    needs: "curate",
    schema: requests.setPatch,
    body: "needed",
    answer: async (call, change) => read(call, await changeSet(call, change)),
  }),
  route({
    method: "DELETE",
    path: "/api/resource-sets/{selectionId}",
    summary: "Delete a selection; the files are not changed",
    call: "deleteResourceSet",
    action: "resource-set-ops",
    needs: "curate",
    schema: requests.setById,
    answer: (call, { selectionId }) => resourceSetOps(call, { op: "delete", selectionId }),
  }),
  route({
    method: "GET",
    path: "/api/resource-sets/{selectionId}/entries",
    summary: "The entries of a selection, as indexed now",
    call: "resourceSetEntries",
    action: "set-entries",
    needs: "navigate",
    schema: requests.setEntriesQuery,
    answer: entries,
    rows: entryRows,
  }),
] as const;

function nothingNamed(): PdppError {
  return new PdppError("invalid_request", "specify nodeIds or indexId, or combine with selectionIds", {
    param: "nodeIds",
    next_step:
      'Send {"name":"…","nodeIds":["n1-42.7"]}, or {"name":"…","combine":"union","selectionIds":["sel_…","sel_…"]}.',
  });
}

const withLink = <T extends ResourceSetCard>({ caller }: FileCall, set: T): T & { link: string } => ({
  ...set,
  link: links(caller.origin).set(set.selectionId),
});

function read(call: FileCall, { answer, ...outcome }: FileAnswer<SetAnswer>): FileAnswer<ResourceSetRead> {
  return { ...outcome, answer: withLink(call, answer as ResourceSetResult) };
}

async function entries(
  call: FileCall,
  query: { selectionId: string; limit?: number; cursor?: string },
): Promise<FileAnswer<ResourceSetEntries>> {
  const { set, totals, members, nextCursor } = await setEntries(call, {
    ...query,
    limit: query.limit ?? FILE_PAGE.default,
  });
  const { root } = await call.index(set.index_id);
  return {
    connectionId: root.connectionId,
    records: members.length,
    answer: {
      selectionId: set.set_id,
      name: set.name,
      indexId: set.index_id,
      total: await call.lens.store.countEntries(set.set_id),
      ...(totals.missing === 0 ? {} : { missing: totals.missing }),
      entries: members.map(memberOf(call, set.index_id)),
      ...(nextCursor === undefined ? {} : { nextCursor }),
    },
  };
}

async function entryRows(
  call: FileCall,
  { selectionId, limit }: { selectionId: string; limit?: number },
): Promise<ReportRows> {
  const { set } = await setEntries(call, { selectionId, limit: 1 });
  const { root } = await call.index(set.index_id);
  const member = memberOf(call, set.index_id);
  const pages = allPages(
    (from) => setEntries(call, { selectionId, limit: ROWS_PAGE, ...from }),
    ({ members }) => members.map(member),
  );
  const columns = {
    ...Object.fromEntries(
      Object.entries(NODE_COLUMNS).map(([name, cell]) => [name, (one: SetEntryAnswer) => cell(one as FileEntry)]),
    ),
    missing: (one: SetEntryAnswer) => "missing" in one,
  };
  return rowsOf({ root, name: selectionId }, columns, pages, limit);
}

function memberOf(call: FileCall, indexId: string): (member: SetMember) => SetEntryAnswer {
  const entry = entryOf(call, indexId);
  return (member) => ("missing" in member ? member : entry(member));
}
