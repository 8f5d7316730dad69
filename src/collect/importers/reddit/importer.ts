// Reddit data requests: CSV files of posts, comments, messages and saved items.
import type { JsonObject } from "../../../contract/json.ts";
import type { Entry } from "../../entry.ts";
import type { EntryPreview, ImportEvent, Importer, ImportInput, Recognition } from "../../importer.ts";
import { nameOf } from "../attached-file.ts";
import { messageRecord } from "../chat-streams.ts";
import { csvObjects, utcInstant } from "../csv-objects.ts";
import { decodeHead } from "../decode.ts";
import { present, textIn } from "../json-fields.ts";
import { postRecord } from "../post-streams.ts";
import { replayedRun } from "../replay.ts";
import { redditDeclaration } from "./declaration.ts";

type FileKind = "post" | "comment" | "message" | "saved post" | "saved comment" | "account";

const NAMES: readonly (readonly [RegExp, FileKind, header: RegExp])[] = [
  [/^posts?(?:_headers)?\.csv$/i, "post", /^\ufeff?id,permalink,date,(?=[^\n]*subreddit)(?=[^\n]*title)/],
  [/^comments?(?:_headers)?\.csv$/i, "comment", /^\ufeff?id,permalink,date,(?=[^\n]*subreddit)(?=[^\n]*parent)/],
  [/^messages(?:_archive)?(?:_headers)?\.csv$/i, "message", /^\ufeff?id,permalink,thread_id,date,/],
  [/^saved_posts\.csv$/i, "saved post", /^\ufeff?id,permalink\s*(?:\n|$)/],
  [/^saved_comments\.csv$/i, "saved comment", /^\ufeff?id,permalink\s*(?:\n|$)/],
  [/^statistics\.csv$/i, "account", /^\ufeff?statistic,value/],
];

const kindOf = (path: string): FileKind | undefined => NAMES.find(([name]) => name.test(nameOf(path)))?.[1];

export const redditImporter: Importer = {
  name: "reddit",
  title: "Reddit (data request)",
  from: ["Reddit: reddit.com/settings/data-request"],
  recognise,
  async plan(input) {
    const owner = await ownerOf(input);
    return {
      account: { key: owner ?? "reddit", name: owner === undefined ? "Reddit" : `u/${owner}` },
      declaration: redditDeclaration,
      streams: ["posts", "messages", "saved"].map((stream) => ({ stream })),
    };
  },
  async *run(input, context) {
    const owner = await ownerOf(input);
    yield* replayedRun(input, context, (entry) => eventsOf(entry, owner));
  },
};

function recognise({ path, head }: EntryPreview): Recognition | undefined {
  const start = decodeHead(head);
  const found = NAMES.find(([name, , header]) => name.test(nameOf(path)) && header.test(start));
  return found === undefined ? undefined : { score: 93, reason: `Reddit, ${found[1]}s` };
}

/** `statistics.csv` contains the account name in a row of its own. */
async function ownerOf({ entries }: ImportInput): Promise<string | undefined> {
  for (const entry of entries.filter(({ path }) => kindOf(path) === "account")) {
    for await (const found of csvObjects(entry, "statistic"))
      if ("row" in found && textIn(found.row, "statistic") === "account name") return textIn(found.row, "value");
  }
  return undefined;
}

async function* eventsOf(entry: Entry, owner: string | undefined): AsyncGenerator<ImportEvent> {
  const kind = kindOf(entry.path);
  if (kind === "account") {
    yield { kind: "skip", entry, reason: "it only identifies the account" };
    return;
  }
  for await (const found of csvObjects(entry, "permalink")) {
    const offset = found.line;
    if ("problem" in found) {
      yield { kind: "error", entry, offset, message: found.problem };
      continue;
    }
    const [stream, data] = recordOf(kind ?? "post", found.row, owner);
    yield data === undefined
      ? { kind: "error", entry, offset, message: "the row has no id or no time" }
      : { kind: "record", stream, key: data.id as string, data, entry, offset };
  }
}

const addressOf = (permalink: string | undefined): string | undefined =>
  permalink?.startsWith("/") ? `https://www.reddit.com${permalink}` : permalink;

function recordOf(
  kind: FileKind,
  row: JsonObject,
  owner: string | undefined,
): [stream: string, JsonObject | undefined] {
  const id = textIn(row, "id");
  const url = addressOf(textIn(row, "permalink"));
  if (kind === "saved post" || kind === "saved comment") {
    const saved = kind.slice("saved ".length);
    return ["saved", id === undefined ? undefined : present({ id: `${saved}-${id}`, kind: saved, url })];
  }
  const time = utcInstant(textIn(row, "date"));
  if (kind === "message") return ["messages", id && time ? messageOf(row, id, time, owner) : undefined];
  if (id === undefined || time === undefined) return ["posts", undefined];
  const post = {
    id: `${kind}-${id}`,
    kind,
    text: textIn(row, "body"),
    createdAt: time,
    url,
    replyTo: textIn(row, "parent"),
  };
  const extra = {
    title: textIn(row, "title"),
    subreddit: textIn(row, "subreddit"),
    link: textIn(row, "url") ?? textIn(row, "link"),
  };
  return ["posts", postRecord(post, extra)];
}

function messageOf(row: JsonObject, id: string, sentAt: string, owner: string | undefined): JsonObject {
  const [from, to] = [textIn(row, "from"), textIn(row, "to")];
  const other = from === owner ? to : from;
  return messageRecord(
    {
      id,
      conversation: { id: textIn(row, "thread_id") ?? id, name: other ?? "Unknown" },
      direction: owner === undefined || from === undefined ? undefined : from === owner ? "sent" : "received",
      sender: { handle: from },
      text: textIn(row, "body"),
      sentAt,
    },
    { subject: textIn(row, "subject") },
  );
}
