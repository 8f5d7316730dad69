// Compares a folder with the ledger to find new, changed and deleted messages.
import type { FetchMessageObject, ImapFlow } from "imapflow";
import { identityOf, isDigest, type MailIdentity } from "../../collect/importers/mail/survey.ts";
import type { ChosenFolder } from "./folders.ts";
import {
  addPlace,
  changePlace,
  FLAG,
  type FolderMessage,
  keyOf,
  type Ledger,
  type MailFolder,
  removePlace,
} from "./ledger.ts";
import { MESSAGE_BYTES_MAX } from "./limits.ts";
import type { Session } from "./session.ts";
import { uidRanges } from "./uid-ranges.ts";

/** The number of headers per request. */
const HEADERS_AT_ONCE = 1000;

/** Undefined if unchanged. */
type SeenMessage = { flags: number; labels: readonly string[] } | undefined;

interface ImapScanOptions {
  since?: string | undefined;
  /** Reports progress. */
  look: (message: string) => Promise<void>;
}

export async function scanFolder(
  session: Session,
  ledger: Ledger,
  chosen: ChosenFolder,
  { since, look }: ImapScanOptions,
): Promise<void> {
  const { client, condstore } = session;
  const { exists, uidNext, uidValidity, highestModseq } = await client.mailboxOpen(chosen.path, { readOnly: true });
  const modseq = condstore && highestModseq ? String(highestModseq) : undefined;
  const folder = folderIn(ledger, chosen, String(uidValidity));
  const same = folder.exists === exists && folder.uidNext === uidNext && ledger.since === since;
  if (same && modseq !== undefined && folder.modseq === modseq) return;
  const present =
    exists === 0 ? new Map<number, SeenMessage>() : await presentIn(session, folder, modseq !== undefined, since);
  await removeMissing(client, ledger, folder, present, since);
  for (const [uid, seen] of present) {
    const place = folder.places.get(uid);
    if (place === undefined || seen === undefined || sameMarks(place, seen)) continue;
    if (place.message.hash !== undefined) changePlace(ledger, place, seen.flags, seen.labels);
    // The message is too old to be identified, so it is checked as if it were new.
    else folder.places.delete(uid);
  }
  await identify(
    session,
    ledger,
    folder,
    [...present.keys()].filter((uid) => !folder.places.has(uid)).sort((one, other) => one - other),
    look,
  );
  Object.assign(folder, { exists, uidNext, modseq });
}

function folderIn(ledger: Ledger, { path, label }: ChosenFolder, uidValidity: string): MailFolder {
  const known = ledger.folders.get(path);
  if (known?.uidValidity === uidValidity) {
    known.label = label;
    return known;
  }
  // The UIDs now refer to other messages, so the folder is read again. Messages identified by their Message-ID stay the
  // same.
  for (const place of known?.places.values() ?? []) removePlace(ledger, place);
  const folder: MailFolder = { path, label, uidValidity, uidNext: 0, exists: -1, places: new Map() };
  ledger.folders.set(path, folder);
  return folder;
}

async function presentIn(
  { client, gmail }: Session,
  folder: MailFolder,
  condstore: boolean,
  since: string | undefined,
): Promise<Map<number, SeenMessage>> {
  const present = new Map<number, SeenMessage>();
  const changedOnly = condstore && folder.modseq !== undefined;
  const chosen = changedOnly || since !== undefined ? await uidsSince(client, since) : undefined;
  for (const uid of chosen ?? []) present.set(uid, undefined);
  const options = { uid: true, ...(changedOnly ? { changedSince: BigInt(folder.modseq!) } : {}) };
  for await (const message of client.fetch("1:*", { uid: true, flags: true, labels: gmail }, options)) {
    if (message.uid !== undefined && (chosen === undefined || present.has(message.uid)))
      present.set(message.uid, marksOf(message, gmail));
  }
  return present;
}

async function uidsSince(client: ImapFlow, since?: string): Promise<number[]> {
  return await searched(client, since === undefined ? { all: true } : { since: new Date(since) });
}

async function searched(client: ImapFlow, query: Parameters<ImapFlow["search"]>[0]): Promise<number[]> {
  const found = await client.search(query, { uid: true });
  // A failed search must not make anything count as deleted.
  if (!Array.isArray(found)) throw Object.assign(new Error("the server refused to search"), { responseStatus: "NO" });
  return found;
}

async function removeMissing(
  client: ImapFlow,
  ledger: Ledger,
  folder: MailFolder,
  present: ReadonlyMap<number, SeenMessage>,
  since?: string,
): Promise<void> {
  const missing = [...folder.places.values()].filter(({ uid }) => !present.has(uid));
  if (missing.length === 0) return;
  // Mail older than the requested date does not count as deleted.
  const still = since === undefined ? new Set<number>() : new Set(await searched(client, { all: true }));
  for (const place of missing) if (!still.has(place.uid)) removePlace(ledger, place);
}

async function identify(
  session: Session,
  ledger: Ledger,
  folder: MailFolder,
  uids: readonly number[],
  look: ImapScanOptions["look"],
): Promise<void> {
  const { client, gmail } = session;
  const query = {
    uid: true,
    flags: true,
    internalDate: true,
    size: true,
    labels: gmail,
    headers: ["message-id", "date"],
  };
  for (let from = 0; from < uids.length; from += HEADERS_AT_ONCE) {
    await look(`${from} of ${uids.length} new messages checked`);
    const nameless: FetchMessageObject[] = [];
    const range = uidRanges(uids.slice(from, from + HEADERS_AT_ONCE));
    for await (const message of client.fetch(range, query, { uid: true })) {
      const identity = identityOf({ bytes: message.headers ?? Buffer.alloc(0) });
      if (isDigest(identity.id)) nameless.push(message);
      else note(ledger, folder, message, identity, gmail);
    }
    // A message without a Message-ID is identified by its whole content.
    for (const message of nameless) {
      const large = (message.size ?? 0) > MESSAGE_BYTES_MAX;
      const whole = await client.fetchOne(message.uid, large ? { headers: true } : { source: true }, { uid: true });
      const bytes = whole ? (whole.source ?? whole.headers) : undefined;
      if (bytes !== undefined) note(ledger, folder, message, identityOf({ bytes }), gmail);
    }
  }
}

function note(
  ledger: Ledger,
  folder: MailFolder,
  found: FetchMessageObject,
  identity: MailIdentity,
  gmail: boolean,
): void {
  if (folder.places.has(found.uid)) return;
  const { size } = found;
  const arrived = arrivalOf(found);
  const place = { uid: found.uid, arrived, ...marksOf(found, gmail), ...(size === undefined ? {} : { bytes: size }) };
  const message = addPlace(ledger, folder, identity, place);
  message.key = keyOf(identity, message.marked);
  message.at ??= arrived;
}

/** Returns the arrival time in seconds, or 0 if the server does not report one. */
export function arrivalOf({ internalDate }: FetchMessageObject): number {
  const arrived = Math.floor(new Date(internalDate ?? 0).getTime() / 1000);
  return Number.isNaN(arrived) ? 0 : arrived;
}

const FLAGS: Record<string, number> = {
  "\\seen": FLAG.seen,
  "\\flagged": FLAG.flagged,
  "\\answered": FLAG.answered,
  "\\draft": FLAG.draft,
  "\\deleted": FLAG.deleted,
};
/** Keywords that mail programs set for their own use are not the owner's labels. */
const NOISE = /^(?:[$\\]|(?:non|not)?junk$|junkrecorded$|forwarded$|old$|redirected$|mdnsent$|notspam$)/i;
/** Gmail's own labels, spelled as in its exports. */
const GMAIL_LABELS: Record<string, string> = {
  "\\inbox": "Inbox",
  "\\sent": "Sent",
  "\\draft": "Drafts",
  "\\drafts": "Drafts",
  "\\starred": "Starred",
  "\\important": "Important",
  "\\muted": "Muted",
};

function marksOf({ flags, labels }: FetchMessageObject, gmail: boolean): NonNullable<SeenMessage> {
  let bits = 0;
  const words: string[] = [];
  for (const flag of flags ?? []) {
    bits |= FLAGS[flag.toLowerCase()] ?? 0;
    if (!NOISE.test(flag)) words.push(flag);
  }
  for (const label of gmail ? (labels ?? []) : []) {
    const known = GMAIL_LABELS[label.toLowerCase()];
    if (known !== undefined || !label.startsWith("\\")) words.push(known ?? label);
  }
  // A message without a label was archived, and exports label it the same way.
  if (gmail && words.length === 0) words.push("Archived");
  return { flags: bits, labels: [...new Set(words)].sort() };
}

const sameMarks = ({ flags, labels }: FolderMessage, seen: NonNullable<SeenMessage>): boolean =>
  flags === seen.flags && labels.length === seen.labels.length && labels.every((one, at) => one === seen.labels[at]);

/** Returns the Message-IDs in a folder, starting at a given UID, to recognise deleted mail in the trash. */
export async function identitiesIn(
  client: ImapFlow,
  path: string,
  from: number,
): Promise<{ ids: MailIdentity[]; uidNext: number }> {
  const { exists, uidNext } = await client.mailboxOpen(path, { readOnly: true });
  const ids: MailIdentity[] = [];
  if (exists > 0 && uidNext > from) {
    for await (const { headers } of client.fetch(
      `${Math.max(1, from)}:*`,
      { uid: true, headers: ["message-id", "date"] },
      { uid: true },
    ))
      ids.push(identityOf({ bytes: headers ?? Buffer.alloc(0) }));
  }
  return { ids, uidNext };
}
