// Converts one message to a record: headers, text, labels, attached files.

import { type Address, type Attachment, decodeWords, type Email } from "postal-mime";
import type { JsonObject } from "../../../contract/json.ts";
import type { MakeId } from "../../record-ids.ts";
import { parseReadable } from "./charsets.ts";
import { htmlText } from "./html-text.ts";
import { mailDate } from "./mail-date.ts";
import { contentBytes } from "./parse-mail.ts";
import type { Flags } from "./place.ts";
import type { RawMessage } from "./split.ts";

/** How many characters of a body are kept, because a record is limited to 4 MB of JSON. */
export const BODY_MAX = 500_000;
const SNIPPET_MAX = 200;
const ADDRESSES_MAX = 1000;
const ATTACHMENTS_MAX = 500;
/** How many levels of forwarded messages are searched for text. */
const FORWARDS_MAX = 3;

export interface MessageOptions {
  /** Identifies the message among its copies. */
  identity: string;
  /** The Message-ID that replies refer to. */
  thread: string;
  makeId: MakeId;
  folders: readonly string[];
  /** Flags from the message's location, which take precedence over its headers. */
  flags: Flags;
  /** Returns the stored blob of an attached file, or only its size. */
  attach: (bytes: Uint8Array, mimeType: string) => Promise<JsonObject>;
}

export interface MessageRecord {
  data: JsonObject;
  /** True if the mail program had marked the message as deleted but not yet removed it. */
  expunged: boolean;
}

export async function messageRecord(
  raw: RawMessage,
  { identity, thread, makeId, folders, flags, attach }: MessageOptions,
): Promise<MessageRecord> {
  const email = await parseReadable(raw.bytes);
  const header = (name: string): string => email.headers.find(({ key }) => key === name)?.value ?? "";
  const gmailLabels = labelsOf(header("x-gmail-labels"));
  const labels = [...new Set([...gmailLabels, ...(gmailLabels.length > 0 ? [] : folders)])];
  const state = { ...headerFlags(header), ...gmailFlags(gmailLabels), ...flags };
  const sentAt =
    mailDate(header("date")) ??
    mailDate(header("received").split(";").at(-1)!) ??
    mailDate(raw.envelope?.slice(5) ?? "");
  const whole = clean(await textOf(email, 0));
  const body = whole.slice(0, BODY_MAX);
  const attachments: JsonObject[] = [];
  for (const attachment of email.attachments.slice(0, ATTACHMENTS_MAX))
    attachments.push(await kept(attachment, attach));
  const from = mailboxes(email.from === undefined ? [] : [email.from])[0];
  const messageId = idsIn(header("message-id"))[0];
  const repliesTo = idsIn(header("in-reply-to"))[0];
  const data: JsonObject = {
    // Message-IDs reveal when and where a message was written. They are stored in `message_id`, which a grant can omit.
    id: makeId(identity),
    ...(messageId === undefined ? {} : { message_id: messageId }),
    thread_id: makeId(threadOf(header, thread)),
    ...(repliesTo === undefined ? {} : { in_reply_to: repliesTo }),
    subject: clean(email.subject ?? "").slice(0, 10_000),
    ...(from === undefined ? {} : { from_name: from.name || from.address, from_address: from.address }),
    to: mailboxes(email.to),
    cc: mailboxes(email.cc),
    ...(email.bcc === undefined ? {} : { bcc: mailboxes(email.bcc) }),
    ...(sentAt === undefined ? {} : { sent_at: sentAt }),
    ...(folderIn(labels) === undefined ? {} : { folder: folderIn(labels)! }),
    labels,
    ...listOf(header("list-id")),
    snippet: snippetOf(body),
    body: body.toWellFormed(),
    ...(whole.length > body.length ? { body_cut: true } : {}),
    ...state,
    attachments,
    has_attachments: attachments.some(({ inline }) => inline === false),
    size_bytes: raw.bytes.length,
  };
  return { data, expunged: (mozillaStatus(header) & 8) !== 0 };
}

/** NUL characters are not text, and some stores reject them. */
const clean = (text: string): string => text.replaceAll("\0", "").toWellFormed();

async function textOf(email: Email, depth: number): Promise<string> {
  const own =
    email.text !== undefined && email.text.trim() !== ""
      ? email.text.replaceAll("\r\n", "\n").trim()
      : htmlText(email.html ?? "");
  // A report includes the message it is about as evidence, not as its own text.
  const isReport = email.attachments.some(({ mimeType }) =>
    /^message\/(?:delivery-status|feedback-report)$/.test(mimeType),
  );
  if (isReport || depth >= FORWARDS_MAX) return own;
  const parts = [own];
  for (const { mimeType, disposition, content } of email.attachments.slice(0, ATTACHMENTS_MAX)) {
    if (mimeType !== "message/rfc822" || disposition === "attachment" || typeof content === "string") continue;
    const inner = await parseReadable(contentBytes(content));
    const [from] = mailboxes(inner.from === undefined ? [] : [inner.from]);
    const head = [
      "---------- Forwarded message ----------",
      ...(from === undefined
        ? []
        : [`From: ${from.name && from.address ? `${from.name} <${from.address}>` : from.name || from.address}`]),
      ...(inner.date === undefined
        ? []
        : [`Date: ${mailDate(inner.headers.find(({ key }) => key === "date")?.value ?? "") ?? inner.date}`]),
      ...(inner.subject === undefined ? [] : [`Subject: ${inner.subject}`]),
    ];
    parts.push(`${head.join("\n")}\n\n${await textOf(inner, depth + 1)}`);
  }
  return parts.filter((part) => part !== "").join("\n\n");
}

async function kept(
  { filename, mimeType, disposition, related, content }: Attachment,
  attach: MessageOptions["attach"],
): Promise<JsonObject> {
  const type = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(mimeType) ? mimeType : "application/octet-stream";
  return {
    ...(filename ? { filename: clean(filename).slice(0, 500) } : {}),
    mime_type: type,
    inline: related === true && disposition !== "attachment",
    ...(await attach(contentBytes(content), type)),
  };
}

function mailboxes(addresses: readonly Address[] | undefined): { name: string; address: string }[] {
  return (addresses ?? [])
    .flatMap((one) => one.group ?? [one])
    .slice(0, ADDRESSES_MAX)
    .map(({ name, address }) => ({
      name: clean(name).slice(0, 1000),
      address: clean(address ?? "")
        .toLowerCase()
        .slice(0, 1000),
    }))
    .filter(({ name, address }) => name !== "" || address !== "");
}

const idsIn = (value: string): string[] =>
  [...value.slice(0, 20_000).matchAll(/<([^<>\s]{1,900})>/g)].map(([, id]) => clean(id!));

/** Gmail's own thread id, or else the first message of the thread, which is the first of the References. */
function threadOf(header: (name: string) => string, thread: string): string {
  const gmail = /^\d{1,30}$/.exec(header("x-gm-thrid").trim())?.[0];
  if (gmail !== undefined) return `gmail:${gmail}`;
  return idsIn(header("references"))[0] ?? idsIn(header("in-reply-to"))[0] ?? thread;
}

/** Splits a list such as Inbox,"Trips, 2024",Opened. The whole list is one encoded word if a label is not ASCII. */
function labelsOf(value: string): string[] {
  if (value === "") return [];
  const found =
    clean(decodeWords(value))
      .slice(0, 10_000)
      .match(/"(?:[^"\\]|\\.)*"|[^,"]+/g) ?? [];
  return found
    .map((label) => label.trim().replace(/^"|"$/g, "").replace(/\\(.)/g, "$1"))
    .filter((label) => label !== "");
}

/** Gmail writes its labels in the owner's language, and these are the known forms. */
const UNREAD = new Set(["Unread", "Ungelesen"]);
const OPENED = new Set(["Opened", "Geöffnet"]);
const STARRED = new Set(["Starred", "Markiert"]);
const STATES =
  /^(?:Unread|Ungelesen|Opened|Geöffnet|Starred|Markiert|Important|Wichtig|Category .*|Kategorie: .*|IMAP_.*)$/;

function gmailFlags(labels: readonly string[]): Flags {
  if (labels.length === 0) return {};
  const unread = labels.some((label) => UNREAD.has(label));
  return {
    ...(unread || labels.some((label) => OPENED.has(label)) ? { unread } : {}),
    ...(labels.some((label) => STARRED.has(label)) ? { starred: true } : {}),
  };
}

const folderIn = (labels: readonly string[]): string | undefined =>
  labels.find((label) => !STATES.test(label)) ?? labels[0];

const mozillaStatus = (header: (name: string) => string): number =>
  Number.parseInt(header("x-mozilla-status") || "0", 16) || 0;

/** Reads Status and X-Status of Unix mailboxes, and X-Mozilla-Status of Thunderbird. */
function headerFlags(header: (name: string) => string): Flags {
  const mozilla = header("x-mozilla-status");
  const bits = mozillaStatus(header);
  const letters = header("status") + header("x-status");
  if (mozilla !== "") {
    return {
      unread: (bits & 1) === 0,
      ...(bits & 4 ? { starred: true } : {}),
      ...(bits & 2 ? { answered: true } : {}),
    };
  }
  if (!/^[ROUADFNT ]{1,12}$/.test(letters)) return {};
  return {
    unread: !letters.includes("R"),
    ...(letters.includes("F") ? { starred: true } : {}),
    ...(letters.includes("A") ? { answered: true } : {}),
  };
}

/** Returns the id in brackets, as in `Team news <team.example.com>`, because filters use it. */
function listOf(value: string): { list_id?: string } {
  const id = /<([^<>\s]{1,300})>/.exec(value)?.[1] ?? value.trim().slice(0, 300);
  return id === "" ? {} : { list_id: clean(id) };
}

/** The text that a person would read first, without quoted text. */
function snippetOf(body: string): string {
  const lines = body.slice(0, 1200).split("\n");
  const own = lines.filter((line) => !line.startsWith(">")).join(" ");
  const text = (own.trim() === "" ? lines.join(" ") : own).replace(/\s{2,}|[^\S ]/g, " ").trim();
  return text.slice(0, SNIPPET_MAX).toWellFormed();
}
