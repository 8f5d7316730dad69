// Converts a message of the mailbox to the mail importer's record, with the folders and flags from the server.

import { messageRecord } from "../../collect/importers/mail/message.ts";
import { identityOf, isDigest } from "../../collect/importers/mail/survey.ts";
import type { MakeId } from "../../collect/record-ids.ts";
import type { JsonObject } from "../../contract/json.ts";
import { FLAG, flagsOf, type LedgerMessage, labelsOf } from "./ledger.ts";

export interface FetchedMessage {
  bytes: Buffer;
  /** When the message arrived at the server. */
  arrived?: Date;
  /** Gmail's thread id. */
  thread?: string;
  /** The size of the whole message, if `bytes` are only its headers. */
  size?: number;
}

export async function recordOf(
  message: LedgerMessage,
  { identity, makeId }: { identity: string; makeId: MakeId },
  { bytes, arrived, thread, size }: FetchedMessage,
): Promise<JsonObject> {
  const envelope = arrived === undefined ? {} : { envelope: `From ${arrived.toISOString()}` };
  const { data } = await messageRecord(
    { bytes, offset: 0, end: bytes.length, ...envelope },
    // Files stay on the server, because a connector cannot transfer bytes.
    {
      identity,
      // Replies refer to the Message-ID itself, without the mark that tells apart messages with the same one.
      thread: isDigest(identity) ? identity : identityOf({ bytes }).id,
      makeId,
      folders: [],
      flags: {},
      attach: async (file) => ({ size_bytes: file.byteLength }),
    },
  );
  // Headers that another program left in the message say nothing about this mailbox, so the flags derived from them are
  // removed.
  const { unread: _, starred: _s, answered: _a, draft: _d, deleted: _x, folder: _f, ...own } = data;
  const labels = labelsOf(message);
  const flags = flagsOf(message);
  return {
    ...own,
    ...(thread === undefined ? {} : { thread_id: makeId(`gmail:${thread}`) }),
    labels,
    ...(labels.length === 0 ? {} : { folder: folderOf(labels) }),
    unread: (flags & FLAG.seen) === 0,
    ...(flags & FLAG.flagged ? { starred: true } : {}),
    ...(flags & FLAG.answered ? { answered: true } : {}),
    ...(flags & FLAG.draft ? { draft: true } : {}),
    ...(flags & FLAG.deleted ? { deleted: true } : {}),
    ...(size === undefined ? {} : { size_bytes: size, body_cut: true }),
  };
}

/** Gmail's markers are not folders. */
const folderOf = (labels: readonly string[]): string =>
  labels.find((label) => !/^(?:Important|Starred|Muted)$/.test(label)) ?? labels[0]!;
