// What is in a selection, page by page, with what the index says of it now; and changing it in one go.
import type { ResourceSetResult } from "../../contract/file-shell.ts";
import type { FileNode, NodeKind } from "../../contract/files.ts";
import type { FileAnswer, FileCall } from "./file-call.ts";
import type { SetRow } from "./selection-rows.ts";
import { entriesOf, ownSet, shown, titleOf } from "./selections.ts";

/** Of what is gone only that is known which it had when it was added. */
export type SetMember = FileNode | { nodeId: string; kind: NodeKind; size: number; missing: true };

export interface SetPage {
  set: SetRow;
  members: SetMember[];
  nextCursor?: string;
}

export async function setEntries(
  call: FileCall,
  { selectionId, limit, cursor }: { selectionId: string; limit: number; cursor?: string },
): Promise<SetPage> {
  const { files, store } = call.lens;
  const set = await ownSet(call, selectionId);
  const pages = await call.lens.pages(["set-entries", set.set_id]);
  const rows = await store.entries(set.set_id, limit + 1, pages.from(cursor));
  const page = rows.slice(0, limit);
  const nodes = await files.nodes(
    set.index_id,
    page.map(({ nodeId }) => nodeId),
  );
  return {
    set,
    members: page.map((entry, at) => nodes[at] ?? { ...entry, missing: true }),
    ...pages.to(rows.length > limit ? page.at(-1)!.nodeId : undefined),
  };
}

export interface SetChange {
  selectionId: string;
  add?: readonly string[];
  remove?: readonly string[];
  name?: string;
}

/** What is both added and removed is not in it afterwards. */
export async function changeSet(call: FileCall, change: SetChange): Promise<FileAnswer<ResourceSetResult>> {
  const { selectionId, add = [], remove = [], name } = change;
  const { store, now } = call.lens;
  const set = await ownSet(call, selectionId, "curate");
  const title = name === undefined ? set.name : titleOf(name);
  await store.changeSet(set, { add: await entriesOf(call, set.index_id, add), remove, name: title }, now());
  return shown(call, { ...set, name: title });
}
