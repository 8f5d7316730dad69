// One pass over the account: compares collections that changed, writes new and changed items, and reports deleted ones.
import type { MakeId } from "../../collect/record-ids.ts";
import type { JsonObject } from "../../contract/json.ts";
import { CollectFailure } from "../common/failure.ts";
import type { CollectScope } from "../common/scope.ts";
import { changesIn, type FetchedItem, fetchItems } from "./changes.ts";
import { type DavCollection, discoverCollections, isDeleted } from "./discover.ts";
import type { DavKind, ItemRecord } from "./kind.ts";
import { cursorOf, type DavLedger, type KnownCollection, type RecordMark } from "./ledger.ts";
import type { DavClient } from "./request.ts";
import type { DavSettings } from "./settings.ts";

export interface DavWork {
  kind: DavKind;
  settings: DavSettings;
  ledger: DavLedger;
  /** The requested streams. */
  scopes: ReadonlyMap<string, CollectScope>;
  makeId: MakeId;
  now: Date;
  send: (message: JsonObject) => Promise<void>;
}

export async function collectAccount(client: DavClient, work: DavWork): Promise<void> {
  const { kind, settings, ledger } = work;
  const all = await discoverCollections(client, settings.url, kind);
  const chosen = await chooseCollections(work, all);
  /** Marks of records that an item used to have and may no longer have. */
  const maybeDeleted = new Map<string, RecordMark>();
  await removeMissingCollections(client, work, all, maybeDeleted);
  const edition = kind.edition(work.now);
  const isNewEdition = ledger.edition !== edition;
  for (const collection of chosen) await collectOne(client, work, collection, isNewEdition, maybeDeleted);
  ledger.edition = edition;
  await reportDeleted(work, maybeDeleted);
  await work.send({ type: "STATE", stream: kind.streams[0]!.name, cursor: cursorOf(ledger) });
}

async function chooseCollections(work: DavWork, all: readonly DavCollection[]): Promise<DavCollection[]> {
  const { settings, kind } = work;
  if (settings.collections.length === 0) return [...all];
  const chosen = all.filter(({ name }) => settings.collections.includes(name));
  if (chosen.length === 0)
    throw new CollectFailure(
      `there is no ${kind.noun.one} named ${settings.collections.join(" or ")}; the server has ${all.map(({ name }) => name).join(", ")}`,
    );
  for (const name of settings.collections)
    if (!chosen.some((one) => one.name === name))
      await skip(work, `there is no ${kind.noun.one} ${JSON.stringify(name)}`);
  return chosen;
}

/**
 * The records of a deleted collection are deleted with it. A collection that is merely not listed keeps its records.
 */
async function removeMissingCollections(
  client: DavClient,
  { ledger }: DavWork,
  all: readonly DavCollection[],
  maybeDeleted: Map<string, RecordMark>,
): Promise<void> {
  const present = new Set(all.map(({ url }) => url.href));
  for (const [address, known] of ledger.collections) {
    if (present.has(address) || !(await isDeleted(client, new URL(address)))) continue;
    for (const { marks } of known.items.values()) addMarks(marks, maybeDeleted);
    ledger.collections.delete(address);
  }
}

const addMarks = (marks: readonly RecordMark[], maybeDeleted: Map<string, RecordMark>): void => {
  for (const mark of marks) maybeDeleted.set(JSON.stringify(mark), mark);
};

async function collectOne(
  client: DavClient,
  work: DavWork,
  collection: DavCollection,
  isNewEdition: boolean,
  maybeDeleted: Map<string, RecordMark>,
): Promise<void> {
  const { ledger, kind } = work;
  const address = collection.url.href;
  const before = ledger.collections.get(address);
  const tell = (message: string, more: JsonObject = {}): Promise<void> =>
    work.send({ type: "PROGRESS", message: `${collection.name}: ${message}`, ...more });
  await tell("looking for changes");
  // Names are part of ids, so every record of a renamed collection gets a new id.
  const everything = isNewEdition || (before !== undefined && before.name !== collection.name);
  const { changed, gone, syncToken } = await changesIn(client, collection, before, everything);
  const known: KnownCollection = { name: collection.name, items: before?.items ?? new Map() };
  ledger.collections.set(address, known);
  const remove = (href: string): void => {
    addMarks(known.items.get(href)?.marks ?? [], maybeDeleted);
    known.items.delete(href);
  };
  for (const href of gone) remove(href);
  let refusals = 0;
  let done = 0;
  for await (const batch of fetchItems(client, collection, changed, kind)) {
    for (const item of batch.items) {
      addMarks(known.items.get(item.href)?.marks ?? [], maybeDeleted);
      known.items.set(item.href, { etag: item.etag, marks: await writeItem(work, collection, item) });
    }
    for (const href of batch.gone) remove(href);
    for (const href of batch.refused) await skip(work, `${collection.name}: the server does not return ${href}`);
    refusals += batch.refused.length;
    done += batch.items.length + batch.gone.length + batch.refused.length;
    await tell(`${done} of ${changed.size}`, { count: done, total: changed.size });
  }
  // An item that was refused is requested again in the next run.
  if (refusals > 0) {
    if (before?.syncToken !== undefined) known.syncToken = before.syncToken;
    return;
  }
  if (collection.ctag !== undefined) known.ctag = collection.ctag;
  if (syncToken !== undefined) known.syncToken = syncToken;
}

async function writeItem(work: DavWork, { name }: DavCollection, { href, text }: FetchedItem): Promise<RecordMark[]> {
  const { kind, makeId, now } = work;
  const { records, skipped } = await kind.read({ href, text, collection: name }, { makeId, now });
  for (const record of records) await write(work, record);
  for (const reason of skipped) await skip(work, `${name}, ${href.slice(href.lastIndexOf("/") + 1)}: ${reason}`);
  return records.map(({ stream, mark }) => [stream, mark]);
}

async function write({ scopes, now, send }: DavWork, { stream, key, data }: ItemRecord): Promise<void> {
  const wanted = scopes.get(stream)?.pick(key, data);
  if (wanted !== undefined) await send({ type: "RECORD", stream, key, data: wanted, emitted_at: now.toISOString() });
}

/** Reports records that no item contains any more. The same event may be in two collections. */
async function reportDeleted(work: DavWork, maybeDeleted: Map<string, RecordMark>): Promise<void> {
  const { ledger, kind, makeId, scopes, send, now } = work;
  if (maybeDeleted.size === 0) return;
  for (const { items } of ledger.collections.values())
    for (const { marks } of items.values()) for (const mark of marks) maybeDeleted.delete(JSON.stringify(mark));
  for (const [stream, mark] of maybeDeleted.values()) {
    const id = kind.keyOf(mark, makeId);
    if (scopes.get(stream)?.hasKey(id))
      await send({ type: "RECORD", stream, key: id, data: { id }, emitted_at: now.toISOString(), op: "delete" });
  }
}

const skip = ({ send, kind }: DavWork, reason: string): Promise<void> =>
  send({ type: "SKIP_RESULT", stream: kind.streams[0]!.name, reason });
