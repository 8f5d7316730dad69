// Bluesky: an account's repository as a CAR file, or single records as JSON.
import type { JsonObject, JsonValue } from "../../../contract/json.ts";
import { type Entry, wholeEntry } from "../../entry.ts";
import type { EntryPreview, ImportEvent, Importer, ImportInput, Recognition } from "../../importer.ts";
import { isoInstant } from "../iso-instant.ts";
import { countIn, isObject, objectIn, objectsIn, present, textIn, textsIn } from "../json-fields.ts";
import { postRecord } from "../post-streams.ts";
import { replayedRun } from "../replay.ts";
import { type CborMap, type CborValue, carBlocks, isMap } from "./car.ts";
import { blueskyDeclaration } from "./declaration.ts";

const JSON_BYTES_MAX = 4 * 1024 * 1024;

export const blueskyImporter: Importer = {
  name: "bluesky",
  title: "Bluesky (repository as a CAR file)",
  from: ["Bluesky: Settings → Account → Export my data → Download CAR file"],
  recognise,
  async plan(input) {
    const did = await ownerOf(input);
    return {
      account: { key: did ?? "bluesky", name: did === undefined ? "Bluesky" : `Bluesky (${did})` },
      declaration: blueskyDeclaration,
      streams: ["posts", "likes", "follows"].map((stream) => ({ stream })),
    };
  },
  run: (input, context) =>
    replayedRun(input, context, (entry) => (isCar(entry) ? repositoryEvents(entry) : recordEvents(entry))),
};

const isCar = ({ path }: Pick<Entry, "path">): boolean => /\.car$/i.test(path);

function recognise({ path, head }: EntryPreview): Recognition | undefined {
  // Each repository is one account, and so one group.
  if (isCar({ path }) && Buffer.from(head).subarray(0, 100).includes("eroots"))
    return { score: 95, reason: "Bluesky repository", group: path };
  const start = /\.json$/i.test(path) ? Buffer.from(head).toString() : "";
  return /^\s*\{\s*"uri"\s*:\s*"at:\/\//.test(start) && /"value"\s*:\s*\{/.test(start)
    ? { score: 93, reason: "Bluesky record" }
    : undefined;
}

const didIn = (uri: string | undefined): string | undefined => /^at:\/\/(did:[^/]+)/.exec(uri ?? "")?.[1];

async function ownerOf({ entries }: ImportInput): Promise<string | undefined> {
  const [entry] = entries;
  if (entry === undefined) return undefined;
  try {
    if (isCar(entry)) return (await readIndex(entry)).did;
    return didIn(textIn(await jsonIn(entry), "uri"));
  } catch {
    // The run reports what is wrong with the file.
    return undefined;
  }
}

async function jsonIn(entry: Entry): Promise<JsonObject> {
  const value = JSON.parse((await wholeEntry(entry, JSON_BYTES_MAX)).toString()) as JsonValue;
  if (!isObject(value)) throw new Error("it is not an object");
  return value;
}

interface RepositoryIndex {
  did: string | undefined;
  /** Paths such as `app.bsky.feed.post/3k2yihcrp6f2c`, by the id of the block that contains the record. */
  paths: ReadonlyMap<string, string>;
}

/**
 * Reads the record names. Records do not contain them; they are in the nodes of a search tree, anywhere in the file.
 * The file may contain outdated nodes too.
 */
async function readIndex(entry: Entry): Promise<RepositoryIndex> {
  const nodes = new Map<string, CborMap>();
  const commits = new Map<string, CborMap>();
  let roots: string[] = [];
  for await (const { id, value } of carBlocks(entry)) {
    if (!isMap(value)) continue;
    if (id === "") roots = (Array.isArray(value.roots) ? value.roots : []).flatMap((root) => linkOf(root) ?? []);
    else if (Array.isArray(value.e)) nodes.set(id, value);
    else if (typeof value.did === "string" && isMap(value.data)) commits.set(id, value);
  }
  // A slice of a repository may lack the commit that its header refers to.
  const commit = roots.map((root) => commits.get(root)).find((one) => one !== undefined) ?? [...commits.values()][0];
  const paths = new Map<string, string>();
  const open = [linkOf(commit?.data)];
  for (let id = open.pop(); open.length > 0 || id !== undefined; id = open.pop()) {
    const node = id === undefined ? undefined : nodes.get(id);
    if (node === undefined || id === undefined) continue;
    // Visit each node once, so that the walk ends even if the tree contains a cycle.
    nodes.delete(id);
    open.push(linkOf(node.l), ...notePaths(node.e as CborValue[], paths));
  }
  return { did: typeof commit?.did === "string" ? commit.did : undefined, paths };
}

const linkOf = (value: CborValue | undefined): string | undefined =>
  isMap(value) && typeof value.link === "string" ? value.link : undefined;

/** Each name omits the prefix it shares with the previous one. Returns the child nodes between the names. */
function notePaths(entries: readonly CborValue[], paths: Map<string, string>): (string | undefined)[] {
  let before = "";
  return entries.map((one) => {
    if (!isMap(one) || typeof one.p !== "number" || !Buffer.isBuffer(one.k)) return undefined;
    before = before.slice(0, one.p) + one.k.toString("latin1");
    const record = linkOf(one.v);
    if (record !== undefined) paths.set(record, before);
    return linkOf(one.t);
  });
}

async function* repositoryEvents(entry: Entry): AsyncGenerator<ImportEvent> {
  const nothing: RepositoryIndex = { did: undefined, paths: new Map() };
  // A truncated file is detected again below, and reported there.
  const { did = "did:unknown", paths } = await readIndex(entry).catch(() => nothing);
  for await (const { id, offset, value } of carBlocks(entry)) {
    if (value === undefined) yield { kind: "error", entry, offset, message: "a block that cannot be read" };
    if (!isMap(value) || typeof value.$type !== "string") continue;
    const path = paths.get(id);
    yield path === undefined
      ? { kind: "skip", entry, offset, reason: "a record that the repository no longer lists" }
      : recordEvent(entry, offset, `at://${did}/${path}`, jsonOf(value) as JsonObject);
  }
}

/** The records we import contain no bytes or links. */
function jsonOf(value: CborValue): JsonValue {
  if (Array.isArray(value)) return value.map(jsonOf);
  if (Buffer.isBuffer(value)) return null;
  if (!isMap(value)) return typeof value === "number" && !Number.isFinite(value) ? null : value;
  return Object.fromEntries(Object.entries(value as CborMap).map(([name, inner]) => [name, jsonOf(inner)]));
}

async function* recordEvents(entry: Entry): AsyncGenerator<ImportEvent> {
  const record = await jsonIn(entry);
  const uri = textIn(record, "uri");
  if (uri === undefined) throw new Error("the record has no address");
  yield recordEvent(entry, 0, uri, objectIn(record, "value"));
}

/** Some programs write the time without a zone. Such times are read as UTC. */
const timeIn = (record: JsonObject): string | undefined => {
  const text = textIn(record, "createdAt");
  return isoInstant(text) ?? isoInstant(text === undefined ? undefined : `${text}Z`);
};

/** Converts `at://did:plc:x/app.bsky.feed.post/3k` to its address on bsky.app. */
const addressOf = (uri: string | undefined): string | undefined => {
  const [, did, key] = /^at:\/\/([^/]+)\/app\.bsky\.feed\.post\/([^/]+)$/.exec(uri ?? "") ?? [];
  return did === undefined ? uri : `https://bsky.app/profile/${did}/post/${key}`;
};

function recordEvent(entry: Entry, offset: number, uri: string, record: JsonObject): ImportEvent {
  const type = textIn(record, "$type") ?? "";
  const created_at = timeIn(record);
  const found = (stream: string, data: JsonObject): ImportEvent =>
    created_at === undefined
      ? { kind: "error", entry, offset, message: "the record has no time" }
      : { kind: "record", stream, key: uri, data, entry, offset };
  const subject = textIn(objectIn(record, "subject"), "uri");
  if (type === "app.bsky.feed.like") return found("likes", present({ id: uri, url: addressOf(subject), created_at }));
  if (type === "app.bsky.graph.follow") {
    const handle = textIn(record, "subject");
    return found("follows", present({ id: uri, name: handle, handle, created_at }));
  }
  if (type !== "app.bsky.feed.post" && type !== "app.bsky.feed.repost")
    return { kind: "skip", entry, offset, reason: `other records: ${type.slice(0, 80)}` };
  const replyTo = textIn(objectIn(objectIn(record, "reply"), "parent"), "uri");
  const isRepost = type.endsWith("repost");
  const languages = textsIn(record, "langs");
  const post = {
    id: uri,
    kind: isRepost ? "repost" : replyTo === undefined ? "post" : "reply",
    text: textIn(record, "text"),
    createdAt: created_at,
    authorHandle: didIn(uri),
    url: isRepost ? addressOf(subject) : addressOf(uri),
    replyTo,
    tags: tagsIn(record),
    attachments: picturesIn(record),
  };
  return found("posts", postRecord(post, { languages: languages.length === 0 ? undefined : languages }));
}

const tagsIn = (record: JsonObject): string[] =>
  objectsIn(record, "facets")
    .flatMap((facet) => objectsIn(facet, "features"))
    .flatMap((feature) => textIn(feature, "tag") ?? []);

/** A repository describes pictures, but does not contain their bytes. */
function picturesIn(record: JsonObject): { name: string | undefined; mime_type: string | undefined }[] {
  const embed = objectIn(record, "embed");
  return [...objectsIn(embed, "images"), ...objectsIn(objectIn(embed, "media"), "images")].flatMap((one) => {
    const image = objectIn(one, "image");
    return countIn(image, "size") === undefined && textIn(image, "mimeType") === undefined
      ? []
      : [{ name: textIn(one, "alt"), mime_type: textIn(image, "mimeType") }];
  });
}
