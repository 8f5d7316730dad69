// Reads a selection's entries page by page, in their current state, and changes them in one step.
import type { ResourceSetResult } from "../../contract/file-shell.ts";
import type { FileNode } from "../../contract/files.ts";
import type { GatheredTotals } from "../read/gathered.ts";
import type { FileAnswer, FileCall } from "./file-call.ts";
import type { FilesLens } from "./lens.ts";
import type { EntryPosition, SetEntry, SetRow } from "./selection-rows.ts";
import { entriesOf, ownSet, shown, titleOf } from "./selections.ts";

/** For deleted entries we have only what was recorded when they were added. */
export type SetMember = FileNode | (SetEntry & { missing: true });

export interface SetPage {
  totals: GatheredTotals;
  members: SetMember[];
  /** Returns the cursor after this many members, or an empty object at the end. */
  after(count: number): { nextCursor?: string };
}

/** Largest first. The caller must be allowed to see the selection. */
export async function pageOfSet(
  lens: FilesLens,
  set: SetRow,
  { limit, cursor }: { limit: number; cursor?: string },
): Promise<SetPage> {
  const pages = await lens.pages<EntryPosition>(["set-entries", set.set_id]);
  const rows = await lens.store.entries(set.set_id, limit + 1, pages.from(cursor));
  const page = rows.slice(0, limit);
  const { totals, nodes } = await lens.selections.look(
    set,
    page.map(({ nodeId }) => nodeId),
  );
  return {
    totals,
    members: page.map((entry, at) => nodes[at] ?? { ...entry, missing: true }),
    after(count) {
      const last = page[count - 1];
      return pages.to(last === undefined || rows.length <= count ? undefined : [last.size, last.nodeId]);
    },
  };
}

export async function setEntries(
  call: FileCall,
  { selectionId, limit, cursor }: { selectionId: string; limit: number; cursor?: string },
): Promise<{ set: SetRow; totals: GatheredTotals; members: SetMember[]; nextCursor?: string }> {
  const set = await ownSet(call, selectionId);
  const { totals, members, after } = await pageOfSet(call.lens, set, { limit, cursor });
  return { set, totals, members, ...after(members.length) };
}

export interface SetChange {
  selectionId: string;
  add?: readonly string[];
  remove?: readonly string[];
  name?: string;
}

/** A node that is both added and removed is removed. */
export async function changeSet(call: FileCall, change: SetChange): Promise<FileAnswer<ResourceSetResult>> {
  const { selectionId, add = [], remove = [], name } = change;
  const { store, now } = call.lens;
  const set = await ownSet(call, selectionId, "curate");
  const title = name === undefined ? set.name : titleOf(name);
  await store.changeSet(set, { add: await entriesOf(call, set.index_id, add), remove, name: title }, now());
  return shown(call, (await store.set(set.set_id)) ?? set);
}
