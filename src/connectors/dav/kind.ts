// The differences between calendars and address books: names on the wire, and how an item becomes records.
import type { MakeId } from "../../collect/record-ids.ts";
import type { JsonObject } from "../../contract/json.ts";

interface DavItem {
  /** The item's address on the server, for people who search for it. */
  href: string;
  text: string;
  /** The name of the item's collection. */
  collection: string;
}

export interface ItemRecord {
  stream: string;
  key: string;
  /** The key can be computed from the mark, which is stored in the cursor in case the record is deleted later. */
  mark: string;
  data: JsonObject;
}

interface ReadItem {
  records: ItemRecord[];
  /** Why parts of the item were skipped. */
  skipped: string[];
}

interface ItemContext {
  makeId: MakeId;
  now: Date;
}

export interface DavKind {
  /** The path below /.well-known/. */
  wellKnown: "caldav" | "carddav";
  /** For display: "calendar", "address book". */
  noun: { one: string; many: string };
  /** The setting that lists collections. */
  setting: string;
  homeSet: string;
  collectionType: string;
  multiget: string;
  data: string;
  /** The streams, each with its time field. */
  streams: readonly { name: string; timeField: string }[];
  /** If this value changes, all items have to be read again. */
  edition(now: Date): string;
  keyOf(mark: string, makeId: MakeId): string;
  read(item: DavItem, context: ItemContext): Promise<ReadItem>;
}
