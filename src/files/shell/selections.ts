// Selections are named sets of nodes in one index, made by hand, by queries, or from other selections.
import { PdppError } from "../../contract/errors.ts";
import {
  type More,
  type ResourceSetCard,
  type ResourceSetOps,
  type ResourceSetResult,
  type SampleRow,
  SHELL_LIST_MAX,
  SHELL_SAMPLE_MAX,
} from "../../contract/file-shell.ts";
import { SELECTION } from "../../contract/limits.ts";
import type { GatheredTotals } from "../read/gathered.ts";
import { COMBINES } from "./combine.ts";
import { distinguishingPaths } from "./distinguishing-paths.ts";
import type { FileAnswer, FileCall } from "./file-call.ts";
import { fittedCards, fittedRows, shortTarget } from "./fitting.ts";
import { links } from "./links.ts";
import { indexIdOf } from "./navigate.ts";
import { isKept, queryDelete } from "./own-query.ts";
import type { SetEntry, SetRow } from "./selection-rows.ts";
import { indexOfSession, openSession } from "./sessions.ts";
import { pageOfSet, type SetMember } from "./set-entries.ts";
import type { ListPlace } from "./shell-database.ts";

const NAME_MAX = 200;

export type SetAnswer =
  | ResourceSetResult
  | ({ sets: ResourceSetCard[] } & More)
  | { selectionId: string; deleted: true }
  | { queryId: string; deleted: true };

export async function resourceSetOps(call: FileCall, query: ResourceSetOps): Promise<FileAnswer<SetAnswer>> {
  switch (query.op) {
    case "create":
      return shown(call, "combine" in query ? await combined(call, query) : await gathered(call, query));
    case "list":
      return listed(call, query);
    case "get":
      return shown(call, await ownSet(call, query.selectionId), query.cursor);
    case "delete": {
      if (query.selectionId === undefined) return queryDelete(call, { queryId: query.queryId });
      const { set_id } = await ownSet(call, query.selectionId, "curate");
      await call.lens.selections.remove(set_id);
      return { answer: { selectionId: set_id, deleted: true } };
    }
    case "add":
    case "remove":
      return shown(call, await changed(call, query));
    default:
      throw new PdppError("invalid_request", `there is no op ${JSON.stringify((query as { op: unknown }).op)}`, {
        param: "op",
        next_step: "op must be one of create, list, get, delete, add, remove.",
      });
  }
}

type ListQuery = Omit<Extract<ResourceSetOps, { op: "list" }>, "op">;
type Create = Extract<ResourceSetOps, { op: "create" }>;

async function gathered(call: FileCall, query: Exclude<Create, { combine: unknown }>): Promise<SetRow> {
  const { nodeIds = [], name } = query;
  const indexId =
    query.indexId ??
    (nodeIds[0] === undefined
      ? (await indexOfSession(call, await openSession(call, query.sessionId)))?.indexId
      : indexIdOf(nodeIds[0]));
  if (indexId === undefined) {
    throw new PdppError("invalid_request", "a selection needs an index", {
      param: "indexId",
      next_step: "Pass indexId or nodeIds, or cd into a root first.",
    });
  }
  await call.index(indexId, "curate");
  const entries = await entriesOf(call, indexId, nodeIds);
  return call.lens.selections.create({ client: call.client, name: titleOf(name), indexId }, entries);
}

async function combined(call: FileCall, query: Extract<Create, { combine: unknown }>): Promise<SetRow> {
  const { combine, selectionIds, name } = query;
  if (!COMBINES.includes(combine)) {
    throw new PdppError("invalid_request", `combine cannot be ${JSON.stringify(combine)}`, {
      param: "combine",
      next_step: "combine must be union, intersection or difference.",
    });
  }
  if (selectionIds.length < 2 || selectionIds.length > SELECTION.combined) {
    throw new PdppError("invalid_request", `combine needs two to ${SELECTION.combined} selections`, {
      param: "selectionIds",
    });
  }
  const parts: SetRow[] = [];
  for (const selectionId of selectionIds) parts.push(await ownSet(call, selectionId, "curate"));
  const [{ index_id }] = parts as [SetRow, ...SetRow[]];
  const other = parts.find((part) => part.index_id !== index_id);
  if (other !== undefined) {
    throw new PdppError("invalid_request", `${other.set_id} belongs to the index ${other.index_id}, not ${index_id}`, {
      param: "selectionIds",
      next_step: "Combine selections of one index.",
    });
  }
  const set = { client: call.client, name: titleOf(name), indexId: index_id };
  return call.lens.selections.combine(set, combine, selectionIds);
}

async function changed(
  call: FileCall,
  { op, selectionId, nodeIds }: Extract<ResourceSetOps, { op: "add" | "remove" }>,
): Promise<SetRow> {
  const { store, now } = call.lens;
  const set = await ownSet(call, selectionId, "curate");
  if (op === "add") await store.addEntries(set.set_id, await entriesOf(call, set.index_id, nodeIds), now());
  else await store.removeEntries(set.set_id, nodeIds, now());
  return (await store.set(set.set_id)) ?? set;
}

export function titleOf(name: string | undefined): string {
  const title = (name ?? "").trim().slice(0, NAME_MAX);
  if (title !== "") return title;
  throw new PdppError("invalid_request", "a selection needs a name", { param: "name", next_step: "Pass name." });
}

/** A selection of another app, or of an index that is no longer open, is reported as if it did not exist. */
export async function ownSet(call: FileCall, selectionId: string, may?: "curate"): Promise<SetRow> {
  const set = await call.lens.store.set(selectionId);
  const isOpen =
    set !== undefined &&
    call.sees(set) &&
    isKept(call, set) &&
    (await call.roots()).some(({ indexIds }) => indexIds.includes(set.index_id));
  if (!isOpen) {
    throw new PdppError("not_found", `there is no selection ${JSON.stringify(selectionId.slice(0, 60))}`, {
      param: "selectionId",
      next_step: 'Call resource-set-ops({"op":"list"}) to see yours.',
    });
  }
  if (may !== undefined) await call.index(set.index_id, may);
  return set;
}

export async function entriesOf(call: FileCall, indexId: string, nodeIds: readonly string[]): Promise<SetEntry[]> {
  if (nodeIds.length > SELECTION.nodes) {
    throw new PdppError("resource_limit", `at most ${SELECTION.nodes} nodes can be added at a time`, {
      param: "nodeIds",
      next_step: "Add them in several calls, or select them with query-run.",
    });
  }
  const nodes = await call.lens.files.nodes(indexId, nodeIds);
  return nodes.map((node, at) => {
    if (node !== null) return { nodeId: node.nodeId, kind: node.kind, size: node.size };
    throw new PdppError("node_not_found", `${nodeIds[at]} no longer exists; nothing was added`, {
      param: "nodeIds",
      next_step: "List its directory again with cd, and omit this node.",
    });
  });
}

export async function shown(call: FileCall, set: SetRow, cursor?: string): Promise<FileAnswer<ResourceSetResult>> {
  const root = (await call.roots()).find(({ indexIds }) => indexIds.includes(set.index_id));
  const { totals, members, after } = await pageOfSet(call.lens, set, { limit: SHELL_SAMPLE_MAX, cursor });
  const card = cardOf(call, set, totals);
  const paths = distinguishingPaths(members);
  const answer = await fittedRows<ResourceSetResult>(
    members.length,
    ({ sample }) => sample,
    (count) => {
      const { nextCursor } = after(count);
      return {
        ...card,
        sample: members.slice(0, count).flatMap((member, at) => rowOf(call, set.index_id, member, paths[at])),
        ...(nextCursor === undefined
          ? {}
          : { nextCursor, nextPageUrl: links(call.caller.origin).entries(set.set_id, nextCursor) }),
      };
    },
  );
  return {
    ...(root === undefined ? {} : { connectionId: root.connectionId }),
    records: answer.sample.length,
    answer,
  };
}

async function listed(
  call: FileCall,
  { cursor, indexId, limit = SHELL_LIST_MAX, whole = false }: ListQuery,
): Promise<FileAnswer<{ sets: ResourceSetCard[] } & More>> {
  const pages = await call.lens.pages<ListPlace>(["sets", call.client, indexId ?? null]);
  const open = (await call.roots()).flatMap(({ indexIds }) => indexIds);
  const looked = indexId === undefined ? open : open.filter((one) => one === indexId);
  const rows = await call.lens.store.sets(call.client, looked, limit + 1, pages.from(cursor));
  const cards: ResourceSetCard[] = [];
  for (const set of rows.slice(0, limit)) cards.push(cardOf(call, set, (await call.lens.selections.look(set)).totals));
  const page = (count: number): { sets: ResourceSetCard[] } & More => {
    const last = rows[count - 1];
    const isMore = last !== undefined && rows.length > count;
    const { nextCursor } = pages.to(isMore ? [last.created_at, last.set_id] : undefined);
    return {
      sets: cards.slice(0, count),
      ...(nextCursor === undefined
        ? {}
        : { nextCursor, nextPageUrl: links(call.caller.origin).sets(nextCursor, indexId) }),
    };
  };
  return { records: 0, answer: whole ? page(limit) : await fittedCards(limit, ({ sets }) => sets, page) };
}

function cardOf(call: FileCall, { set_id, name, index_id }: SetRow, totals: GatheredTotals): ResourceSetCard {
  return {
    selectionId: set_id,
    name,
    indexId: index_id,
    ...cardTotals(totals),
    entriesUrl: links(call.caller.origin).entries(set_id),
  };
}

export const cardTotals = ({ files, dirs, missing, size }: GatheredTotals) => ({
  counts: { entries: files + dirs, files, dirs },
  totalSize: size,
  ...(missing === 0 ? {} : { missing }),
});

/** A deleted member has no row. The card shows how many are missing. */
export function rowOf(call: FileCall, indexId: string, member: SetMember, path: string | undefined): SampleRow[] {
  if ("missing" in member) return [];
  const { nodeId, name, size } = member;
  const link = links(call.caller.origin).node(indexId, nodeId);
  return [{ nodeId, name, ...(path === undefined ? {} : { path: shortTarget(path) }), size, link }];
}
