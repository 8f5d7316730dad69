// Selections: named bags of nodes of one index, gathered by hand, by queries, or out of one another.
import { randomBytes } from "node:crypto";
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
import type { FileNode } from "../../contract/files.ts";
import type { FileCall, Told } from "./file-call.ts";
import { links } from "./links.ts";
import { indexIdOf } from "./navigate.ts";
import { openSession } from "./sessions.ts";
import type { SetEntry, SetRow } from "./shell-store.ts";

const LIMIT = { sets: 1000, combined: 20, nodes: 1000, name: 200 } as const;

export type SetAnswer =
  | ResourceSetResult
  | ({ sets: ResourceSetCard[] } & More)
  | { selectionId: string; deleted: true };

export async function resourceSetOps(call: FileCall, query: ResourceSetOps): Promise<Told<SetAnswer>> {
  switch (query.op) {
    case "create":
      return shown(call, "combine" in query ? await combined(call, query) : await gathered(call, query));
    case "list":
      return listed(call, query);
    case "get":
      return shown(call, await ownSet(call, query.selectionId));
    case "delete": {
      const { set_id } = await ownSet(call, query.selectionId, "curate");
      call.lens.store.deleteSet(set_id);
      return { answer: { selectionId: set_id, deleted: true } };
    }
    case "add":
    case "remove":
      return shown(call, await changed(call, query));
    default:
      throw new PdppError("invalid_request", `there is no op ${JSON.stringify((query as { op: unknown }).op)}`, {
        param: "op",
        next_step: "op is one of create, list, get, delete, add, remove.",
      });
  }
}

type Create = Extract<ResourceSetOps, { op: "create" }>;

async function gathered(call: FileCall, query: Exclude<Create, { combine: unknown }>): Promise<SetRow> {
  const { nodeIds = [], name } = query;
  const indexId =
    query.indexId ??
    (nodeIds[0] === undefined ? openSession(call, query.sessionId).index_id : indexIdOf(nodeIds[0])) ??
    undefined;
  if (indexId === undefined) {
    throw new PdppError("invalid_request", "a selection belongs to an index, and none is named", {
      param: "indexId",
      next_step: "Pass indexId or nodeIds, or cd into a root first.",
    });
  }
  await call.index(indexId, "curate");
  const entries = await entriesOf(call, indexId, nodeIds);
  const set = newSet(call, name, indexId);
  call.lens.store.addEntries(set.set_id, entries, set.created_at);
  return set;
}

async function combined(call: FileCall, query: Extract<Create, { combine: unknown }>): Promise<SetRow> {
  const { combine, selectionIds, name } = query;
  if (!["union", "intersection", "difference"].includes(combine)) {
    throw new PdppError("invalid_request", `there is no way to combine called ${JSON.stringify(combine)}`, {
      param: "combine",
      next_step: "combine is union, intersection or difference.",
    });
  }
  if (selectionIds.length < 2 || selectionIds.length > LIMIT.combined) {
    throw new PdppError("invalid_request", `two to ${LIMIT.combined} selections are combined`, {
      param: "selectionIds",
    });
  }
  const parts: SetRow[] = [];
  for (const selectionId of selectionIds) parts.push(await ownSet(call, selectionId, "curate"));
  const [{ index_id }] = parts as [SetRow, ...SetRow[]];
  const other = parts.find((part) => part.index_id !== index_id);
  if (other !== undefined) {
    throw new PdppError("invalid_request", `${other.set_id} is of the index ${other.index_id}, not of ${index_id}`, {
      param: "selectionIds",
      next_step: "Combine selections of one index.",
    });
  }
  const set = newSet(call, name, index_id);
  call.lens.store.combine(set.set_id, combine, selectionIds, set.created_at);
  return set;
}

async function changed(
  call: FileCall,
  { op, selectionId, nodeIds }: Extract<ResourceSetOps, { op: "add" | "remove" }>,
): Promise<SetRow> {
  const { store, now } = call.lens;
  const set = await ownSet(call, selectionId, "curate");
  if (op === "add") store.addEntries(set.set_id, await entriesOf(call, set.index_id, nodeIds), now());
  else store.removeEntries(set.set_id, nodeIds, now());
  return set;
}

export function newSet({ lens: { store, now }, client }: FileCall, name: string, indexId: string): SetRow {
  if (store.countSets(client) >= LIMIT.sets) {
    throw new PdppError("resource_limit", `there are ${LIMIT.sets} selections already`, {
      next_step: 'Delete some: resource-set-ops({"op":"delete","selectionId":"…"}).',
    });
  }
  const set = {
    set_id: `sel_${randomBytes(9).toString("base64url")}`,
    client,
    name: titleOf(name),
    index_id: indexId,
    created_at: now(),
    updated_at: now(),
  };
  store.putSet(set);
  return set;
}

export function titleOf(name: string | undefined): string {
  const title = (name ?? "").trim().slice(0, LIMIT.name);
  if (title !== "") return title;
  throw new PdppError("invalid_request", "a selection has a name", { param: "name", next_step: "Pass name." });
}

/** That of another client, or of an index that is not open any more, is answered as one that does not exist. */
export async function ownSet(call: FileCall, selectionId: string, may?: "curate"): Promise<SetRow> {
  const set = call.lens.store.set(selectionId);
  const isOpen =
    set?.client === call.client && (await call.roots()).some(({ indexIds }) => indexIds.includes(set.index_id));
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
  if (nodeIds.length > LIMIT.nodes) {
    throw new PdppError("resource_limit", `at most ${LIMIT.nodes} nodes at a time`, {
      param: "nodeIds",
      next_step: "Add them in several calls, or select them by a query: query-run.",
    });
  }
  const nodes = await call.lens.files.nodes(indexId, nodeIds);
  return nodes.map((node, at) => {
    if (node !== null) return { nodeId: node.nodeId, kind: node.kind, size: node.size };
    throw new PdppError("node_not_found", `${nodeIds[at]} is not there any more; nothing was added`, {
      param: "nodeIds",
      next_step: "List its directory again with cd, and leave it out.",
    });
  });
}

export async function shown(call: FileCall, set: SetRow): Promise<Told<ResourceSetResult>> {
  const root = (await call.roots()).find(({ indexIds }) => indexIds.includes(set.index_id));
  const sample = await sampleOf(call, set);
  return {
    ...(root === undefined ? {} : { connectionId: root.connectionId }),
    records: sample.length,
    answer: { ...cardOf(call, set), sample },
  };
}

async function listed(
  call: FileCall,
  { cursor, indexId, limit = SHELL_LIST_MAX }: { cursor?: string; indexId?: string; limit?: number },
): Promise<Told<{ sets: ResourceSetCard[] } & More>> {
  const { store } = call.lens;
  const after = cursor === undefined ? undefined : store.set(cursor);
  if (cursor !== undefined && after?.client !== call.client)
    throw new PdppError("invalid_cursor", "this cursor is of another list", { param: "cursor" });
  const open = new Set((await call.roots()).flatMap(({ indexIds }) => indexIds));
  const rows = store.sets(call.client, limit + 1, after);
  const page = rows.slice(0, limit);
  const next = rows.length > page.length ? page.at(-1)!.set_id : undefined;
  const shownHere = page.filter((set) => open.has(set.index_id) && [undefined, set.index_id].includes(indexId));
  return {
    records: 0,
    answer: {
      sets: shownHere.map((set) => cardOf(call, set)),
      ...(next === undefined ? {} : { nextCursor: next, nextPageUrl: links(call.caller.origin).sets(next) }),
    },
  };
}

function cardOf(call: FileCall, { set_id, name, index_id }: SetRow): ResourceSetCard {
  const { size, ...counts } = call.lens.store.totals(set_id);
  return {
    selectionId: set_id,
    name,
    indexId: index_id,
    counts,
    totalSize: size,
    entriesUrl: links(call.caller.origin).entries(set_id),
  };
}

/** The largest few. */
async function sampleOf(call: FileCall, { set_id, index_id }: SetRow): Promise<SampleRow[]> {
  const entries = call.lens.store.largest(set_id, SHELL_SAMPLE_MAX);
  const nodes = await call.lens.files.nodes(
    index_id,
    entries.map(({ nodeId }) => nodeId),
  );
  return nodes.flatMap((node) => (node === null ? [] : [rowOf(call, index_id, node)]));
}

export const rowOf = (call: FileCall, indexId: string, { nodeId, name, size }: FileNode): SampleRow => ({
  nodeId,
  name,
  size,
  link: links(call.caller.origin).node(indexId, nodeId),
});
