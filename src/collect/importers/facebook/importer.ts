// Facebook downloads as JSON: Messenger messages, posts, comments, friends and albums, with the media next to them.
import type { JsonObject } from "../../../contract/json.ts";
import type { Entry } from "../../entry.ts";
import type { EntryPreview, ImportContext, ImportEvent, Importer, Recognition } from "../../importer.ts";
import { nameOf } from "../attached-file.ts";
import { estimateItems } from "../estimates.ts";
import { instantOf, isObject, objectIn, objectsIn, present, textIn, textsIn } from "../json-fields.ts";
import { type JsonItem, type JsonPath, jsonItems } from "../json-items.ts";
import { attachmentOf, createMetaMedia, isMetaMedia, type MetaMedia } from "../meta-media.ts";
import { parseMended } from "../meta-text.ts";
import { isThreadHead, readThreads, type Threads, threadEvents } from "../meta-threads.ts";
import { type Post, postRecord } from "../post-streams.ts";
import { digestOf, replayedLists } from "../replay.ts";
import { facebookDeclaration } from "./declaration.ts";

/** Matches once per item, to estimate the number of items. */
const ONE = /"sender_?[nN]ame"\s*:/g;

export const facebookImporter: Importer = {
  name: "facebook",
  title: "Facebook and Messenger (download as JSON)",
  from: [
    "Facebook: Settings → Your information → Download your information, format JSON",
    "Messenger: the same, or Settings → Privacy & safety → End-to-end encrypted chats → Download secure storage",
  ],
  recognise,
  async plan({ entries }) {
    const { name, email } = await profileOf(entries);
    const threads = entries.filter((entry) => !isMetaMedia(entry) && kindOf(entry.path) === "thread");
    return {
      account: { key: email ?? name ?? "facebook", name: name === undefined ? "Facebook" : `Facebook (${name})` },
      declaration: facebookDeclaration,
      streams: [
        { stream: "messages", ...(await estimateItems(threads, ONE)) },
        ...["conversations", "posts", "friends", "photos"].map((stream) => ({ stream })),
      ],
    };
  },
  async *run(input, context) {
    const jsons = input.entries.filter((entry) => !isMetaMedia(entry));
    const { name } = await profileOf(jsons);
    const threads = await readThreads(
      jsons.filter(({ path }) => kindOf(path) === "thread"),
      name,
    );
    const media = createMetaMedia(input.entries);
    const reading = { threads, media, context, owner: name };
    yield* replayedLists(input, context, {
      isList: (entry) => !isMetaMedia(entry),
      eventsOf: (entry) => eventsOf(entry, reading),
      unused: media.unused,
      reason: "no message, post or album refers to it",
    });
  },
};

type FileKind = "thread" | "posts" | "comments" | "friends" | "album" | "profile";

/** Determined by file name. Files with other names may be threads; only their content can tell. */
function kindOf(path: string): FileKind {
  const name = nameOf(path);
  if (/^your_(?:posts|uncategorized_photos|videos)[^/]*\.json$/.test(name)) return "posts";
  if (/^comments[^/]*\.json$/.test(name)) return "comments";
  if (/^(?:your_)?friends\.json$/.test(name)) return "friends";
  if (/^profile_information\.json$/.test(name)) return "profile";
  return /(?:^|[/-])(?:album[/-])?\d+\.json$/.test(path) && !/message_\d+\.json$/.test(name) && /album/.test(path)
    ? "album"
    : "thread";
}

/** How a file of each kind must begin. */
const BEGINNINGS: Record<Exclude<FileKind, "thread">, RegExp> = {
  posts:
    /^\s*(?:\[\s*\{[^{]*"(?:timestamp|attachments|data|title)"|\{\s*"(?:other_photos_v2|videos_v2|status_updates)"|\[\s*\])/,
  comments: /^\s*\{\s*"comments(?:_v2)?"\s*:/,
  friends: /^\s*\{\s*"friends(?:_v2)?"\s*:/,
  profile: /^\s*\{\s*"profile(?:_v2)?"\s*:/,
  album: /^\s*\{\s*"name"\s*:\s*"[^"]*"\s*,\s*"photos"\s*:/,
};

/** Folders of a download. A picture in one of them belongs to the download. */
const MEDIA_FOLDER =
  /(?:^|\/)(?:messages\/(?:inbox|archived_threads|filtered_threads|message_requests|e2ee_cutover)\/[^/]+\/(?:photos|videos|audio|gifs|files)|messages\/(?:stickers_used|photos)|posts\/media|photos_and_videos)\//;

function recognise({ path, root, head }: EntryPreview): Recognition | undefined {
  if (/instagram/i.test(`${root}/${path}`)) return undefined;
  if (/\.json$/i.test(path)) {
    const start = Buffer.from(head).toString();
    if (isThreadHead(start)) return { score: 93, reason: "Facebook messages" };
    const kind = kindOf(path);
    return kind !== "thread" && BEGINNINGS[kind].test(start) ? { score: 93, reason: "Facebook download" } : undefined;
  }
  if (MEDIA_FOLDER.test(path)) return { score: 85, reason: "media from a Facebook download" };
  if (/\.html?$/i.test(path)) {
    const start = Buffer.from(head).toString("latin1");
    if (!/class="(?:_a6-g|_a706|pam _3-95|_2lej|thread)\b/.test(start)) return undefined;
    return {
      score: 93,
      reason: "Facebook download as HTML",
      advice: "Request the download again and choose JSON as its format: HTML has no exact times.",
    };
  }
  return undefined;
}

async function profileOf(entries: readonly Entry[]): Promise<{ name?: string; email?: string }> {
  const [entry] = entries.filter(({ path }) => kindOf(path) === "profile");
  if (entry === undefined) return {};
  try {
    for await (const item of jsonItems(entry, (path) => path.length === 1, { parse: parseMended })) {
      if (!("value" in item) || !isObject(item.value)) continue;
      const name = textIn(objectIn(item.value, "name"), "full_name");
      const [email] = textsIn(objectIn(item.value, "emails"), "emails");
      return present({ name, email: email?.toLowerCase() }) as { name?: string; email?: string };
    }
  } catch {
    // The run reports what is wrong with the file.
  }
  return {};
}

interface Reading {
  threads: Threads;
  media: MetaMedia;
  context: ImportContext;
  owner: string | undefined;
}

async function* eventsOf(entry: Entry, reading: Reading): AsyncGenerator<ImportEvent> {
  const kind = kindOf(entry.path);
  if (kind === "thread") yield* threadEvents(entry, reading.threads, reading.media, reading.context);
  else if (kind === "album") yield* albumEvents(entry, reading);
  else if (kind === "profile") yield { kind: "skip", entry, reason: "the profile only identifies the account" };
  else yield* listEvents(entry, kind, reading);
}

/** Lists are at the root, or one level below it. */
const listed = (path: JsonPath): boolean =>
  typeof path.at(-1) === "number" && (path.length === 1 || (path.length === 2 && typeof path[0] === "string"));

async function* listEvents(
  entry: Entry,
  kind: "posts" | "comments" | "friends",
  reading: Reading,
): AsyncGenerator<ImportEvent> {
  for await (const item of jsonItems(entry, listed, { parse: parseMended })) {
    const { offset } = item;
    const value = objectOf(item);
    if (value === undefined) {
      yield { kind: "error", entry, offset, message: "problem" in item ? item.problem : "it is not an object" };
      continue;
    }
    const createdAt = instantOf(typeof value.timestamp === "number" ? value.timestamp : undefined);
    if (kind === "friends") {
      const name = textIn(value, "name");
      if (name === undefined) yield { kind: "error", entry, offset, message: "the friend has no name" };
      else {
        const id = reading.context.makeId(`friend-${digestOf(name, createdAt ?? "")}`);
        const data = present({ id, name, added_at: createdAt });
        yield { kind: "record", stream: "friends", key: id, data, entry, offset };
      }
    } else if (createdAt === undefined) yield { kind: "error", entry, offset, message: "it has no time" };
    else yield* postEvents(entry, offset, value, createdAt, kind === "comments" ? "comment" : "post", reading);
  }
}

const objectOf = (item: JsonItem): JsonObject | undefined =>
  "value" in item && isObject(item.value) ? item.value : undefined;

async function* postEvents(
  entry: Entry,
  offset: number,
  value: JsonObject,
  createdAt: string,
  kind: string,
  { media, context, owner }: Reading,
): AsyncGenerator<ImportEvent> {
  const attached = objectsIn(value, "attachments").flatMap((one) => objectsIn(one, "data"));
  const files = attached.flatMap((one) => (isObject(one.media) ? [one.media] : []));
  const texts = objectsIn(value, "data").flatMap(
    (one) => textIn(one, "post") ?? textIn(objectIn(one, "comment"), "comment") ?? [],
  );
  const described = files.flatMap((file) => textIn(file, "description") ?? []);
  const text = [...new Set([...texts, ...described])].join("\n") || undefined;
  const uris = files.flatMap((file) => textIn(file, "uri") ?? []);
  const url = attached.flatMap((one) => textIn(objectIn(one, "external_context"), "url") ?? [])[0];
  const title = textIn(value, "title");
  const attachments: NonNullable<Post["attachments"]>[number][] = [];
  for (const uri of uris) attachments.push(yield* attachmentOf(uri, media, context));
  const id = context.makeId(digestOf(kind, createdAt, text ?? "", title ?? "", url ?? "", ...uris));
  const data = postRecord({ id, kind, text, createdAt, authorName: owner, url, attachments }, { title });
  yield { kind: "record", stream: "posts", key: id, data, entry, offset };
}

async function* albumEvents(entry: Entry, { media, context }: Reading): AsyncGenerator<ImportEvent> {
  let album: string | undefined;
  const wanted = (path: JsonPath): boolean =>
    (path.length === 1 && path[0] === "name") || (path.length === 2 && path[0] === "photos");
  for await (const item of jsonItems(entry, wanted, { parse: parseMended })) {
    const { offset } = item;
    if (item.path.length === 1) {
      album = "value" in item && typeof item.value === "string" ? item.value.toWellFormed() : undefined;
      continue;
    }
    const value = objectOf(item);
    const uri = value && textIn(value, "uri");
    if (value === undefined || uri === undefined) {
      yield { kind: "error", entry, offset, message: "problem" in item ? item.problem : "the photo has no file" };
      continue;
    }
    const { name, blob } = yield* attachmentOf(uri, media, context);
    const id = context.makeId(`photo-${digestOf(uri)}`);
    const created_at = instantOf(typeof value.creation_timestamp === "number" ? value.creation_timestamp : undefined);
    const text = textIn(value, "description") ?? textIn(value, "title");
    const data = present({ id, name, text, album, created_at, picture: blob });
    yield { kind: "record", stream: "photos", key: id, data, entry, offset };
  }
}
