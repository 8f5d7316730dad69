// Where calendars and address books differ: names on the wire, and how an item becomes records.
import type { MakeId } from "../../collect/record-ids.ts";
import type { JsonObject } from "../../contract/json.ts";

interface DavItem {
  /** Its address on the server, for people who look for it. */
  href: string;
  text: string;
  /** Name of its collection. */
  collection: string;
}

export interface ItemRecord {
  stream: string;
  key: string;
  /** The key can be computed from this: it is stored in the cursor, for the day the record is deleted. */
  mark: string;
  data: JsonObject;
}

interface ReadItem {
  records: ItemRecord[];
  /** Reasons why parts of it were skipped. */
  skipped: string[];
}

interface ItemContext {
  makeId: MakeId;
  now: Date;
}

export interface DavKind {
  /** The path below /.well-known/. */
  wellKnown: "caldav" | "carddav";
  /** In words: "calendar", "address book". */
  noun: { one: string; many: string };
  /** The setting that names collections. */
  setting: string;
  homeSet: string;
  collectionType: string;
  multiget: string;
  data: string;
  /** Each with its time field. */
  streams: readonly { name: string; timeField: string }[];
  /** Another value means that all items have to be read again. */
  edition(now: Date): string;
  keyOf(mark: string, makeId: MakeId): string;
  read(item: DavItem, context: ItemContext): Promise<ReadItem>;
}
