// The account as the last run saw it: collections, their items with etags, and the records of each item. Converts it to
// a cursor and back.
import { deflateSync, inflateSync } from "node:zlib";
import type { JsonObject, JsonValue } from "../../contract/json.ts";
import { isObject } from "../common/channel.ts";

const VERSION = 1;

/** A record of an item: its stream, and the mark from which its key is computed. */
export type RecordMark = readonly [stream: string, mark: string];

interface KnownItem {
  etag: string;
  marks: RecordMark[];
}

export interface KnownCollection {
  name: string;
  ctag?: string;
  syncToken?: string;
  items: Map<string, KnownItem>;
}

export interface DavLedger {
  /** How items were read. See DavKind. */
  edition: string;
  /** Keyed by address. */
  collections: Map<string, KnownCollection>;
}

export const newLedger = (): DavLedger => ({ edition: "", collections: new Map() });

/** Items are compressed: the occurrences of a series are similar, and shrink to a few bytes each. */
export function cursorOf({ edition, collections }: DavLedger): JsonObject {
  return {
    version: VERSION,
    edition,
    collections: Object.fromEntries(
      [...collections].map(([address, { name, ctag, syncToken, items }]) => [
        address,
        {
          name,
          ...(ctag === undefined ? {} : { ctag }),
          ...(syncToken === undefined ? {} : { sync_token: syncToken }),
          items: deflateSync(JSON.stringify([...items].map(([href, { etag, marks }]) => [href, etag, marks]))).toString(
            "base64",
          ),
        },
      ]),
    ),
  };
}

/** A cursor that cannot be parsed is ignored. Everything is then read again, without duplicates. */
export function ledgerFrom(cursor: JsonValue | undefined): DavLedger {
  if (!isObject(cursor) || cursor.version !== VERSION) return newLedger();
  try {
    const collections = Object.entries(cursor.collections as JsonObject).map(
      ([address, value]): [string, KnownCollection] => {
        const { name, ctag, sync_token, items } = value as Record<string, string | undefined>;
        const rows = JSON.parse(inflateSync(Buffer.from(items!, "base64")).toString("utf8")) as [
          string,
          string,
          RecordMark[],
        ][];
        return [
          address,
          {
            name: name!,
            ...(ctag === undefined ? {} : { ctag }),
            ...(sync_token === undefined ? {} : { syncToken: sync_token }),
            items: new Map(rows.map(([href, etag, marks]) => [href, { etag, marks }])),
          },
        ];
      },
    );
    return { edition: String(cursor.edition), collections: new Map(collections) };
  } catch {
    return newLedger();
  }
}
