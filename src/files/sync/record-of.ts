// Converts one index entry to the record that apps read (S-14).
import type { JsonObject } from "../../contract/record.ts";
import { nodeHandle } from "../handles.ts";
import { type NumberedEntries, nameAt, TYPE } from "../leaf.ts";
import { typeOfName } from "../mime.ts";
import { printable } from "../printable.ts";
import { permissionsOf } from "../read/detail.ts";
import { kindOf, timeText } from "../read/node-view.ts";

/** The directory of an entry. */
export interface SyncedFolder {
  index: number;
  dir: number;
  /** The printable path from the root, empty for the root itself. */
  path: string;
  depth: number;
}

const EXTENSION_MAX = 12;

export function nodeIdOf(
  { index, dir }: Pick<SyncedFolder, "index" | "dir">,
  entries: NumberedEntries,
  at: number,
): string {
  return nodeHandle(index, at < entries.dirs ? { dir: entries.dirIds[at]! } : { dir, number: entries.numbers[at]! });
}

export const pathIn = ({ path }: Pick<SyncedFolder, "path">, name: string): string =>
  path === "" ? name : `${path}/${name}`;

export function extensionOf(name: string): string | undefined {
  const dot = name.lastIndexOf(".");
  const length = name.length - dot - 1;
  return dot <= 0 || length === 0 || length > EXTENSION_MAX ? undefined : name.slice(dot + 1).toLowerCase();
}

/** `target` is where a link points. */
export function recordOf(
  folder: SyncedFolder,
  entries: NumberedEntries,
  at: number,
  target: string | undefined,
): JsonObject {
  const name = printable(nameAt(entries, at));
  const mode = entries.modes[at]!;
  const kind = kindOf(mode);
  const ext = kind === "file" ? extensionOf(name) : undefined;
  return {
    path: pathIn(folder, name),
    name,
    parent: folder.path,
    kind,
    ...(kind === "file" ? { type: typeOfName(name) } : {}),
    ...(ext === undefined ? {} : { ext }),
    // A folder has no size here, because the entries in it have records of their own.
    ...(kind === "dir" ? {} : { size: entries.sizes[at]! }),
    allocated: entries.blocks[at]! * 512,
    modified_at: timeText(entries.times[at]!),
    depth: folder.depth + 1,
    owner: entries.uids[at]!,
    permissions: permissionsOf(mode),
    ...(target === undefined ? {} : { target }),
  };
}

export const isLink = ({ modes }: NumberedEntries, at: number): boolean => (modes[at]! & TYPE.mask) === TYPE.link;

/**
 * Compares the fields of two entries that are part of a record. Names need no comparison, because a number or id
 * belongs to one name and survives a rescan.
 */
export function sameRecord(one: NumberedEntries, at: number, other: NumberedEntries, otherAt: number): boolean {
  return (
    one.modes[at] === other.modes[otherAt] &&
    one.times[at] === other.times[otherAt] &&
    one.blocks[at] === other.blocks[otherAt] &&
    one.uids[at] === other.uids[otherAt] &&
    (at < one.dirs || one.sizes[at] === other.sizes[otherAt])
  );
}
