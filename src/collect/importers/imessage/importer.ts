// Messages on the Mac and in iPhone backups: chat.db or sms.db, with the attachments folder next to it.
import type { Entry } from "../../entry.ts";
import {
  type EntryPreview,
  entriesFrom,
  type ImportContext,
  type ImportEvent,
  type Importer,
  type ImportInput,
  type PlannedStream,
  type Recognition,
} from "../../importer.ts";
import { attachedFile, folderOf, joinPath, nameOf } from "../attached-file.ts";
import { type ChatAttachment, conversationRecord } from "../chat-streams.ts";
import { databaseEvents, databasePath, hasTables, isDatabaseFile } from "../database-events.ts";
import { type ForeignDatabase, isSqlite, openForeignForPlan } from "../foreign-sqlite.ts";
import {
  accountOf,
  attachmentsOf,
  chatsOf,
  extentOf,
  messageOf,
  messageRows,
  NEEDS,
  reactionsOf,
  showsMessages,
} from "./database.ts";
import { imessageDeclaration } from "./declaration.ts";

const FOLDER = "Attachments";

export const imessageImporter: Importer = {
  name: "imessage",
  title: "iMessage (chat.db from a Mac, sms.db from an iPhone)",
  from: [
    "Mac: ~/Library/Messages (the terminal needs “Full Disk Access” in System Settings → Privacy & Security)",
    "iPhone: sms.db from an unencrypted backup",
  ],
  recognise,
  async plan({ entries }) {
    const [database] = entries.filter(isDatabase);
    const seen = database === undefined ? undefined : await firstLook(database);
    return {
      account: { key: seen?.account ?? "imessage", name: `iMessage${seen?.account ? ` (${seen.account})` : ""}` },
      declaration: imessageDeclaration,
      streams: [{ stream: "messages", ...seen?.extent }, { stream: "conversations" }],
    };
  },
  async *run(input, context) {
    for (const { entry, position } of entriesFrom(input, context)) {
      if (!isDatabase(entry)) continue;
      yield* databaseEvents(input, entry, position, {
        called: "a Messages database",
        needs: NEEDS,
        read: (database, after) => eventsOf(entry, database, after, input, context),
      });
    }
  },
};

const isAttachment = ({ path }: Pick<Entry, "path">): boolean => `/${path}`.includes(`/${FOLDER}/`);
const isDatabase = (entry: Entry): boolean => isDatabaseFile(entry) && !isAttachment(entry);

/** In iPhone backups, files are named by a digest of their path. This one is the digest of `sms.db`. */
const OWN_NAME = /^(?:chat\.db|sms\.db|3d0d7e5fb2ce288813306e4d4636395e047a3d28)$/;
const OTHER_NAME = /(?:chat|imessage|^sms)[^/]*\.(?:db|sqlite3?)$/i;

function recognise({ path, head, has }: EntryPreview): Recognition | undefined {
  const attached = new RegExp(`^(?:(.*?)/)?${FOLDER}/`).exec(path);
  if (attached !== null && has(joinPath(attached[1] ?? "", "chat.db"))) {
    return { score: 96, reason: "iMessage attachment", group: joinPath(attached[1] ?? "", "chat.db") };
  }
  const main = databasePath(path);
  if (main !== path) {
    return OWN_NAME.test(nameOf(main)) && has(main)
      ? { score: 95, reason: "latest changes to the iMessage database", group: main }
      : undefined;
  }
  if (!isSqlite(head)) return undefined;
  if (showsMessages(head)) return { score: 95, reason: "iMessage", group: path };
  if (OWN_NAME.test(nameOf(path))) return { score: 90, reason: "iMessage", group: path };
  return OTHER_NAME.test(nameOf(path))
    ? { score: 60, reason: "iMessage, judging by its name", group: path }
    : undefined;
}

/** Reads what can be read without copying the database. */
async function firstLook(
  entry: Entry,
): Promise<{ account: string | undefined; extent: Omit<PlannedStream, "stream"> } | undefined> {
  try {
    const database = await openForeignForPlan(entry);
    try {
      if (!hasTables(database, NEEDS)) return undefined;
      const extent = extentOf(database);
      return {
        account: accountOf(database),
        extent: { ...extent, files: [{ path: entry.path, count: extent.count }] },
      };
    } finally {
      await database.close();
    }
  } catch {
    // The run reports what is wrong with the file.
    return undefined;
  }
}

async function* eventsOf(
  entry: Entry,
  database: ForeignDatabase,
  after: bigint,
  { entries }: ImportInput,
  context: ImportContext,
): AsyncGenerator<ImportEvent> {
  const root = joinPath(folderOf(entry.path), FOLDER);
  const files = new Map(entries.filter(isAttachment).map((file) => [file.path, file]));
  const used = new Set<string>();
  const chats = chatsOf(database, context.makeId);
  const reactions = reactionsOf(database);
  let reactionRows = 0;
  if (after === 0n)
    for (const chat of chats.all)
      yield { kind: "record", stream: "conversations", key: chat.id, data: conversationRecord(chat), entry };
  const attached = attachmentsOf(database);
  for (const row of messageRows(database)) {
    const offset = Number(row.row);
    const attachments: ChatAttachment[] = [];
    for (const { path, ...facts } of attached.get(offset) ?? []) {
      const file = path === undefined ? undefined : files.get(joinPath(root, path));
      if (file !== undefined) used.add(file.path);
      const kept = file === undefined || BigInt(offset) <= after ? undefined : await attachedFile(file, context);
      if (kept !== undefined && "left" in kept) yield kept.left;
      attachments.push(kept !== undefined && "blob" in kept ? { ...facts, blob: kept.blob } : facts);
    }
    if (reactions.isReaction(row.row as bigint)) reactionRows++;
    else if (BigInt(offset) > after) {
      const data = messageOf(
        row,
        chats.of(row.row as bigint),
        reactions.given.get(row.guid as string),
        attachments,
        context.makeId,
      );
      yield data === undefined
        ? { kind: "error", entry, offset, message: "the message has no id or no time" }
        : { kind: "record", stream: "messages", key: data.id as string, data, entry, offset };
    }
  }
  if (reactionRows > 0) {
    const reason = "reactions, which are stored with their messages";
    yield { kind: "skip", entry, reason, count: reactionRows };
  }
  for (const file of files.values())
    if (!used.has(file.path)) yield { kind: "skip", entry: file, reason: "no message refers to it" };
}
