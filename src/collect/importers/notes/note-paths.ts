// Resolves locations among notes: paths from the vault's root, ids, folders, and link targets.
import type { Entry } from "../../entry.ts";
import type { ImportInput } from "../../importer.ts";
import type { MakeId } from "../../record-ids.ts";
import { folderOf, joinPath, nameOf } from "../attached-file.ts";

/** Notion appends the page id to a page's name. */
const NOTION_ID = /^(.+) ([0-9a-f]{32})(?:_all)?$/;
const NOTION_PART = /^Export-[0-9a-f]{8}-[0-9a-f-]{27}(?:-Part-\d+)?(?:\.zip)?$/i;

export const isNote = (path: string): boolean => /\.(?:md|markdown)$/i.test(path);
export const withoutExtension = (path: string): string => path.replace(/\.(?:md|markdown|csv)$/i, "");

export function notionId(name: string): { name: string; id: string } | undefined {
  const [, own, id] = NOTION_ID.exec(withoutExtension(name)) ?? [];
  return id === undefined ? undefined : { name: own!, id };
}

/** Recognises paths that occur only in Notion exports. */
export const isNotion = (path: string): boolean =>
  path.split("/").some((part) => NOTION_PART.test(part) || notionId(part.replace(/\.\w+$/, "")) !== undefined);

/**
 * Identifies the export by its own folder, which has a new name each time, or else by its location. The parts of an
 * export belong together.
 */
export function notionExport(path: string): string {
  const parts = path.split("/").slice(0, -1);
  const at = parts.findIndex((part) => NOTION_PART.test(part) || notionId(part) !== undefined);
  const own = at === -1 ? undefined : /^Export-[0-9a-f-]{36}/i.exec(parts[at]!)?.[0];
  return [...parts.slice(0, at === -1 ? parts.length : at), ...(own === undefined ? [] : [own])].join("/");
}

export interface Notebook {
  id: string;
  name: string;
  path: string;
  parent?: string;
}

export interface Shelf {
  /** The path from the root of the vault or export. */
  placeOf(entry: Entry): string;
  idOf(place: string): string;
  notebookOf(place: string): string | undefined;
  notebooks: Notebook[];
  /** The note or the file that a link in this note refers to. */
  resolve(from: string, link: { target: string; isWiki: boolean }): { note: string } | { file: Entry } | undefined;
  /** Returns true if this folder contains the rows of a database. */
  isDatabase(folder: string): boolean;
}

export function notePathsOf({ name, entries }: ImportInput, makeId: MakeId): Shelf {
  const prefix = entries.every(({ path }) => path.startsWith(`${name}/`)) ? `${name}/` : "";
  const places = new Map<string, string>(entries.map(({ path }) => [path, cleanPlace(path.slice(prefix.length))]));
  const placeOf = (entry: Entry): string => places.get(entry.path) ?? entry.path;
  const byPath = new Map<string, Entry>();
  const byName = new Map<string, string[]>();
  const databases = new Set<string>();
  for (const entry of entries) {
    const place = placeOf(entry);
    const key = keyOf(place);
    byPath.set(key, entry);
    const same = byName.get(nameOf(key));
    if (same === undefined) byName.set(nameOf(key), [key]);
    else same.push(key);
    if (/\.csv$/i.test(place)) databases.add(withoutExtension(place).replace(/_all$/, ""));
  }
  // If several files have the same name, a link refers to the one nearest to the root.
  for (const keys of byName.values()) keys.sort((one, other) => one.length - other.length || (one < other ? -1 : 1));

  const find = (path: string): Entry | undefined => byPath.get(keyOf(path)) ?? byPath.get(keyOf(`${path}.md`));
  const resolve: Shelf["resolve"] = (from, { target, isWiki }) => {
    const inFolder = normalised(joinPath(folderOf(from), target));
    const inRoot = normalised(target);
    const named = isWiki ? (byName.get(nameOf(keyOf(target))) ?? byName.get(nameOf(keyOf(`${target}.md`)))) : undefined;
    const found =
      (isWiki ? undefined : find(inFolder)) ??
      find(inRoot) ??
      find(inFolder) ??
      (named === undefined ? undefined : byPath.get(named[0]!));
    if (found === undefined) return undefined;
    return isNote(found.path) || (/\.csv$/i.test(found.path) && isNotion(found.path))
      ? { note: idOf(placeOf(found), makeId) }
      : { file: found };
  };
  return {
    placeOf,
    idOf: (place) => idOf(place, makeId),
    notebookOf: (place) => (folderOf(place) === "" ? undefined : idOf(folderOf(place), makeId)),
    notebooks: notebooksOf(entries.filter(({ path }) => isNote(path) && !isHidden(path)).map(placeOf), makeId),
    resolve,
    isDatabase: (folder) => databases.has(folder),
  };
}

const keyOf = (path: string): string => path.toLowerCase().normalize("NFC");

export const isHidden = (path: string): boolean => /(?:^|\/)\.[^/]+\//.test(path);

/** A file in a Notion export keeps its path there, whichever archives the export was in. */
function cleanPlace(path: string): string {
  const parts = path.split("/");
  return parts.slice(parts.findLastIndex((part) => NOTION_PART.test(part)) + 1).join("/");
}

/**
 * The id of a note or a folder. A Notion page keeps its id when it is renamed or moved; other notes are identified by
 * their path.
 */
const idOf = (place: string, makeId: MakeId): string => notionId(nameOf(place))?.id ?? makeId(place.normalize("NFC"));

function normalised(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}

function notebooksOf(notes: readonly string[], makeId: MakeId): Notebook[] {
  const found = new Map<string, Notebook>();
  for (const note of notes) {
    for (let folder = folderOf(note); folder !== ""; folder = folderOf(folder)) {
      const id = idOf(folder, makeId);
      const parent = folderOf(folder);
      const name = notionId(nameOf(folder))?.name ?? nameOf(folder);
      if (found.has(id)) break;
      found.set(id, { id, name, path: folder, ...(parent === "" ? {} : { parent: idOf(parent, makeId) }) });
    }
  }
  return [...found.values()].sort((one, other) => (one.path < other.path ? -1 : 1));
}
