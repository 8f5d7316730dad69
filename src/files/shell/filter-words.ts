// Describes a filter in words, for lists of saved queries.
import type { FileFilter } from "../../contract/files.ts";

const WORDS_MAX = 160;

export function filterSummary(filter: FileFilter): string {
  const text = words(filter);
  return text.length <= WORDS_MAX ? text : `${text.slice(0, WORDS_MAX - 1)}…`;
}

function words(filter: FileFilter): string {
  if ("and" in filter) return joined(filter.and, " and ");
  if ("or" in filter) return joined(filter.or, " or ");
  if ("not" in filter) return `not ${nested(filter.not)}`;
  if ("name" in filter) return `name ${filter.name}`;
  if ("path" in filter) return `path ${filter.path}`;
  if ("kind" in filter) return `kind ${[filter.kind].flat().join(" or ")}`;
  if ("type" in filter) return `type ${filter.type}`;
  if ("size" in filter) return between("size", filter.size.min, filter.size.max);
  if ("modified" in filter) return between("modified", filter.modified.after, filter.modified.before);
  if ("depth" in filter) return between("depth", filter.depth.min, filter.depth.max);
  if ("permission" in filter)
    return "all" in filter.permission
      ? `mode has ${filter.permission.all}`
      : `mode has any of ${filter.permission.any}`;
  if ("duplicate" in filter) return filter.duplicate ? "has a copy" : "has no copy";
  return Object.entries(filter)
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");
}

const joined = (parts: readonly FileFilter[], by: string): string => parts.map(nested).join(by);
const nested = (filter: FileFilter): string =>
  "and" in filter || "or" in filter ? `(${words(filter)})` : words(filter);

function between(name: string, from: string | number | undefined, to: string | number | undefined): string {
  if (from === undefined) return `${name} up to ${to}`;
  return to === undefined ? `${name} from ${from}` : `${name} ${from} to ${to}`;
}
