// Archives of Mastodon and similar servers: outbox.json as ActivityPub, with likes, bookmarks, the actor and media next
// to it.
import type { JsonObject, JsonValue } from "../../../contract/json.ts";
import { type Entry, wholeEntry } from "../../entry.ts";
import type { EntryPreview, ImportContext, ImportEvent, Importer, ImportInput, Recognition } from "../../importer.ts";
import { attachedFile, folderOf, joinPath, nameOf } from "../attached-file.ts";
import type { ChatAttachment } from "../chat-streams.ts";
import { estimateItems } from "../estimates.ts";
import { isoInstant } from "../iso-instant.ts";
import { isObject, objectsIn, textIn, textsIn } from "../json-fields.ts";
import { type JsonPath, jsonItems } from "../json-items.ts";
import { htmlText } from "../mail/html-text.ts";
import { postRecord } from "../post-streams.ts";
import { replayedLists } from "../replay.ts";
import { mastodonDeclaration } from "./declaration.ts";

/** Matches once per item, to estimate the number of items. */
const ONE = /"type"\s*:\s*"(?:Create|Announce)"/g;
const ACTOR_BYTES_MAX = 4 * 1024 * 1024;

export const mastodonImporter: Importer = {
  name: "mastodon",
  title: "Mastodon (archive of an account)",
  from: ["Mastodon: Preferences → Import and export → Data export → Request your archive"],
  recognise,
  async plan(input) {
    const handle = await ownerOf(input);
    const estimate = await estimateItems(input.entries.filter(isList), ONE);
    return {
      account: { key: handle ?? "mastodon", name: handle ?? "Mastodon" },
      declaration: mastodonDeclaration,
      streams: [{ stream: "posts", ...estimate }, { stream: "saved" }],
    };
  },
  async *run(input, context) {
    const media = new Map(input.entries.filter(isMedia).map((entry) => [mediaKey(entry.path), entry]));
    const used = new Set<Entry>();
    yield* replayedLists(input, context, {
      isList,
      eventsOf: (entry) => eventsOf(entry, media, used, context),
      unused: () => [...media.values()].filter((entry) => !used.has(entry)),
      reason: "no post refers to it",
    });
  },
};

const isActor = ({ path }: Pick<Entry, "path">): boolean => nameOf(path) === "actor.json";
const isMedia = ({ path }: Pick<Entry, "path">): boolean => !/\.json$/i.test(path);
const isList = (entry: Pick<Entry, "path">): boolean => !isMedia(entry) && !isActor(entry);
/** Media addresses begin at the server's root, with or without the folder for files. */
const mediaKey = (path: string): string => path.replace(/^.*?(?=media_attachments\/)/, "").replace(/^\//, "");

const CONTEXT = "https://www.w3.org/ns/activitystreams";

function recognise({ path, head, has }: EntryPreview): Recognition | undefined {
  if (/(?:^|\/)media_attachments\//.test(path)) {
    const root = path.slice(0, path.indexOf("media_attachments/")).replace(/\/$/, "");
    return has(joinPath(root, "outbox.json")) ? { score: 90, reason: "media in a Mastodon archive" } : undefined;
  }
  const start = Buffer.from(head).toString();
  if (/\.json$/i.test(path) && start.includes(CONTEXT)) {
    const isKnown =
      /"type"\s*:\s*"OrderedCollection(?:Page)?"/.test(start) ||
      (isActor({ path }) && /"type"\s*:\s*"Person"/.test(start));
    if (isKnown) return { score: 94, reason: "Mastodon archive" };
  }
  const isPicture = /^(?:avatar|header)\.\w+$/.test(nameOf(path)) && has(joinPath(folderOf(path), "outbox.json"));
  return isPicture ? { score: 90, reason: "picture from a Mastodon account" } : undefined;
}

/**
 * `https://example.social/users/ada` → @ada@example.social. With the leading @ it is not mistaken for an email address.
 */
function handleOf(actor: string | undefined): string | undefined {
  const url = actor === undefined ? null : URL.parse(actor);
  const name = /(?:^|\/)@?([^/]+)\/?$/.exec(url?.pathname ?? "")?.[1];
  return url === null || name === undefined ? undefined : `@${name}@${url.host}`;
}

async function ownerOf({ entries }: ImportInput): Promise<string | undefined> {
  const actor = entries.find(isActor);
  try {
    if (actor !== undefined) {
      const value = JSON.parse((await wholeEntry(actor, ACTOR_BYTES_MAX)).toString()) as JsonValue;
      const [id, name] = isObject(value) ? [textIn(value, "id"), textIn(value, "preferredUsername")] : [];
      const host = id === undefined ? undefined : URL.parse(id)?.host;
      if (host !== undefined && name !== undefined) return `@${name}@${host}`;
    }
    for (const entry of entries.filter(isList))
      for await (const item of jsonItems(entry, isItem))
        if ("value" in item && isObject(item.value)) return handleOf(textIn(item.value, "actor"));
  } catch {
    // The run reports what is wrong with the file.
  }
  return undefined;
}

const isItem = (path: JsonPath): boolean => path.length === 2 && path[0] === "orderedItems";

async function* eventsOf(
  entry: Entry,
  media: ReadonlyMap<string, Entry>,
  used: Set<Entry>,
  context: ImportContext,
): AsyncGenerator<ImportEvent> {
  const saved = /^(likes|bookmarks)/.exec(nameOf(entry.path))?.[1] === "bookmarks" ? "bookmark" : "like";
  for await (const item of jsonItems(entry, isItem)) {
    const { offset } = item;
    if ("problem" in item) yield { kind: "error", entry, offset, message: item.problem };
    else if (typeof item.value === "string") {
      const url = item.value.toWellFormed();
      const data = { id: context.makeId(`${saved}-${url}`.slice(0, 900)), kind: saved, url };
      yield { kind: "record", stream: "saved", key: data.id, data, entry, offset };
    } else if (isObject(item.value)) yield* activityEvents(entry, offset, item.value, media, used, context);
    else yield { kind: "error", entry, offset, message: "it is neither an activity nor an address" };
  }
}

async function* activityEvents(
  entry: Entry,
  offset: number,
  activity: JsonObject,
  media: ReadonlyMap<string, Entry>,
  used: Set<Entry>,
  context: ImportContext,
): AsyncGenerator<ImportEvent> {
  const type = textIn(activity, "type");
  const note = isObject(activity.object) ? activity.object : undefined;
  const id = (type === "Create" && note && textIn(note, "id")) || textIn(activity, "id");
  const createdAt = isoInstant((note && textIn(note, "published")) ?? textIn(activity, "published"));
  if (id === undefined || createdAt === undefined) {
    yield { kind: "error", entry, offset, message: "the activity has no id or no time" };
    return;
  }
  const attachments: ChatAttachment[] = [];
  for (const one of note === undefined ? [] : objectsIn(note, "attachment")) {
    const url = textIn(one, "url");
    const file = url === undefined ? undefined : media.get(mediaKey(url));
    if (file !== undefined) used.add(file);
    const kept = file === undefined ? undefined : await attachedFile(file, context);
    if (kept !== undefined && "left" in kept) yield kept.left;
    const facts = { name: textIn(one, "name"), mime_type: textIn(one, "mediaType") };
    attachments.push(kept !== undefined && "blob" in kept ? { ...facts, blob: kept.blob } : { ...facts, url });
  }
  const tags = note === undefined ? [] : objectsIn(note, "tag").filter((tag) => textIn(tag, "type") === "Hashtag");
  const replyTo = note && textIn(note, "inReplyTo");
  const data = postRecord(
    {
      id,
      kind: type === "Announce" ? "repost" : replyTo === undefined ? "post" : "reply",
      text:
        note === undefined ? undefined : htmlText(withoutTagLinks(textIn(note, "content") ?? "")).trim() || undefined,
      createdAt,
      authorHandle: handleOf(textIn(activity, "actor")),
      url: note === undefined ? textIn(activity, "object") : (textIn(note, "url") ?? textIn(note, "id")),
      replyTo,
      tags: tags.flatMap((tag) => textIn(tag, "name")?.replace(/^#/, "") ?? []),
      attachments,
    },
    { warning: note && textIn(note, "summary"), visibility: visibilityOf(activity) },
  );
  yield { kind: "record", stream: "posts", key: id, data, entry, offset };
}

/** A hashtag or a mention is text, and the address behind it adds nothing. */
const withoutTagLinks = (html: string): string =>
  html.replace(/<a\s[^>]{0,2000}>/g, (tag) => (/\sclass="[^"]*\b(?:hashtag|mention)\b/.test(tag) ? "<span>" : tag));

const PUBLIC_AUDIENCE = /^(?:as:|https:\/\/www\.w3\.org\/ns\/activitystreams#)Public$/;

function visibilityOf(activity: JsonObject): string {
  const isPublic = (name: string): boolean => textsIn(activity, name).some((to) => PUBLIC_AUDIENCE.test(to));
  if (isPublic("to")) return "public";
  if (isPublic("cc")) return "unlisted";
  const all = [...textsIn(activity, "to"), ...textsIn(activity, "cc")];
  return all.some((to) => to.endsWith("/followers")) ? "followers" : "direct";
}
