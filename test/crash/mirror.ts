// A client that keeps a copy by reading changes_since. The copy must end up equal to the listing, without losses or
// duplicates.
import type { RecordList } from "../../src/contract/answers.ts";
import type { Item } from "./model.ts";
import type { Session } from "./operations.ts";
import { STREAM } from "./world.ts";

export interface Mirror {
  items: Map<string, Item>;
  since: string;
}

export const newMirror = (): Mirror => ({ items: new Map(), since: "beginning" });

/** Reads the feed to its end. An interrupted session restarts from the last complete one. */
export async function catchUp(mirror: Mirror, { ask }: Pick<Session, "ask">): Promise<void> {
  const items = new Map(mirror.items);
  const met = new Set<string>();
  let cursor = "";
  for (;;) {
    const query = `changes_since=${mirror.since}&limit=100${cursor}`;
    const { status, body } = await ask(`/v1/streams/${STREAM}/records?${query}`, { read: true });
    if (status !== 200) throw new Error(`the feed returned ${status}: ${body}`);
    const page = JSON.parse(body) as RecordList;
    for (const change of page.data) {
      if (met.has(change.id)) throw new Error(`${change.id} occurs twice in one session of the feed`);
      met.add(change.id);
      if ("deleted" in change) items.delete(change.id);
      else {
        const data = withoutLinks(change.data as unknown as Item);
        if (items.get(change.id)?.revision === data.revision) throw new Error(`${change.id} was sent again unchanged`);
        items.set(change.id, data);
      }
    }
    if (page.has_more) cursor = `&cursor=${page.next_cursor}`;
    else {
      mirror.items = items;
      mirror.since = page.next_changes_since!;
      return;
    }
  }
}

/** Returns the record as it was written, without the fields that a read adds. */
export function withoutLinks({ picture, ...item }: Item): Item {
  if (picture === undefined) return item;
  const { fetch_url: _url, ...kept } = picture as typeof picture & { fetch_url?: string };
  return { ...item, picture: kept };
}
