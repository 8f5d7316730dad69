// X (Twitter) archives: data/*.js, each a list after `window.YTD.… =`, with media in folders next to them.
import type { JsonObject } from "../../../contract/json.ts";
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
import { attachedFile, joinPath, nameOf } from "../attached-file.ts";
import { estimateItems } from "../estimates.ts";
import { isObject, objectIn, present, textIn } from "../json-fields.ts";
import { type JsonItem, type JsonPath, jsonItems } from "../json-items.ts";
import { replayed } from "../replay.ts";
import { xDeclaration } from "./declaration.ts";
import { accountData, directMessageData, followData, likeData, noteData, tweetData } from "./tweet.ts";

type ArchiveFileKind =
  | "tweets"
  | "deleted"
  | "notes"
  | "likes"
  | "messages"
  | "follower"
  | "following"
  | "account"
  | "profile";

/** Keyed by file name without `-part1`. Older archives use the singular. */
const KINDS: Readonly<Record<string, ArchiveFileKind>> = {
  tweet: "tweets",
  tweets: "tweets",
  "community-tweet": "tweets",
  "community-tweets": "tweets",
  "deleted-tweet": "deleted",
  "deleted-tweets": "deleted",
  "note-tweet": "notes",
  like: "likes",
  likes: "likes",
  "direct-message": "messages",
  "direct-messages": "messages",
  "direct-message-group": "messages",
  "direct-messages-group": "messages",
  follower: "follower",
  following: "following",
  account: "account",
  profile: "profile",
};
/** The streams whose items are counted, and a pattern that matches once per item. */
const ONE: readonly [stream: string, kinds: readonly ArchiveFileKind[], begin: RegExp][] = [
  ["tweets", ["tweets"], /"full_text"\s*:/g],
  ["likes", ["likes"], /"like"\s*:\s*\{/g],
  ["direct_messages", ["messages"], /"messageCreate"\s*:/g],
  ["follows", ["follower", "following"], /"(?:follower|following)"\s*:\s*\{/g],
];
/** Matches files inside an archive, and captures the path of the archive's root. */
const INSIDE = /^(.*?\/)?(?:data|assets)\/.+$|^(.*?\/)?Your archive\.html$/;

export const xImporter: Importer = {
  name: "x",
  title: "X (Twitter archive)",
  from: ["X: Settings → Your account → Download an archive of your data"],
  recognise,
  async plan(input) {
    const { account } = await readAccount(input);
    const id = textIn(account, "accountId");
    const username = textIn(account, "username");
    const counted = new Map<string, PlannedStream>([
      ["account", { stream: "account", count: id === undefined ? 0 : 1 }],
    ]);
    for (const [stream, kinds, begin] of ONE) {
      const own = input.entries.filter(({ path }) => kinds.includes(kindOf(path) ?? "profile"));
      counted.set(stream, { stream, ...(await estimateItems(own, begin)) });
    }
    return {
      account: { key: id ?? "x", name: username === undefined ? "X" : `@${username}` },
      declaration: xDeclaration,
      streams: xDeclaration.streams.map(({ name }) => counted.get(name) ?? { stream: name }),
      warnings: id === undefined ? ["data/account.js is missing: the owner of this archive is unknown"] : [],
    };
  },
  async *run(input, context) {
    const media = mediaOf(input);
    /** Ids of posts and messages that have media. Lists come before their media, even when sorted by name. */
    let used: Set<string> | undefined = context.resume === undefined ? new Set() : undefined;
    for (const { entry, position } of entriesFrom(input, context)) {
      if (MEDIA.test(entry.path)) used ??= await idsAmong(input, media);
      yield* replayed(entry, position, eventsOf(entry, { input, media, context, used }));
    }
  },
};

function kindOf(path: string): ArchiveFileKind | undefined {
  const name = /^([a-z-]+?)(?:-part\d+)?\.js$/.exec(nameOf(path))?.[1];
  return name !== undefined && Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
}

function recognise({ path, head, has }: EntryPreview): Recognition | undefined {
  const start = Buffer.from(head).subarray(0, 200).toString();
  const [, folder = "", other = ""] = INSIDE.exec(path) ?? [];
  const root = (folder || other).replace(/\/$/, "");
  const group = root === "" ? {} : { group: root };
  if (/^\s*window\.(?:YTD\.\w+\.part\d+|__THAR_CONFIG)\s*=/.test(start)) {
    return { score: 95, reason: "X archive", ...group };
  }
  if (/^\s*Grailbird\.data\.\w+\s*=/.test(start)) {
    return {
      score: 95,
      reason: "Twitter archive from before 2019",
      advice: "Download the archive again: Settings, Your account, Download an archive of your data.",
    };
  }
  const isArchive = has(joinPath(root, "data/account.js")) || has(joinPath(root, "data/manifest.js"));
  return INSIDE.test(path) && isArchive ? { score: 90, reason: "part of an X archive", ...group } : undefined;
}

/** Media are in their own folders, `tweets_media/<id>-<name>`. */
const MEDIA =
  /(?:^|\/)(?:tweets?|community_tweet|direct_messages?(?:_group)?|deleted_tweets?)_media\/(?:(\d+)-)?[^/]+$/;
const mediaId = ({ path }: Entry): string | undefined => MEDIA.exec(path)?.[1];

const HAS_MEDIA: ReadonlySet<string> = new Set(["tweets", "direct_messages"]);

type Media = ReadonlyMap<string, readonly Entry[]>;

function mediaOf({ entries }: ImportInput): Media {
  const media = new Map<string, Entry[]>();
  for (const entry of entries) {
    const id = mediaId(entry);
    if (id !== undefined) media.set(id, [...(media.get(id) ?? []), entry]);
  }
  return media;
}

async function readAccount({ entries }: ImportInput): Promise<{ account: JsonObject; profile: JsonObject }> {
  const found = { account: {} as JsonObject, profile: {} as JsonObject };
  for (const entry of entries) {
    const kind = kindOf(entry.path);
    if (kind !== "account" && kind !== "profile") continue;
    try {
      for await (const item of listed(entry)) {
        if ("value" in item && isObject(item.value)) found[kind] = objectIn(item.value, kind);
      }
    } catch {
      // The run reports what is wrong with the file.
    }
  }
  return found;
}

const listed = (entry: Entry): AsyncGenerator<JsonItem> =>
  jsonItems(entry, (path) => path.length === 1, { behindPrefix: true });

interface ArchiveReading {
  input: ImportInput;
  media: Media;
  context: ImportContext;
  /** Filled during the run. Undefined in a resumed run that has not reached the media yet. */
  used: Set<string> | undefined;
}

async function* eventsOf(entry: Entry, { input, media, context, used }: ArchiveReading): AsyncGenerator<ImportEvent> {
  const kind = kindOf(entry.path);
  if (kind === undefined) {
    // Used media are imported with their record.
    const isUsed = MEDIA.test(entry.path) && used?.has(mediaId(entry) ?? "");
    if (!isUsed) yield { kind: "skip", entry, reason: leftOut(entry.path) };
    return;
  }
  if (kind === "profile") return;
  if (kind === "account") {
    const { account, profile } = await readAccount(input);
    const data = accountData(account, profile);
    if (data === undefined) throw new Error("it does not identify an account");
    yield {
      kind: "record",
      stream: "account",
      key: data.id as string,
      data,
      entry,
    };
    return;
  }
  for await (const found of foundIn(entry, kind)) {
    if (!("data" in found)) {
      yield found;
      continue;
    }
    const { stream, data, offset } = found;
    const id = data.id as string;
    // An archive contains only the owner's media. If a liked post is the owner's own, its pictures are stored with the
    // post.
    const files = HAS_MEDIA.has(stream) ? (media.get(id) ?? []) : [];
    if (files.length > 0) used?.add(id);
    for (const file of files) {
      const attached = await attachedFile(file, context);
      if ("left" in attached) yield attached.left;
      const one = present({ name: nameOf(file.path), blob: "blob" in attached ? attached.blob : undefined });
      data.media = [...((data.media as JsonObject[] | undefined) ?? []), one];
    }
    yield { kind: "record", stream, key: id, data, entry, offset };
  }
}

/** Reads the lists again for a run that continues after them. */
async function idsAmong({ entries }: ImportInput, media: Media): Promise<Set<string>> {
  const ids = new Set<string>();
  for (const entry of entries) {
    const kind = kindOf(entry.path);
    if (kind === undefined || kind === "account" || kind === "profile") continue;
    try {
      for await (const found of foundIn(entry, kind))
        if ("data" in found && HAS_MEDIA.has(found.stream) && media.has(found.data.id as string))
          ids.add(found.data.id as string);
    } catch {
      // The error was reported when the file was first read.
    }
  }
  return ids;
}

type ArchiveItem =
  | { stream: string; data: JsonObject; offset: number }
  | Extract<ImportEvent, { kind: "skip" | "error" }>;

/** Yields the items of one list: records without their media, and items that are not records. */
async function* foundIn(entry: Entry, kind: ListKind): AsyncGenerator<ArchiveItem> {
  const items = kind === "messages" ? conversations(entry) : listed(entry);
  let conversation: string | undefined;
  for await (const item of items) {
    const { offset } = item;
    if (item.path.at(-1) === "conversationId") {
      conversation = "value" in item ? String(item.value) : undefined;
    } else if ("problem" in item || !isObject(item.value)) {
      yield { kind: "error", entry, offset, message: "problem" in item ? item.problem : "it is not an object" };
    } else if (kind === "messages" && !Object.hasOwn(item.value, "messageCreate")) {
      yield { kind: "skip", entry, offset, reason: "an event in a conversation, not a message" };
    } else {
      const [stream, data] = recordOf(kind, item.value, conversation);
      yield data === undefined
        ? { kind: "error", entry, offset, message: "it has no id or no time" }
        : { stream, data, offset };
    }
  }
}

type ListKind = Exclude<ArchiveFileKind, "account" | "profile">;

function recordOf(
  kind: ListKind,
  value: JsonObject,
  conversation: string | undefined,
): [string, JsonObject | undefined] {
  switch (kind) {
    case "tweets":
    case "deleted":
      return ["tweets", tweetData(value, kind === "deleted")];
    case "notes":
      return ["tweets", noteData(value)];
    case "likes":
      return ["likes", likeData(value)];
    case "messages":
      return ["direct_messages", directMessageData(objectIn(value, "messageCreate"), conversation)];
    default:
      return ["follows", followData(value, kind)];
  }
}

/** Yields each message separately, after the conversation's id, because one conversation can be the whole file. */
function conversations(entry: Entry): AsyncGenerator<JsonItem> {
  const wanted = (path: JsonPath): boolean =>
    path[1] === "dmConversation" &&
    ((path.length === 3 && path[2] === "conversationId") || (path.length === 4 && path[2] === "messages"));
  return jsonItems(entry, wanted, { behindPrefix: true });
}

function leftOut(path: string): string {
  if (!/\/?data\//.test(path)) return "part of the archive's own viewer";
  return path.endsWith(".js") ? "X's own data: advertising, devices, settings" : "media without a post or message";
}
