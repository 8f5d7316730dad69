// One pass over the mailbox: compares every folder, reports deletions, and writes what is new or changed. After an
// interruption it starts again with the same ledger and continues where it stopped.
import type { FetchMessageObject } from "imapflow";
import { identityOf } from "../../collect/importers/mail/survey.ts";
import type { MakeId } from "../../collect/record-ids.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { CollectScope } from "../common/scope.ts";
import { cursorOf } from "./cursor.ts";
import { isRefusal } from "./failure.ts";
import { type Choice, chooseFolders } from "./folders.ts";
import {
  changesIn,
  type FolderMessage,
  firstCopy,
  forget,
  inboxFirst,
  isIdentity,
  keyOf,
  type Ledger,
  type LedgerMessage,
  type MailFolder,
  removePlace,
  settle,
} from "./ledger.ts";
import { BATCH, MESSAGE_BYTES_MAX } from "./limits.ts";
import { recordOf } from "./record.ts";
import { arrivalOf, identitiesIn, scanFolder } from "./scan.ts";
import type { Session } from "./session.ts";
import { uidRanges } from "./uid-ranges.ts";

export const STREAM = "messages";

/** State that outlives a connection. */
export interface CollectWork {
  ledger: Ledger;
  scope: CollectScope;
  folders: readonly string[];
  since?: string;
  send: (message: JsonObject) => Promise<void>;
  /** Returns the total number of records so far. */
  records: () => number;
  /** Messages that the server failed to return. Another run may succeed. */
  refused: Set<LedgerMessage>;
  /** The number of records since the last cursor. */
  sinceState: number;
  /**
   * The same for every record of this run, because an individual time would reveal how much was read before the record.
   */
  emittedAt: string;
  makeId: MakeId;
}

export async function collectMailbox(session: Session, work: CollectWork): Promise<void> {
  const { ledger } = work;
  const choice = await chooseFolders(session.client, work.folders, session.gmail);
  for (const name of choice.missing) await skip(work, { folder: name }, `there is no folder ${JSON.stringify(name)}`);
  removeMissingFolders(ledger, choice);
  for (const chosen of choice.chosen) {
    const look = (message: string): Promise<void> =>
      work.send({ type: "PROGRESS", stream: STREAM, message: `${chosen.label || chosen.path}: ${message}` });
    await look("looking for new messages");
    try {
      await scanFolder(session, ledger, chosen, { since: work.since, look });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      await skip(work, { folder: chosen.label }, `the server refuses to open ${JSON.stringify(chosen.path)}`);
    }
  }
  if (work.since === undefined) delete ledger.since;
  else ledger.since = work.since;
  await reportDeleted(session, work, choice.aside);
  await writeChanged(session, work);
  await sendState(work);
}

/** Messages in folders that no longer exist are deleted; those in folders that the owner no longer wants are kept. */
function removeMissingFolders(ledger: Ledger, { chosen, present }: Choice): void {
  for (const [path, folder] of ledger.folders) {
    if (chosen.some((one) => one.path === path)) continue;
    for (const place of [...folder.places.values()]) {
      removePlace(ledger, place);
      if (present.has(path) && place.message.places.length === 0) forget(ledger, place.message);
    }
    ledger.folders.delete(path);
  }
}

async function reportDeleted({ client }: Session, work: CollectWork, aside: readonly string[]): Promise<void> {
  const { ledger } = work;
  const { gone } = changesIn(ledger);
  const nameless = new Set(gone.filter(({ key }) => key === undefined));
  for (const path of aside) {
    try {
      const from = ledger.aside.get(path);
      if (from === undefined || nameless.size === 0) {
        const status = await client.status(path, { uidNext: true });
        if (status && status.uidNext !== undefined) ledger.aside.set(path, status.uidNext);
        continue;
      }
      const { ids, uidNext } = await identitiesIn(client, path, from);
      ledger.aside.set(path, uidNext);
      for (const identity of ids) {
        const message = [...nameless].find((one) => isIdentity(one, identity));
        if (message === undefined) continue;
        message.key = keyOf(identity, message.marked);
        nameless.delete(message);
      }
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
  }
  for (const message of gone) {
    // A message that was never written needs no deletion.
    const id = message.key === undefined ? undefined : work.makeId(message.key);
    if (id !== undefined && message.was !== "" && work.scope.hasKey(id))
      await work.send({
        type: "RECORD",
        stream: STREAM,
        key: id,
        data: { id },
        emitted_at: work.emittedAt,
        op: "delete",
      });
    forget(ledger, message);
  }
  if (nameless.size > 0)
    await work.send({
      type: "DETAIL_GAP",
      stream: STREAM,
      count: nameless.size,
      reason: `older messages that were deleted on the server are kept here, because their keys are no longer known: ${nameless.size}`,
    });
}

async function writeChanged(session: Session, work: CollectWork): Promise<void> {
  await findArrivals(session, work);
  const total = work.records() + changesIn(work.ledger).changed.length;
  for (let byFolder = nextFetches(work); byFolder.size > 0; byFolder = nextFetches(work)) {
    for (const [folder, places] of byFolder) {
      await session.client.mailboxOpen(folder.path, { readOnly: true });
      await measure(session, places);
      for (const batch of batchesOf(places)) {
        await writeBatch(session, work, batch);
        await checkpoint(work, `${folder.label || folder.path}`, total);
      }
    }
  }
}

/** Determines, by folder, where to fetch each message that has to be written. */
function nextFetches({ ledger, refused }: CollectWork): Map<MailFolder, FolderMessage[]> {
  const places = changesIn(ledger)
    .changed.filter((message) => !refused.has(message))
    .map(firstCopy)
    .sort((one, other) => inboxFirst(one.folder.label, other.folder.label) || one.uid - other.uid);
  return Map.groupBy(places, ({ folder }) => folder);
}

/**
 * Finds when each copy of a message with several copies arrived, because copies from before this run were not checked.
 */
async function findArrivals({ client }: Session, { ledger }: CollectWork): Promise<void> {
  const unknown = changesIn(ledger)
    .changed.filter(({ places }) => places.length > 1)
    .flatMap(({ places }) => places.filter(({ arrived }) => arrived === undefined));
  for (const [folder, places] of Map.groupBy(unknown, (place) => place.folder)) {
    const byUid = new Map(places.map((place) => [place.uid, place]));
    try {
      await client.mailboxOpen(folder.path, { readOnly: true });
      const range = uidRanges([...byUid.keys()]);
      for await (const found of client.fetch(range, { uid: true, internalDate: true }, { uid: true })) {
        const place = byUid.get(found.uid);
        if (place !== undefined) place.arrived = arrivalOf(found);
      }
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
  }
}

/** Finds the sizes of messages that were known before this run. */
async function measure({ client }: Session, places: readonly FolderMessage[]): Promise<void> {
  const unknown = new Map(places.filter(({ bytes }) => bytes === undefined).map((place) => [place.uid, place]));
  if (unknown.size === 0) return;
  for await (const { uid, size } of client.fetch(
    uidRanges([...unknown.keys()]),
    { uid: true, size: true },
    { uid: true },
  )) {
    const place = unknown.get(uid);
    if (place !== undefined && size !== undefined) place.bytes = size;
  }
}

function* batchesOf(places: readonly FolderMessage[]): Generator<FolderMessage[]> {
  let batch: FolderMessage[] = [];
  let bytes = 0;
  for (const place of places) {
    const size = place.bytes ?? 0;
    if (batch.length > 0 && (batch.length === BATCH.messages || bytes + size > BATCH.bytes)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(place);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

const isLarge = ({ bytes = 0 }: FolderMessage): boolean => bytes > MESSAGE_BYTES_MAX;
const queryFor = (large: boolean, gmail: boolean) => ({
  uid: true,
  internalDate: true,
  threadId: gmail,
  ...(large ? { headers: true } : { source: true }),
});

async function writeBatch(
  { client, gmail }: Session,
  work: CollectWork,
  batch: readonly FolderMessage[],
): Promise<void> {
  const left = new Map(batch.map((place) => [place.uid, place]));
  const whole = batch.filter((place) => !isLarge(place)).map(({ uid }) => uid);
  try {
    if (whole.length > 0) {
      for await (const found of client.fetch(uidRanges(whole), queryFor(false, gmail), { uid: true })) {
        const place = left.get(found.uid);
        if (place === undefined || found.source === undefined) continue;
        await write(work, place, found, gmail);
        left.delete(found.uid);
      }
    }
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
  // Fetch large messages, and those that the server did not return with the others.
  for (const place of left.values()) {
    try {
      const found = await client.fetchOne(place.uid, queryFor(isLarge(place), gmail), { uid: true });
      if (!found) removePlace(work.ledger, place);
      else await write(work, place, found, gmail);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      work.refused.add(place.message);
      await skip(work, placeOf(place), "the server does not return this message");
    }
  }
}

async function write(
  work: CollectWork,
  place: FolderMessage,
  found: FetchMessageObject,
  gmail: boolean,
): Promise<void> {
  const { message } = place;
  const bytes = found.source ?? found.headers ?? Buffer.alloc(0);
  const large = isLarge(place);
  const key = message.key ?? keyOf(identityOf({ bytes }), message.marked);
  message.key = key;
  const arrived = new Date(found.internalDate ?? Number.NaN);
  try {
    const data = await recordOf(
      message,
      { identity: key, makeId: work.makeId },
      {
        bytes,
        ...(Number.isNaN(arrived.getTime()) ? {} : { arrived }),
        ...(gmail && found.threadId !== undefined ? { thread: found.threadId } : {}),
        ...(large ? { size: place.bytes! } : {}),
      },
    );
    const id = data.id as string;
    const wanted = work.scope.pick(id, data);
    if (wanted !== undefined) {
      await work.send({ type: "RECORD", stream: STREAM, key: id, data: wanted, emitted_at: work.emittedAt });
      work.sinceState++;
    }
    if (large)
      await skip(work, { ...placeOf(place), key }, `${place.bytes} bytes: its headers were read, but its text was not`);
  } catch (error) {
    await skip(work, { ...placeOf(place), key }, `this message cannot be read: ${(error as Error).message}`);
  }
  settle(work.ledger, message);
}

const placeOf = ({ folder, uid }: FolderMessage): JsonObject => ({ folder: folder.label || folder.path, uid });

async function skip(work: CollectWork, what: JsonObject, reason: string): Promise<void> {
  const where = what.uid === undefined ? "" : `${String(what.folder)}, message ${String(what.uid)}: `;
  await work.send({ type: "SKIP_RESULT", stream: STREAM, ...what, reason: `${where}${reason}` });
}

/** A cursor grows with the mailbox. If it were written too often, cursors would be most of the output. */
async function checkpoint(work: CollectWork, folder: string, total: number): Promise<void> {
  await work.send({
    type: "PROGRESS",
    stream: STREAM,
    message: `${folder}: ${work.records()} of ${total} messages`,
    count: work.records(),
    total,
  });
  if (work.sinceState >= Math.max(BATCH.messages, work.ledger.messages.size / 20)) await sendState(work);
}

async function sendState(work: CollectWork): Promise<void> {
  work.sinceState = 0;
  await work.send({ type: "STATE", stream: STREAM, cursor: cursorOf(work.ledger) });
}
