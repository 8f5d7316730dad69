// Imports mail: mbox and MMDF files, .eml and .emlx messages, Maildirs, Gmail's Takeout.
import { type Entry, headOf, wholeEntry } from "../../entry.ts";
import {
  entriesFrom,
  HEAD_BYTES,
  type ImportContext,
  type ImportEvent,
  type Importer,
  type ImportInput,
  type ImportPlan,
} from "../../importer.ts";
import { isKeyed } from "../../record-ids.ts";
import { estimate, sizeOf } from "../estimates.ts";
import { mailDeclaration } from "./declaration.ts";
import { mailDate } from "./mail-date.ts";
import { messageRecord } from "./message.ts";
import { folderOf, isMaildir, maildirFlags } from "./place.ts";
import { kindOf, type MailKind, recogniseMail } from "./recognise.ts";
import { MESSAGE_BYTES_MAX, type RawMessage, splitMbox, splitMmdf, type TooLarge } from "./split.ts";
import { splitBare } from "./split-bare.ts";
import { createSurvey, identityOf } from "./survey.ts";

/** The maximum between two checkpoints. */
const CHECKPOINT_MESSAGES = 500;
const CHECKPOINT_BYTES = 8 * 1024 * 1024;
/** The position that marks an entry as unreadable from this point on. */
const BROKEN = Number.MAX_SAFE_INTEGER;
/** A plan searches for headers in this many files, and in this many bytes of each. */
const HEADER_ENTRIES = 20;
const HEADER_BYTES = 256 * 1024;

export const mailImporter: Importer = {
  name: "mail",
  title: "Mail (mbox, eml, Maildir, Gmail Takeout)",
  from: [
    "Gmail: takeout.google.com, “Mail”",
    "Thunderbird: the files in Mail/Local Folders",
    "Apple Mail: Mailbox → Export",
    "Any program: save as .eml",
  ],
  recognise: recogniseMail,
  plan,
  run,
};

async function plan(input: ImportInput, answers: Readonly<Record<string, string>>): Promise<ImportPlan> {
  const { owner, span } = await headersOf(input.entries);
  const account = answers.account?.trim() || owner || "mail";
  return {
    account: { key: account.toLowerCase(), name: account === "mail" ? "Mail" : `Mail of ${account}` },
    declaration: mailDeclaration,
    streams: [{ stream: "messages", ...(await estimate(input.entries, countIn)), ...span }],
    questions: [
      {
        id: "account",
        text: "Whose mailbox is this? Enter an address, so that a later export is added to the same mailbox.",
        default: account,
      },
    ],
  };
}

/**
 * Determines the owner and the date range from the first bytes of the files. The range is returned only if the files
 * were read completely.
 */
async function headersOf(
  entries: readonly Entry[],
): Promise<{ owner: string | undefined; span: { since?: string; until?: string } }> {
  const owners = new Map<string, number>();
  let looked = 0;
  let messages = 0;
  const dates: string[] = [];
  for (const entry of entries.slice(0, HEADER_ENTRIES)) {
    const text = Buffer.from(await headOf(entry, HEADER_BYTES)).toString("latin1");
    looked += text.length;
    messages += await countIn(text, entry);
    for (const [, owner] of text.matchAll(/^delivered-to:[ \t]*<?([^\s<>@]{1,64}@[^\s<>]{1,200})>?/gim)) {
      owners.set(owner!.toLowerCase(), (owners.get(owner!.toLowerCase()) ?? 0) + 1);
    }
    for (const [, value] of text.matchAll(/^date:([^\r\n]{5,100})/gim)) dates.push(mailDate(value!) ?? "");
  }
  const known = dates.filter((one) => one !== "").sort();
  const isWhole = looked >= sizeOf(entries);
  const [mostly] = [...owners].sort(([, one], [, other]) => other - one);
  return {
    // The address that most of the sample was delivered to is the owner's. Mailing lists deliver to their own
    // addresses.
    owner: mostly !== undefined && mostly[1] >= Math.max(2, messages / 3) ? mostly[0] : undefined,
    span: isWhole && known.length > 0 ? { since: known[0]!, until: known.at(-1)! } : {},
  };
}

/** Counts the messages in the first bytes of an entry, given as Latin-1. The last message may continue after them. */
async function countIn(text: string, entry: Entry): Promise<number> {
  const head = Buffer.from(text, "latin1");
  const kind = kindOf(entry.path, head);
  if (kind === undefined || kind === "message" || kind === "emlx") return 1;
  async function* open(): AsyncGenerator<Uint8Array> {
    yield head;
  }
  let count = 0;
  for await (const _ of messagesOf({ ...entry, open }, kind, 0)) count++;
  return count;
}

async function* run(input: ImportInput, context: ImportContext): AsyncGenerator<ImportEvent> {
  const { survey, kinds } = await surveyed(input);
  for (const { entry, position } of entriesFrom(input, context)) {
    const index = input.entries.indexOf(entry);
    const kind = kinds[index];
    let done = typeof position === "number" ? position : 0;
    if (done === BROKEN) continue;
    let since = 0;
    let sinceBytes = done;
    try {
      if (kind === undefined && done === 0) yield { kind: "error", entry, message: "it contains no mail", offset: 0 };
      else if (kind !== undefined) {
        for await (const raw of messagesOf(entry, kind, done)) {
          yield* events(raw, { entry, index, kind, survey, context });
          done = raw.end;
          if (++since >= CHECKPOINT_MESSAGES || done - sinceBytes >= CHECKPOINT_BYTES) {
            yield { kind: "checkpoint", entry, position: done };
            since = 0;
            sinceBytes = done;
          }
        }
      }
    } catch (error) {
      yield { kind: "error", entry, message: (error as Error).message, offset: done };
      done = BROKEN;
    }
    yield { kind: "checkpoint", entry, position: Math.max(done, 1) };
  }
}

type MailSurvey = ReturnType<typeof createSurvey>;

/** A first pass over every message, many times faster than parsing. The run reports what cannot be read. */
async function surveyed({ entries }: ImportInput): Promise<{ survey: MailSurvey; kinds: (MailKind | undefined)[] }> {
  const survey = createSurvey();
  const kinds: (MailKind | undefined)[] = [];
  for (const [index, entry] of entries.entries()) {
    try {
      const kind =
        kindOf(entry.path, await headOf(entry, HEAD_BYTES)) ?? (/\.eml$/i.test(entry.path) ? "message" : undefined);
      kinds.push(kind);
      if (kind === undefined) continue;
      const folder = folderOfEntry(entry, kind);
      for await (const raw of messagesOf(entry, kind, 0)) {
        if (!("tooLarge" in raw)) survey.note(identityOf(raw), index, raw.offset, folder);
      }
    } catch {
      kinds[index] ??= "message";
      survey.breaksOff(index);
    }
  }
  return { survey, kinds };
}

interface MailFile {
  entry: Entry;
  index: number;
  kind: MailKind;
  survey: MailSurvey;
  context: ImportContext;
}

async function* events(
  raw: RawMessage | TooLarge,
  { entry, index, kind, survey, context }: MailFile,
): AsyncGenerator<ImportEvent> {
  const { offset } = raw;
  if ("tooLarge" in raw) {
    yield {
      kind: "error",
      entry,
      offset,
      message: `a message of ${raw.tooLarge} bytes; the limit is ${MESSAGE_BYTES_MAX}`,
    };
    return;
  }
  const identity = identityOf(raw, survey.contentAt(index, offset));
  const kept = survey.keep(identity, index, offset);
  if (kept === undefined) {
    yield { kind: "skip", entry, offset, reason: "another copy of an imported message" };
    return;
  }
  try {
    const folder = folderOfEntry(entry, kind);
    const { data, expunged } = await messageRecord(raw, {
      identity: isKeyed(context.makeId) ? kept.key : kept.oldKey,
      thread: identity.id,
      makeId: context.makeId,
      folders: kept.folders.length > 0 ? kept.folders : folder === undefined ? [] : [folder],
      flags: isMaildir(entry.path) ? maildirFlags(entry.path) : {},
      attach: async (bytes, mimeType) => ({ blob_ref: await context.blob(bytes, mimeType) }),
    });
    if (expunged) yield { kind: "skip", entry, offset, reason: "deleted in the mail program, but still in its file" };
    else yield { kind: "record", stream: "messages", key: data.id as string, data, entry, offset };
  } catch (error) {
    yield { kind: "error", entry, offset, message: `a message that cannot be read: ${(error as Error).message}` };
  }
}

function folderOfEntry({ path }: Entry, kind: MailKind): string | undefined {
  if (isMaildir(path)) return folderOf(path, "maildir");
  return folderOf(path, kind === "emlx" || kind === "message" ? "message" : "folder");
}

function messagesOf(entry: Entry, kind: MailKind, from: number): AsyncIterable<RawMessage | TooLarge> {
  if (kind === "mbox") return splitMbox(entry, from);
  if (kind === "mmdf") return splitMmdf(entry, from);
  return kind === "bare" ? splitBare(entry, from) : single(entry, kind, from);
}

/** Reads a file with one message. Apple's .emlx begins with the message's length and ends with a property list. */
async function* single(entry: Entry, kind: MailKind, from: number): AsyncGenerator<RawMessage> {
  if (from > 0) return;
  const whole = await wholeEntry(entry, MESSAGE_BYTES_MAX);
  let begin = whole[0] === 0xef && whole[1] === 0xbb && whole[2] === 0xbf ? 3 : 0;
  let end = whole.length;
  if (kind === "emlx") {
    begin = whole.indexOf(10) + 1;
    end = Math.min(end, begin + Number.parseInt(whole.subarray(0, begin).toString("latin1"), 10));
  }
  while (whole[begin] === 10 || whole[begin] === 13) begin++;
  yield { bytes: whole.subarray(begin, end), offset: 0, end: whole.length };
}
