// Instagram downloads as JSON: posts, stories and reels with their media, messages, comments, followers.
import type { JsonObject } from "../../../contract/json.ts";
import type { Entry } from "../../entry.ts";
import type { EntryPreview, ImportContext, ImportEvent, Importer, Recognition } from "../../importer.ts";
import { nameOf } from "../attached-file.ts";
import { estimateItems } from "../estimates.ts";
import { instantOf, isObject, objectIn, objectsIn, present, textIn } from "../json-fields.ts";
import { type JsonPath, jsonItems } from "../json-items.ts";
import { attachmentOf, createMetaMedia, isMetaMedia, type MetaMedia } from "../meta-media.ts";
import { parseMended } from "../meta-text.ts";
import { isThreadHead, readThreads, type Threads, threadEvents } from "../meta-threads.ts";
import { type Post, postRecord } from "../post-streams.ts";
import { digestOf, replayedLists } from "../replay.ts";
import { instagramDeclaration } from "./declaration.ts";

/** Matches once per item, to estimate the number of items. */
const ONE = /"sender_name"\s*:/g;

export const instagramImporter: Importer = {
  name: "instagram",
  title: "Instagram (download as JSON)",
  from: ["Instagram: Settings → Accounts Centre → Your information → Download your information, format JSON"],
  recognise,
  async plan({ entries }) {
    const { handle } = await profileOf(entries);
    return {
      account: { key: handle ?? "instagram", name: handle === undefined ? "Instagram" : `@${handle}` },
      declaration: instagramDeclaration,
      streams: [
        { stream: "messages", ...(await estimateItems(entries.filter(isThread), ONE)) },
        ...["conversations", "posts", "people"].map((stream) => ({ stream })),
      ],
    };
  },
  async *run(input, context) {
    const { handle, name } = await profileOf(input.entries);
    const threads = await readThreads(input.entries.filter(isThread), name);
    const media = createMetaMedia(input.entries);
    const reading = { threads, media, context, owner: handle };
    yield* replayedLists(input, context, {
      isList: (entry) => !isMetaMedia(entry),
      eventsOf: (entry) => eventsOf(entry, reading),
      unused: media.unused,
      reason: "no message or post refers to it",
    });
  },
};

const isThread = ({ path }: Pick<Entry, "path">): boolean => /(?:^|\/)message_\d+\.json$/.test(path);
const isProfile = ({ path }: Pick<Entry, "path">): boolean => nameOf(path) === "personal_information.json";

/** Media lists are at the root or below one of these keys. */
const POSTS = /^\ufeff?\s*\[\s*\{\s*"(?:media|ig_\w+)"\s*:\s*\[\s*\{\s*"(?:uri|media)"\s*:/;
const NAMED = /^\ufeff?\s*\{\s*"(?:ig_[a-z_]+|relationships_[a-z_]+|profile_user|comments_[a-z_]+)"\s*:/;
const PEOPLE = /^\ufeff?\s*\[\s*\{[^[\]]*(?:"media_list_data"|"string_list_data")\s*:/;
/** Folders of a download that contain its media. */
const MEDIA_FOLDER =
  /(?:^|\/)media\/(?:posts|stories|reels|igtv|other|profile|archived_posts)\/|instagram[^/]*\/.*messages\/inbox\/[^/]+\/(?:photos|videos|audio)\//i;

function recognise({ path, root, head }: EntryPreview): Recognition | undefined {
  const isNamed = /instagram/i.test(`${root}/${path}`);
  if (/\.json$/i.test(path)) {
    const start = Buffer.from(head).toString();
    if (isNamed && isThreadHead(start)) return { score: 94, reason: "Instagram messages" };
    const isOwn = POSTS.test(start) || NAMED.test(start) || PEOPLE.test(start);
    return isOwn ? { score: 93, reason: "Instagram download" } : undefined;
  }
  return MEDIA_FOLDER.test(path) ? { score: 84, reason: "media from an Instagram download" } : undefined;
}

/** Labels are in the account's language, and only the English ones are recognised here. */
async function profileOf(entries: readonly Entry[]): Promise<{ handle?: string; name?: string }> {
  const [entry] = entries.filter(isProfile);
  if (entry === undefined) return {};
  try {
    for await (const item of jsonItems(entry, (path) => path.length === 2, { parse: parseMended })) {
      if (!("value" in item) || !isObject(item.value)) continue;
      const facts = objectIn(item.value, "string_map_data");
      const value = (label: string): string | undefined => textIn(objectIn(facts, label), "value");
      return present({ handle: value("Username"), name: value("Name") }) as { handle?: string; name?: string };
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

const listed = (path: JsonPath): boolean =>
  typeof path.at(-1) === "number" && (path.length === 1 || (path.length === 2 && typeof path[0] === "string"));

async function* eventsOf(entry: Entry, reading: Reading): AsyncGenerator<ImportEvent> {
  if (isThread(entry)) {
    yield* threadEvents(entry, reading.threads, reading.media, reading.context);
    return;
  }
  if (isProfile(entry)) {
    yield { kind: "skip", entry, reason: "the profile only identifies the account" };
    return;
  }
  for await (const item of jsonItems(entry, listed, { parse: parseMended })) {
    const { offset, path } = item;
    if ("problem" in item || !isObject(item.value)) {
      yield { kind: "error", entry, offset, message: "problem" in item ? item.problem : "it is not an object" };
    } else {
      const list = typeof path[0] === "string" ? path[0] : "";
      yield* itemEvents(entry, offset, list, item.value, reading);
    }
  }
}

/** The kind of an item follows from the name of its list, or from its fields. */
async function* itemEvents(
  entry: Entry,
  offset: number,
  list: string,
  value: JsonObject,
  reading: Reading,
): AsyncGenerator<ImportEvent> {
  if (Array.isArray(value.string_list_data)) {
    yield followEvent(entry, offset, list, value);
    return;
  }
  if (isObject(value.string_map_data)) {
    yield commentEvent(entry, offset, value, reading);
    return;
  }
  // Older downloads mix all kinds in one list, where each item has its own key.
  const inner = Object.entries(value).flatMap(([name, own]) =>
    name.startsWith("ig_") && Array.isArray(own) ? own.filter(isObject).map((one) => ({ name, one })) : [],
  );
  if (inner.length === 0) yield* postEvents(entry, offset, kindOf(list), value, reading);
  for (const { name, one } of inner) yield* postEvents(entry, offset, kindOf(name), one, reading);
}

/** `ig_igtv_media` → igtv */
const kindOf = (list: string): string =>
  /^ig_(.+?)(?:_media|_post_media)?$/.exec(list)?.[1]?.replaceAll("_", " ") ?? "post";

async function* postEvents(
  entry: Entry,
  offset: number,
  kind: string,
  value: JsonObject,
  { media, context, owner }: Reading,
): AsyncGenerator<ImportEvent> {
  const files = Array.isArray(value.media) ? objectsIn(value, "media") : [value];
  const uris = files.flatMap((file) => textIn(file, "uri") ?? []);
  const times = [value, ...files].flatMap(({ creation_timestamp: time }) => (typeof time === "number" ? time : []));
  const createdAt = instantOf(times[0]);
  if (uris.length === 0 || createdAt === undefined) {
    yield { kind: "error", entry, offset, message: "it has no media or no time" };
    return;
  }
  const text = [value, ...files].flatMap((one) => textIn(one, "title") ?? [])[0];
  const attachments: NonNullable<Post["attachments"]>[number][] = [];
  for (const uri of uris) attachments.push(yield* attachmentOf(uri, media, context));
  // Media file names are unique, so the same post in another list of an older download gets the same id.
  const id = context.makeId(`post-${digestOf(...uris)}`);
  const data = postRecord({ id, kind, text, createdAt, authorHandle: owner, attachments }, placeOf(files));
  yield { kind: "record", stream: "posts", key: id, data, entry, offset };
}

function placeOf(files: readonly JsonObject[]): { latitude?: number; longitude?: number } {
  for (const file of files) {
    const facts = objectIn(file, "media_metadata");
    const exif = [objectIn(facts, "photo_metadata"), objectIn(facts, "video_metadata")].flatMap((one) =>
      objectsIn(one, "exif_data"),
    );
    for (const { latitude, longitude } of exif)
      if (typeof latitude === "number" && typeof longitude === "number") return { latitude, longitude };
  }
  return {};
}

function commentEvent(entry: Entry, offset: number, value: JsonObject, { context, owner }: Reading): ImportEvent {
  const facts = Object.values(objectIn(value, "string_map_data")).filter(isObject);
  // The comment is the first text, and its time is the first time, whatever language the labels are in.
  const text = facts.flatMap((one) => textIn(one, "value") ?? [])[0];
  const createdAt = instantOf(
    facts.flatMap(({ timestamp }) => (typeof timestamp === "number" && timestamp > 0 ? timestamp : []))[0],
  );
  if (text === undefined || createdAt === undefined)
    return { kind: "error", entry, offset, message: "the comment has no text or no time" };
  const id = context.makeId(`comment-${digestOf(createdAt, text)}`);
  const data = postRecord({ id, kind: "comment", text, createdAt, authorHandle: owner });
  return { kind: "record", stream: "posts", key: id, data, entry, offset };
}

function followEvent(entry: Entry, offset: number, list: string, value: JsonObject): ImportEvent {
  const [facts = {}] = objectsIn(value, "string_list_data");
  const handle = textIn(facts, "value") ?? textIn(value, "title");
  if (handle === undefined) return { kind: "error", entry, offset, message: "the account has no name" };
  if (list !== "" && !/^relationships_(?:following|followers)$/.test(list))
    return {
      kind: "skip",
      entry,
      offset,
      reason: `accounts in another list: ${list.replaceAll("_", " ").slice(0, 60)}`,
    };
  const kind = list === "relationships_following" ? "following" : "follower";
  const since = instantOf(typeof facts.timestamp === "number" ? facts.timestamp : undefined);
  const data = present({ id: `${kind}-${handle}`, kind, name: handle, handle, url: textIn(facts, "href"), since });
  return { kind: "record", stream: "people", key: data.id as string, data, entry, offset };
}
