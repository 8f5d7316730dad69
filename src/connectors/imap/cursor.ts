// Converts the ledger to a cursor and back: folders in plain text, and the message table packed into a few bytes per
// message.
import { deflateSync, inflateSync } from "node:zlib";
import type { JsonObject, JsonValue } from "../../contract/json.ts";
import { isObject } from "../common/channel.ts";
import { type FolderMessage, type Ledger, type LedgerMessage, MARKED, type MailFolder, newLedger } from "./ledger.ts";
import { createReader, createWriter, type VarintReader } from "./varint.ts";

const VERSION = 1;
/** 48 bits from the Message-ID and 16 from the date. Hashes do not compress. */
const HASH_BYTES = 8;
/**
 * The maximum number of messages whose hash is in the cursor, so that it stays within 1 MB. For older messages it
 * contains only the position.
 */
export const HASHED_MAX = 60_000;
/** The target size of hashes and keys together, before base64, so that 10,000 messages stay below 200 KB. */
const PACKED_BYTES = 140_000;
const KEY_BYTES = 45;
const KEYS_MIN = 1000;
/** Longer keys are not stored. */
const KEY_LENGTH_MAX = 300;

/** Changed messages that have not been written yet are omitted, so that the next run treats them as new. */
export function cursorOf(ledger: Ledger): JsonObject {
  const folders = [...ledger.folders.values()];
  const lists = folders.map(({ places }) =>
    [...places.values()]
      .filter(({ message }) => !ledger.touched.has(message))
      .sort((one, other) => one.uid - other.uid),
  );
  return {
    version: VERSION,
    ...(ledger.since === undefined ? {} : { since: ledger.since }),
    folders: Object.fromEntries(
      folders.map((folder, index) => [folder.path, folderCursor(folder, lists[index]!.length === folder.places.size)]),
    ),
    ...(ledger.aside.size === 0 ? {} : { aside: Object.fromEntries(ledger.aside) }),
    messages: deflateSync(packed(lists)).toString("base64"),
  };
}

const folderCursor = ({ label, uidValidity, uidNext, modseq, exists }: MailFolder, complete: boolean): JsonObject => ({
  label,
  uidvalidity: uidValidity,
  uidnext: uidNext,
  ...(modseq === undefined ? {} : { highestmodseq: modseq }),
  exists: complete ? exists : -1,
});

function packed(lists: readonly FolderMessage[][]): Buffer {
  const writer = createWriter();
  const sets = new Map<string, number>();
  for (const { labels } of lists.flat()) {
    const text = JSON.stringify(labels);
    if (!sets.has(text)) sets.set(text, sets.size);
  }
  writer.text(`[${[...sets.keys()].join(",")}]`);
  const total = lists.reduce((sum, { length }) => sum + length, 0);
  const share = Math.min(1, HASHED_MAX / Math.max(1, total));
  for (const list of lists) {
    // The oldest messages come first.
    const nameless = Math.max(
      list.length - Math.floor(list.length * share),
      list.findLastIndex(({ message }) => message.hash === undefined) + 1,
    );
    writer.number(list.length);
    writer.number(nameless);
    let last = 0;
    for (const { uid } of list) {
      writer.number(uid - last);
      last = uid;
    }
    for (const { flags, message } of list) writer.byte(flags | (message.marked ? MARKED : 0));
    for (const { labels } of list) writer.number(sets.get(JSON.stringify(labels))!);
    for (const { message } of list.slice(nameless)) {
      writer.fixed(message.hash!, HASH_BYTES - 2);
      writer.fixed(message.dateHash, 2);
    }
  }
  writeKeys(writer, lists.flat(), total);
  return writer.bytes();
}

/** Stores the keys of the newest messages, because people mostly delete those. A full refresh finds the others. */
function writeKeys(writer: ReturnType<typeof createWriter>, places: readonly FolderMessage[], total: number): void {
  const max = Math.max(KEYS_MIN, Math.floor((PACKED_BYTES - total * (HASH_BYTES + 1)) / KEY_BYTES));
  const ordinals = new Map<LedgerMessage, number>();
  for (const [ordinal, { message }] of places.entries())
    if (message.key !== undefined && message.key.length <= KEY_LENGTH_MAX && !ordinals.has(message))
      ordinals.set(message, ordinal);
  const kept = [...ordinals].sort(([one], [other]) => (other.at ?? 0) - (one.at ?? 0)).slice(0, max);
  writer.number(kept.length);
  for (const [{ key, at }, ordinal] of kept) {
    writer.number(ordinal);
    writer.number(Math.max(0, at ?? 0));
    writer.text(key!);
  }
}

/** A cursor that cannot be parsed is ignored. The mailbox is then read again, without duplicates. */
export function ledgerFrom(cursor: JsonValue | undefined): Ledger {
  if (!isObject(cursor) || cursor.version !== VERSION) return newLedger();
  try {
    return unpacked(cursor);
  } catch {
    return newLedger();
  }
}

function unpacked(cursor: JsonObject): Ledger {
  const ledger = newLedger();
  if (typeof cursor.since === "string") ledger.since = cursor.since;
  for (const [path, uidNext] of Object.entries((cursor.aside ?? {}) as JsonObject))
    ledger.aside.set(path, Number(uidNext));
  const reader = createReader(inflateSync(Buffer.from(String(cursor.messages), "base64")));
  const sets = JSON.parse(reader.text()) as string[][];
  const places: FolderMessage[] = [];
  for (const [path, value] of Object.entries(cursor.folders as JsonObject)) {
    const folder = folderFrom(path, value as JsonObject);
    ledger.folders.set(path, folder);
    readPlaces(reader, ledger, folder, sets, places);
  }
  for (let left = reader.number(); left > 0; left--) {
    const { message } = places[reader.number()]!;
    message.at = reader.number();
    message.key = reader.text();
  }
  return ledger;
}

const folderFrom = (path: string, value: JsonObject): MailFolder => ({
  path,
  label: String(value.label),
  uidValidity: String(value.uidvalidity),
  uidNext: Number(value.uidnext),
  ...(value.highestmodseq === undefined ? {} : { modseq: String(value.highestmodseq) }),
  exists: Number(value.exists),
  places: new Map(),
});

function readPlaces(
  reader: VarintReader,
  ledger: Ledger,
  folder: MailFolder,
  sets: string[][],
  places: FolderMessage[],
): void {
  const length = reader.number();
  const nameless = reader.number();
  const uids: number[] = [];
  for (let at = 0; at < length; at++) uids.push((uids.at(-1) ?? 0) + reader.number());
  const bits = uids.map(() => reader.byte());
  const labels = uids.map(() => sets[reader.number()]!);
  for (const [at, uid] of uids.entries()) {
    const marked = (bits[at]! & MARKED) !== 0;
    const message =
      at < nameless
        ? { dateHash: 0, marked, places: [] }
        : messageAt(ledger, reader.fixed(HASH_BYTES - 2), reader.fixed(2), marked);
    const place: FolderMessage = { folder, uid, flags: bits[at]! & ~MARKED, labels: labels[at]!, message };
    message.places.push(place);
    folder.places.set(uid, place);
    places.push(place);
  }
}

function messageAt(ledger: Ledger, hash: number, dateHash: number, marked: boolean): LedgerMessage {
  const variants = ledger.messages.get(hash) ?? [];
  const known = variants.find((one) => one.dateHash === dateHash);
  if (known !== undefined) return known;
  const message: LedgerMessage = { hash, dateHash, marked, places: [] };
  ledger.messages.set(hash, [...variants, message]);
  return message;
}
