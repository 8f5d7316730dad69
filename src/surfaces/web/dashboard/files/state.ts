// The state in the address of an index page: the folder, the view, and its options.
import type { FileFilter, ListingOrder, NodeKind } from "../../../../contract/files.ts";
import { type Pairs, pair } from "../explore/addresses.ts";

export const TABS = ["browse", "largest", "types", "ages", "growth", "copies", "find", "sets"] as const;
export type Tab = (typeof TABS)[number];

export const TAB_LABELS: Record<Tab, string> = {
  browse: "Map",
  largest: "Largest",
  types: "By type",
  ages: "By age",
  growth: "What grew",
  copies: "Copies",
  find: "Find",
  sets: "Selections",
};

/** The values typed in the form. */
export interface FindForm {
  name: string;
  type: string;
  kind: string;
  min: string;
  max: string;
  after: string;
  before: string;
}

const WANTED = ["name", "type", "kind", "min", "max", "after", "before"] as const;
/** In practice, none of these texts is longer. */
const TEXT_MAX = 200;

export const KINDS: readonly NodeKind[] = ["file", "dir", "link"];

export interface IndexState {
  at?: string;
  tab: Tab;
  sort: ListingOrder;
  cursor?: string;
  /** If true, the report of the largest entries lists folders instead of files. */
  dirs: boolean;
  from?: number;
  to?: number;
  set?: string;
  wanted: FindForm;
}

const oneOf = <T extends string>(value: string | null, all: readonly T[]): T | undefined =>
  all.find((one) => one === value);

export function stateOf(search: URLSearchParams): IndexState {
  const text = (name: string): string | undefined => search.get(name)?.slice(0, 4096) || undefined;
  const scan = (name: string): number | undefined => {
    const value = search.get(name);
    return value !== null && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
  };
  return {
    ...given("at", text("at")),
    tab: oneOf(search.get("tab"), TABS) ?? "browse",
    sort: oneOf(search.get("sort"), ["name", "size", "time"]) ?? "size",
    ...given("cursor", text("cursor")),
    dirs: search.get("of") === "dirs",
    ...given("from", scan("from")),
    ...given("to", scan("to")),
    ...given("set", text("set")),
    wanted: wantedIn(search),
  };
}

const given = <N extends string, T>(name: N, value: T | undefined): { [K in N]?: T } =>
  (value === undefined ? {} : { [name]: value }) as { [K in N]?: T };

export function wantedIn(fields: URLSearchParams): FindForm {
  const [name, type, kind, min, max, after, before] = WANTED.map((one) =>
    (fields.get(one) ?? "").trim().slice(0, TEXT_MAX),
  ) as [string, string, string, string, string, string, string];
  return { name, type, kind, min, max, after, before };
}

export const wantedPairs = (wanted: FindForm): Pairs =>
  WANTED.flatMap((name) => (wanted[name] === "" ? [] : [pair(name, wanted[name])]));

/** Builds the filter from the form, with notes about invalid parts. */
export function filterOf({ name, type, kind, min, max, after, before }: FindForm): {
  filter?: FileFilter;
  notes: string[];
} {
  const notes: string[] = [];
  const parts: FileFilter[] = [];
  // A plain word matches anywhere in a name.
  if (name !== "") parts.push({ name: /[*?[{]/.test(name) ? name : `*${name}*` });
  if (type !== "") parts.push({ type });
  const known = oneOf(kind, KINDS);
  if (known !== undefined) parts.push({ kind: known });
  const [least, most] = [bytesOf(min), bytesOf(max)];
  for (const [text, bytes] of [
    [min, least],
    [max, most],
  ] as const)
    if (text !== "" && bytes === undefined)
      notes.push(`“${text}” is not a size; write it like 500 KB, 10 MB or 1.5 GB.`);
  if (least !== undefined || most !== undefined)
    parts.push({ size: { ...given("min", least), ...given("max", most) } });
  const [from, until] = [dayOf(after), dayOf(before)];
  for (const [text, day] of [
    [after, from],
    [before, until],
  ] as const)
    if (text !== "" && day === undefined) notes.push(`“${text}” is not a date; write it like 2024-05-31.`);
  if (from !== undefined || until !== undefined)
    parts.push({ modified: { ...given("after", from), ...given("before", until) } });
  if (parts.length === 0) return { notes };
  return { filter: parts.length === 1 ? parts[0]! : { and: parts }, notes };
}

const UNITS: Record<string, number> = { "": 1, k: 1e3, m: 1e6, g: 1e9, t: 1e12 };

function bytesOf(text: string): number | undefined {
  const [, number, unit] = /^(\d{1,15}(?:[.,]\d+)?)\s*([kmgt]?)(?:i?b|bytes)?$/i.exec(text) ?? [];
  return number === undefined ? undefined : Math.round(Number(number.replace(",", ".")) * UNITS[unit!.toLowerCase()]!);
}

export function dayOf(text: string): string | undefined {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
}
