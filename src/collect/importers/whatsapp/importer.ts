// WhatsApp chat exports: one text file per chat in the phone's language, with pictures and files next to it.
import type { Entry } from "../../entry.ts";
import { headOf, linesOf } from "../../entry.ts";
import {
  type EntryPreview,
  HEAD_BYTES,
  type ImportAnswers,
  type ImportContext,
  type ImportEvent,
  type Importer,
  type ImporterQuestion,
  type ImportInput,
  type Recognition,
} from "../../importer.ts";
import { attachedFile, folderOf, joinPath, nameOf } from "../attached-file.ts";
import { present } from "../json-fields.ts";
import { localClock, localMillis, timeZoneQuestion } from "../local-time.ts";
import { ordinals } from "../ordinals.ts";
import { digestOf, replayedRun } from "../replay.ts";
import { type MessageContent, messageOf, splitSender } from "./content.ts";
import { whatsappDeclaration } from "./declaration.ts";
import { type ChatDateOrder, dateOf, isSameStyle, type MessageHeader, parseHeader } from "./header.ts";
import { type ChatSurvey, chatScore, survey } from "./survey.ts";

/** Longer than any message can be. */
const MESSAGE_CHARS_MAX = 256 * 1024;
const PARTICIPANTS_MAX = 5000;
/** A chat that mentions a file next to it outweighs any other recognition of that file. */
const CLAIM = 97;

export const whatsappImporter: Importer = {
  name: "whatsapp",
  title: "WhatsApp (exported chats)",
  from: ["WhatsApp: open a chat → Export chat"],
  recognise,
  /** Claims the files that a chat mentions as attached and that are next to it. */
  async claims(input, others) {
    const entries = [...input.entries, ...others.map(({ entry }) => entry)];
    const named = new Set(
      [...(await surveysOf(input, entries))].flatMap(([path, { files }]) =>
        [...files].map((file) => joinPath(folderOf(path), file)),
      ),
    );
    return others.flatMap(({ entry, score }) => (named.has(entry.path) && score < CLAIM ? [entry.path] : []));
  },
  async plan(input, answers) {
    localClock(answers);
    const byPath = await surveysOf(input);
    const surveys = [...byPath.values()];
    return {
      // An export does not say whose phone it was, so there is one account with every chat in it.
      account: { key: "whatsapp", name: "WhatsApp" },
      declaration: whatsappDeclaration,
      streams: [
        {
          stream: "messages",
          count: surveys.reduce((sum, { messages }) => sum + messages, 0),
          files: [...byPath].map(([path, { messages }]) => ({ path, count: messages })),
          ...spanOf(surveys, answers),
        },
        { stream: "chats", count: surveys.length },
      ],
      questions: [...dateQuestion(surveys), ...(surveys.length > 0 ? [timeZoneQuestion("WhatsApp")] : [])],
    };
  },
  async *run(input, context) {
    const surveys = await surveysOf(input);
    yield* replayedRun(input, context, (entry) => eventsOf(entry, input, surveys, context));
  },
};

function recognise({ path, root, head, has }: EntryPreview): Recognition | undefined {
  if (/\.txt$/i.test(path)) {
    const score = chatScore(head, path);
    if (score > 0) return { score, reason: "WhatsApp chat export" };
  }
  const folder = folderOf(path);
  const name = nameOf(path);
  // iOS numbers its exported files, so a file with such a number scores higher than a standalone address book.
  if (/^\d{8}-/.test(name) && has(joinPath(folder, "_chat.txt")))
    return { score: 96, reason: "file from a WhatsApp chat" };
  if (isChatFolder(folder === "" ? root : nameOf(folder))) return { score: 92, reason: "file from a WhatsApp chat" };
  // Without a chat name in its path, a picture could just as well be in a photo folder.
  return /-\d{8}-WA\d{4}\./.test(name) ? { score: 40, reason: "file from a WhatsApp chat" } : undefined;
}

/** `WhatsApp Chat with Ann.zip`, but not `WhatsApp Images`, where a phone keeps all pictures. */
const isChatFolder = (name: string): boolean =>
  /whatsapp/i.test(name) && /chat|conversa|discussion|чат|sohbet|トーク|聊天/i.test(name);

/** `all` lists the entries that may be next to the chats, if there are more than those of the input. */
async function surveysOf(
  { name, entries }: ImportInput,
  all: readonly Entry[] = entries,
): Promise<Map<string, ChatSurvey>> {
  const paths = new Set(all.map(({ path }) => path));
  const surveys = new Map<string, ChatSurvey>();
  for (const entry of entries) {
    if (!/\.txt$/i.test(entry.path)) continue;
    try {
      if (chatScore(await headOf(entry, HEAD_BYTES), entry.path) === 0) continue;
      const found = await survey(entry, name, (file) => paths.has(joinPath(folderOf(entry.path), file)));
      if (found !== undefined) surveys.set(entry.path, found);
    } catch {
      // The run reads the file again and reports what is wrong with it.
    }
  }
  return surveys;
}

/** Asked once for all ambiguous chats, because they come from one phone. */
function dateQuestion(surveys: readonly ChatSurvey[]): ImporterQuestion[] {
  const open = surveys.find(({ order }) => order === undefined);
  if (open === undefined) return [];
  const written = open.first.numbers.join(open.first.separator);
  const label = (order: ChatDateOrder): string => {
    const [year, month, day] = dateOf(open.first, order);
    return `${written} is ${new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10)}`;
  };
  return [
    {
      id: "date_order",
      text: `Which date order does “${open.chatName}” use?`,
      options: [
        { value: "dmy", label: `day first: ${label("dmy")}` },
        { value: "mdy", label: `month first: ${label("mdy")}` },
      ],
    },
  ];
}

function orderOf({ order }: ChatSurvey, { date_order }: ImportAnswers): ChatDateOrder | undefined {
  return order ?? (date_order === "dmy" || date_order === "mdy" ? date_order : undefined);
}

function spanOf(surveys: readonly ChatSurvey[], answers: ImportAnswers): { since?: string; until?: string } {
  const days = surveys.flatMap((one) => {
    const order = orderOf(one, answers);
    return order === undefined ? [] : [one.first, one.last].map((header) => millisOf(header, order) ?? 0);
  });
  if (days.length === 0) return {};
  const day = (millis: number): string => new Date(millis).toISOString().slice(0, 10);
  return { since: day(Math.min(...days)), until: day(Math.max(...days)) };
}

const millisOf = (header: MessageHeader, order: ChatDateOrder): number | undefined =>
  localMillis(...dateOf(header, order), header.hour, header.minute, header.second ?? 0);

interface OpenMessage {
  offset: number;
  local: number;
  content: MessageContent;
  isLong: boolean;
}

async function* eventsOf(
  entry: Entry,
  { entries }: ImportInput,
  surveys: ReadonlyMap<string, ChatSurvey>,
  context: ImportContext,
): AsyncGenerator<ImportEvent> {
  const chat = surveys.get(entry.path);
  const folder = folderOf(entry.path);
  if (chat === undefined) {
    const isNamed = [...surveys].some(
      ([path, { files }]) => folderOf(path) === folder && files.has(nameOf(entry.path)),
    );
    if (!isNamed) yield { kind: "skip", entry, reason: "no message refers to this file" };
    return;
  }
  const order = orderOf(chat, context.answers);
  if (order === undefined) {
    throw new Error("it is unclear whether day or month comes first in its dates: answer date_order with dmy or mdy");
  }
  const clock = localClock(context.answers);
  const chatId = context.makeId(chat.chatId);
  const files = new Map(entries.map((one) => [one.path, one]));
  const fileNamed = (name: string): Entry | undefined => files.get(joinPath(folder, name));
  const participants = new Set<string>();
  let count = 0;
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let open: OpenMessage | undefined;
  let ordinal = ordinals();
  let minute = Number.NaN;
  let stray = 0;

  for await (const { bytes, offset } of linesOf(entry)) {
    const line = bytes.toString().toWellFormed();
    const header = parseHeader(line);
    const local = header !== undefined && isSameStyle(chat.style, header) ? millisOf(header, order) : undefined;
    if (header !== undefined && local !== undefined) {
      if (open !== undefined) yield* closed(open);
      open = { offset, local, content: splitSender(header.rest), isLong: false };
    } else if (open === undefined) stray++;
    else if (open.content.text.length + line.length > MESSAGE_CHARS_MAX) open.isLong = true;
    else open.content.text += `\n${line}`;
  }
  if (open !== undefined) yield* closed(open);
  if (stray > 0) yield { kind: "skip", entry, reason: "lines before the first message", count: stray };
  const data = present({
    id: chatId,
    name: chat.chatName,
    participants: [...participants].sort(),
    message_count: count,
    first_message_at: count === 0 ? undefined : clock(first),
    last_message_at: count === 0 ? undefined : clock(last),
  });
  yield { kind: "record", stream: "chats", key: chatId, data, entry };

  async function* closed({ offset, local, content, isLong }: OpenMessage): AsyncGenerator<ImportEvent> {
    if (isLong) {
      yield { kind: "error", entry, offset, message: `a message longer than ${MESSAGE_CHARS_MAX} characters` };
      return;
    }
    const { kind, text, file, isEdited } = messageOf(content, (name) => fileNamed(name) !== undefined);
    const { sender } = content;
    if (sender !== undefined && kind !== "system" && participants.size < PARTICIPANTS_MAX) participants.add(sender);
    if (local !== minute) [minute, ordinal] = [local, ordinals()];
    // Media are identified by time and sender, because exports with and without files describe them differently.
    const digest = digestOf(
      chat!.chatId,
      new Date(local).toISOString(),
      sender ?? "",
      kind === "media" ? "" : text,
      kind,
    );
    const nth = ordinal(digest);
    const id = context.makeId(nth === 0 ? digest : `${digest}-${nth}`);
    const own = file === undefined ? undefined : fileNamed(file);
    const attached = own === undefined ? undefined : await attachedFile(own, context);
    if (attached !== undefined && "left" in attached) yield attached.left;
    const sent_at = clock(local);
    const message = present({
      id,
      chat_id: chatId,
      chat_name: chat!.chatName,
      kind,
      sender_name: sender,
      text,
      sent_at,
      is_edited: isEdited ? true : undefined,
      file_name: file,
      file: attached !== undefined && "blob" in attached ? attached.blob : undefined,
    });
    count++;
    [first, last] = [Math.min(first, local), Math.max(last, local)];
    yield { kind: "record", stream: "messages", key: id, data: message, entry, offset };
  }
}
