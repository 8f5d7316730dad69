// LinkedIn downloads: CSV files of connections, messages, shares and comments. Some files begin with notes.
import type { JsonObject } from "../../../contract/json.ts";
import type { Entry } from "../../entry.ts";
import type { EntryPreview, ImportContext, ImportEvent, Importer, Recognition } from "../../importer.ts";
import { type ChatPerson, type Conversation, conversationRecord, messageRecord, namedAfter } from "../chat-streams.ts";
import { type CsvObject, csvObjects, utcInstant } from "../csv-objects.ts";
import { decodeHead, textOf } from "../decode.ts";
import { present, textIn } from "../json-fields.ts";
import { writtenMillis } from "../local-time.ts";
import { htmlText } from "../mail/html-text.ts";
import { postRecord } from "../post-streams.ts";
import { digestOf, replayedRun } from "../replay.ts";
import { linkedinDeclaration } from "./declaration.ts";

type FileKind = "connections" | "messages" | "old messages" | "shares" | "comments" | "profile" | "addresses";

/** The header at the start of each file, and a column name that occurs only in the header. */
const HEADERS: Record<FileKind, readonly [header: RegExp, first: string]> = {
  connections: [/(?:^|\n)\ufeff?"?First Name"?,"?Last Name"?,[^\n]*Connected On/, "Connected On"],
  messages: [/^\ufeff?"?CONVERSATION ID"?,[^\n]*FROM[^\n]*CONTENT/, "CONVERSATION ID"],
  "old messages": [/^\ufeff?"?From"?,"?To"?,"?Date"?,"?Subject"?,"?Content"?,"?Direction"?,/, "Direction"],
  shares: [/^\ufeff?"?Date"?,"?ShareLink"?,"?ShareCommentary/, "ShareLink"],
  comments: [/^\ufeff?"?Date"?,"?Link"?,"?Message"?\s/, "Link"],
  profile: [/^\ufeff?"?First Name"?,"?Last Name"?,"?Maiden Name/, "Maiden Name"],
  addresses: [/^\ufeff?"?Email Address"?,"?Confirmed"?,"?Primary/, "Confirmed"],
};

const kindIn = (start: string): FileKind | undefined =>
  (Object.keys(HEADERS) as FileKind[]).find((kind) => HEADERS[kind][0].test(start));

export const linkedinImporter: Importer = {
  name: "linkedin",
  title: "LinkedIn (download of your data)",
  from: ["LinkedIn: Settings & Privacy → Data privacy → Get a copy of your data"],
  recognise,
  async plan(input) {
    const { name, address } = await survey(input.entries);
    return {
      account: { key: address ?? name ?? "linkedin", name: name === undefined ? "LinkedIn" : `LinkedIn (${name})` },
      declaration: linkedinDeclaration,
      streams: ["connections", "messages", "conversations", "posts"].map((stream) => ({ stream })),
    };
  },
  async *run(input, context) {
    const found = await survey(input.entries);
    yield* replayedRun(input, context, (entry) => eventsOf(entry, found, context));
  },
};

function recognise({ path, head }: EntryPreview): Recognition | undefined {
  if (!/\.csv$/i.test(path)) return undefined;
  const kind = kindIn(decodeHead(head));
  return kind === undefined ? undefined : { score: 93, reason: `LinkedIn, ${kind}` };
}

interface Survey {
  kinds: ReadonlyMap<string, FileKind>;
  name: string | undefined;
  address: string | undefined;
  /** People by conversation id. */
  people: ReadonlyMap<string, readonly ChatPerson[]>;
}

async function kindOf(entry: Entry): Promise<FileKind | undefined> {
  let start = "";
  for await (const bytes of entry.open()) {
    start += decodeHead(bytes);
    if (start.length >= HEAD_CHARACTERS) break;
  }
  return kindIn(start);
}

const HEAD_CHARACTERS = 4096;

async function survey(entries: readonly Entry[]): Promise<Survey> {
  const kinds = new Map<string, FileKind>();
  const byConversation = new Map<string, Participants>();
  const names = new Set<string>();
  let name: string | undefined;
  let address: string | undefined;
  for (const entry of [...entries].sort((one, other) => (one.path < other.path ? -1 : 1))) {
    try {
      const kind = await kindOf(entry);
      if (kind === undefined) continue;
      kinds.set(entry.path, kind);
      if (kind === "shares" || kind === "comments") continue;
      for await (const found of csvObjects(entry, HEADERS[kind][1])) {
        if ("problem" in found) continue;
        if (kind === "profile") name ??= fullName(found.row);
        else if (kind === "connections") names.add(fullName(found.row) ?? "");
        else if (kind === "addresses") {
          if (/^yes$/i.test(textIn(found.row, "Primary") ?? ""))
            address ??= textIn(found.row, "Email Address")?.toLowerCase();
        } else addParticipants(kind === "messages" ? found.row : presentRow(found.row), byConversation, names);
      }
    } catch {
      // The run reports what is wrong with the file.
    }
  }
  const people = new Map([...byConversation].map(([id, members]) => [id, peopleOf(members, names)]));
  return { kinds, name: name ?? presentEverywhere(people), address, people };
}

const fullName = (row: JsonObject): string | undefined =>
  [textIn(row, "First Name"), textIn(row, "Last Name")]
    .filter((part) => part !== undefined)
    .join(" ")
    .trim() || undefined;

const PEOPLE = "people-";

/**
 * Exports until 2018 have no ids, so messages between the same two people form one conversation. Their text is HTML,
 * even without tags.
 */
function presentRow(row: JsonObject): JsonObject {
  const [FROM, TO] = [textIn(row, "From"), textIn(row, "To")];
  const content = textIn(row, "Content");
  return present({
    "CONVERSATION ID": FROM === undefined ? undefined : PEOPLE + digestOf(...[FROM, TO ?? ""].sort()),
    FROM,
    TO,
    DATE: textIn(row, "Date"),
    SUBJECT: textIn(row, "Subject"),
    CONTENT: content === undefined ? undefined : htmlText(content).trim(),
  });
}

/**
 * The people in a conversation. Recipients are kept as in the file: a string with several names, mapped to their
 * profiles.
 */
interface Participants {
  senders: ChatPerson[];
  recipients: Map<string, string>;
}

function addParticipants(row: JsonObject, byConversation: Map<string, Participants>, names: Set<string>): void {
  const id = textIn(row, "CONVERSATION ID");
  const sender = personOf(textIn(row, "FROM"), textIn(row, "SENDER PROFILE URL"));
  if (id === undefined || sender.name === undefined) return;
  const members: Participants = byConversation.get(id) ?? { senders: [], recipients: new Map() };
  byConversation.set(id, members);
  names.add(sender.name);
  if (!members.senders.some(({ name, handle }) => name === sender.name && handle === sender.handle))
    members.senders.push(sender);
  const to = textIn(row, "TO");
  if (to !== undefined && !members.recipients.get(to))
    members.recipients.set(to, textIn(row, "RECIPIENT PROFILE URLS") ?? "");
}

function peopleOf({ senders, recipients }: Participants, names: ReadonlySet<string>): ChatPerson[] {
  const people: ChatPerson[] = [];
  const to = [...recipients].flatMap(([text, profiles]) => {
    const urls = profiles.split(",");
    // With two names and one profile, it is unknown whose profile it is.
    const found = profiles.includes("linkedin.com/in/") && urls.length === 1 ? [text] : namesIn(text, names);
    return found.map((name, at) => personOf(name, found.length === urls.length ? urls[at] : undefined));
  });
  for (const person of [...senders, ...to]) {
    const same = people.find(({ name }) => name === person.name);
    if (person.name !== undefined && same === undefined) people.push({ ...person });
    else if (same !== undefined) same.handle ??= person.handle;
  }
  return people;
}

/** Names are separated by commas, but some contain one: "Ana Li, MBA". Names that also occur as senders stay whole. */
function namesIn(text: string, known: ReadonlySet<string>): string[] {
  const parts = text.split(",");
  const found: string[] = [];
  for (let at = 0; at < parts.length; ) {
    let end = parts.length;
    while (end > at + 1 && !known.has(parts.slice(at, end).join(",").trim())) end--;
    found.push(parts.slice(at, end).join(",").trim());
    at = end;
  }
  return found;
}

function personOf(name: string | undefined, url: string | undefined): ChatPerson {
  const handle = /linkedin\.com\/in\/([^/?#\s]+)/.exec(url ?? "")?.[1];
  return { name: name?.trim() || undefined, handle };
}

/** Finds the owner in a download without a profile: the only person who takes part in every conversation. */
function presentEverywhere(people: ReadonlyMap<string, readonly ChatPerson[]>): string | undefined {
  if (people.size < 2) return undefined;
  const [first, ...rest] = [...people.values()].map((list) => new Set(list.map(({ name }) => name)));
  const everywhere = [...first!].filter((name) => rest.every((names) => names.has(name)));
  return everywhere.length === 1 ? everywhere[0] : undefined;
}

async function* eventsOf(entry: Entry, found: Survey, context: ImportContext): AsyncGenerator<ImportEvent> {
  const kind = found.kinds.get(entry.path);
  if (kind === undefined) throw new Error("its first line does not contain LinkedIn's column names");
  if (kind === "profile" || kind === "addresses") {
    yield { kind: "skip", entry, reason: "it only identifies the account" };
    return;
  }
  const written = new Set<string>();
  const quoteEscape = kind === "comments" && (await hasBackslashes(entry)) ? "\\" : '"';
  for await (const one of csvObjects(entry, HEADERS[kind][1], quoteEscape)) {
    if ("problem" in one) yield { kind: "error", entry, offset: one.line, message: one.problem };
    else if (kind === "connections") yield connection(entry, one, context);
    else if (kind === "messages") yield* messageEvents(entry, one, found, written, context);
    else if (kind === "old messages")
      yield* messageEvents(entry, { ...one, row: presentRow(one.row) }, found, written, context);
    else yield post(entry, one, kind, context);
  }
}

/** Since 2026 at the latest, quotes in comments are escaped with backslashes. The other files double them. */
async function hasBackslashes(entry: Entry): Promise<boolean> {
  let last = "";
  for await (const text of textOf(entry)) {
    if ((last + text).includes('\\"')) return true;
    last = text.slice(-1);
  }
  return false;
}

type Row = Extract<CsvObject, { row: JsonObject }>;

/** `2024-03-15 09:30:00 UTC`, or until 2018 `3/15/18, 9:30 AM`. */
function instantOf(text: string | undefined): string | undefined {
  const early =
    /^(?<month>\d{1,2})\/(?<day>\d{1,2})\/(?<year>\d\d), (?<hour>\d{1,2}):(?<minute>\d\d) (?<half>[AP])M$/.exec(
      text ?? "",
    );
  if (early === null) return utcInstant(text);
  const millis = writtenMillis({ ...early.groups, year: `20${early.groups!.year}` });
  return millis === undefined ? undefined : new Date(millis).toISOString();
}

/** `15 Jan 2024`, or until 2018 with a time. */
function dayOf(text: string | undefined): string | undefined {
  const instant = instantOf(text);
  if (instant !== undefined) return instant.slice(0, 10);
  const named = /^(?<day>\d{1,2}) (?<month>[A-Z][a-z]{2}) (?<year>\d{4})$/.exec(text ?? "");
  const millis = writtenMillis(named?.groups);
  return millis === undefined ? undefined : new Date(millis).toISOString().slice(0, 10);
}

function connection(entry: Entry, { row, line }: Row, { makeId }: ImportContext): ImportEvent {
  const name = fullName(row);
  const url = textIn(row, "URL");
  const { handle } = personOf(name, url);
  if (name === undefined && handle === undefined)
    return { kind: "error", entry, offset: line, message: "the connection has neither a name nor a profile" };
  const address = textIn(row, "Email Address")?.toLowerCase();
  const connected_on = dayOf(textIn(row, "Connected On"));
  const id = makeId(`connection-${digestOf(handle ?? `${name} ${connected_on}`)}`);
  const data = present({
    id,
    name: name ?? handle,
    handle,
    // Some exports contain the member's name instead of an address.
    address: address?.includes("@") ? address : undefined,
    company: textIn(row, "Company"),
    position: textIn(row, "Position"),
    url,
    connected_on,
  });
  return { kind: "record", stream: "connections", key: id, data, entry, offset: line };
}

function* messageEvents(
  entry: Entry,
  { row, line }: Row,
  { name: owner, people }: Survey,
  written: Set<string>,
  { makeId }: ImportContext,
): Generator<ImportEvent> {
  const known = textIn(row, "CONVERSATION ID");
  const sentAt = instantOf(textIn(row, "DATE"));
  if (known === undefined || sentAt === undefined) {
    yield { kind: "error", entry, offset: line, message: "the row has no conversation or no time" };
    return;
  }
  // A digest of names can be guessed, so it is hashed with a key. LinkedIn's own ids cannot be guessed.
  const id = known.startsWith(PEOPLE) ? makeId(known) : known;
  const participants = [...(people.get(known) ?? [])];
  const others = participants.filter(({ name }) => name !== owner);
  const name = textIn(row, "CONVERSATION TITLE") ?? namedAfter(others) ?? "Unknown";
  const conversation: Conversation = { id, name, kind: participants.length > 2 ? "group" : "direct", participants };
  if (!written.has(id)) {
    written.add(id);
    yield { kind: "record", stream: "conversations", key: id, data: conversationRecord(conversation), entry };
  }
  const sender = personOf(textIn(row, "FROM"), textIn(row, "SENDER PROFILE URL"));
  const content = textIn(row, "CONTENT");
  const text = content !== undefined && /<[a-z][^<>]*>/i.test(content) ? htmlText(content).trim() : content;
  const subject = textIn(row, "SUBJECT");
  const key = makeId(digestOf("message", id, sentAt, sender.name ?? "", content ?? "", subject ?? ""));
  const direction =
    owner === undefined || sender.name === undefined ? undefined : sender.name === owner ? "sent" : "received";
  const attachments = (textIn(row, "ATTACHMENTS") ?? "").match(/https:\/\/[^\s,]+/g)?.map((url) => ({ url }));
  const data = messageRecord(
    { id: key, conversation, direction, sender, text, sentAt, ...(attachments && { attachments }) },
    { subject },
  );
  yield { kind: "record", stream: "messages", key, data, entry, offset: line };
}

function post(entry: Entry, { row, line }: Row, kind: "shares" | "comments", { makeId }: ImportContext): ImportEvent {
  const createdAt = instantOf(textIn(row, "Date"));
  const url = textIn(row, "ShareLink") ?? textIn(row, "Link");
  const text = withoutLineQuotes(textIn(row, "ShareCommentary")) ?? textIn(row, "Message");
  if (createdAt === undefined) return { kind: "error", entry, offset: line, message: "the row has no time" };
  const id = makeId(digestOf(kind, createdAt, url ?? "", text ?? ""));
  const one = { id, kind: kind === "shares" ? "post" : "comment", text, createdAt, url };
  const data = postRecord(one, { shared_url: textIn(row, "SharedUrl") ?? textIn(row, "SharedURL") });
  return { kind: "record", stream: "posts", key: id, data, entry, offset: line };
}

/** In a share with several lines, each line has its own quotes. */
const withoutLineQuotes = (text: string | undefined): string | undefined => text?.replaceAll('"\n"', "\n").trim();
