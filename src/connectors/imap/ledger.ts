// The known state of a mailbox: which message is in which folders, with which flags. Between runs it is stored as the
// cursor.
import { hash } from "node:crypto";
import type { MailIdentity } from "../../collect/importers/mail/survey.ts";

/** Flags that have their own fields in a record. */
export const FLAG = { seen: 1, flagged: 2, answered: 4, draft: 8, deleted: 16 } as const;
/** Set if an earlier message has the same Message-ID, so that this message's key has a mark. */
export const MARKED = 32;

export interface MailFolder {
  path: string;
  /** The folder as a label: with slashes, and without the prefix that all folders have on some servers. */
  label: string;
  uidValidity: string;
  uidNext: number;
  modseq?: string;
  /** The number of messages in the folder when it was last compared, or -1 if unreliable. */
  exists: number;
  places: Map<number, FolderMessage>;
}

export interface FolderMessage {
  folder: MailFolder;
  uid: number;
  flags: number;
  /** Keywords and Gmail labels, sorted. */
  labels: readonly string[];
  message: LedgerMessage;
  /** The size of the whole message. Known only if it was checked in this run. */
  bytes?: number;
  /** When the message arrived at the server, in seconds. Known only if it was checked in this run. */
  arrived?: number;
}

export interface LedgerMessage {
  /** Undefined if the message is so old that only its position is stored. */
  hash?: number;
  /** Distinguishes the message from others with the same Message-ID. */
  dateHash: number;
  marked: boolean;
  places: FolderMessage[];
  /** The key, which is stored only for the newest messages. */
  key?: string;
  /** When it arrived, in seconds. */
  at?: number;
  /** The folders and flags in the record of a changed message; "" for a new one. */
  was?: string;
}

export interface Ledger {
  folders: Map<string, MailFolder>;
  messages: Map<number, LedgerMessage[]>;
  /** Changed messages, until their record is written. */
  touched: Set<LedgerMessage>;
  since?: string;
  /** For junk and trash, the UID that the next message there will have. */
  aside: Map<string, number>;
}

export const newLedger = (): Ledger => ({
  folders: new Map(),
  messages: new Map(),
  touched: new Set(),
  aside: new Map(),
});

/** The facts in a message's headers. Bodies are fetched later. */
type HeaderIdentity = Pick<MailIdentity, "id" | "date">;

const idHash = (id: string): number => Number.parseInt(hash("sha1", id, "hex").slice(0, 12), 16);
const dateHash = (date: string): number => Number.parseInt(hash("sha1", date, "hex").slice(0, 4), 16);

/** The ledger stores which message has which key, so that no message replaces another. */
export const keyOf = ({ id, date }: HeaderIdentity, marked: boolean): string =>
  marked ? `${id}#${hash("sha256", date, "hex").slice(0, 12)}` : id;

export function addPlace(
  ledger: Ledger,
  folder: MailFolder,
  identity: HeaderIdentity,
  place: Pick<FolderMessage, "uid" | "flags" | "labels" | "bytes" | "arrived">,
): LedgerMessage {
  const message = messageFor(ledger, identity);
  touch(ledger, message);
  const added: FolderMessage = { ...place, folder, message };
  message.places.push(added);
  folder.places.set(place.uid, added);
  return message;
}

export const isIdentity = (message: LedgerMessage, { id, date }: HeaderIdentity): boolean =>
  message.hash === idHash(id) && message.dateHash === dateHash(date);

function messageFor(ledger: Ledger, { id, date }: HeaderIdentity): LedgerMessage {
  const own = idHash(id);
  const ownDate = dateHash(date);
  const variants = ledger.messages.get(own) ?? [];
  const known = variants.find((one) => one.dateHash === ownDate);
  if (known !== undefined) return known;
  const message: LedgerMessage = {
    hash: own,
    dateHash: ownDate,
    marked: variants.some(({ marked }) => !marked),
    places: [],
    was: "",
  };
  ledger.messages.set(own, [...variants, message]);
  return message;
}

export function removePlace(ledger: Ledger, { folder, uid, message }: FolderMessage): void {
  touch(ledger, message);
  folder.places.delete(uid);
  message.places = message.places.filter((one) => one.folder !== folder || one.uid !== uid);
}

export function changePlace(ledger: Ledger, place: FolderMessage, flags: number, labels: readonly string[]): void {
  touch(ledger, place.message);
  place.flags = flags;
  place.labels = labels;
}

function touch(ledger: Ledger, message: LedgerMessage): void {
  message.was ??= viewOf(message);
  ledger.touched.add(message);
}

/** Called once the message's record has been written or turned out not to be needed. */
export function settle(ledger: Ledger, message: LedgerMessage): void {
  delete message.was;
  ledger.touched.delete(message);
}

export function forget(ledger: Ledger, message: LedgerMessage): void {
  ledger.touched.delete(message);
  if (message.hash === undefined) return;
  const others = (ledger.messages.get(message.hash) ?? []).filter((one) => one !== message);
  if (others.length === 0) ledger.messages.delete(message.hash);
  else ledger.messages.set(message.hash, others);
}

/** Drops changes that were undone, and returns the rest: messages to write, and messages that are in no folder. */
export function changesIn(ledger: Ledger): { changed: LedgerMessage[]; gone: LedgerMessage[] } {
  const changed: LedgerMessage[] = [];
  const gone: LedgerMessage[] = [];
  for (const message of ledger.touched) {
    if (message.places.length === 0) gone.push(message);
    else if (message.was === viewOf(message)) settle(ledger, message);
    else changed.push(message);
  }
  return { changed, gone };
}

const viewOf = (message: LedgerMessage): string => JSON.stringify([labelsOf(message), flagsOf(message)]);

/** Folders first, with the inbox at the top, then keywords. */
export function labelsOf({ places }: LedgerMessage): string[] {
  const folders = places.map(({ folder }) => folder.label).sort(inboxFirst);
  const labels = places.flatMap((place) => place.labels).sort();
  return [...new Set([...folders, ...labels])].filter((label) => label !== "");
}

/**
 * The copy from which the record is written: the one that arrived first. Anyone who knows the Message-ID and date of a
 * message can send another message with the same ones, but it cannot arrive earlier.
 */
export const firstCopy = ({ places }: LedgerMessage): FolderMessage =>
  places.toSorted(
    (one, other) => (one.arrived ?? 0) - (other.arrived ?? 0) || inboxFirst(one.folder.label, other.folder.label),
  )[0]!;

export const inboxFirst = (one: string, other: string): number => {
  const inbox = Number(other.toUpperCase() === "INBOX") - Number(one.toUpperCase() === "INBOX");
  return inbox !== 0 ? inbox : one < other ? -1 : Number(one > other);
};

/**
 * Copies may differ: the message counts as read if any copy was read, but as deleted only if every copy was deleted.
 */
export function flagsOf({ places }: LedgerMessage): number {
  let any = 0;
  let all = ~0;
  for (const { flags } of places) {
    any |= flags;
    all &= flags;
  }
  return (any & ~FLAG.deleted) | (all & FLAG.deleted);
}
