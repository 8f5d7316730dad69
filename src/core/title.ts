// Titles: what a record is, from its own fields; never from what matched, never from when it was ingested (E-18).
import type { JsonObject } from "../contract/record.ts";
import { formatInstant } from "./instant.ts";
import type { ScopeRow } from "./scope.ts";

/** Field names that people would read a record out by, best first. */
const NAMING = ["title", "subject", "name", "display_name", "full_name", "summary", "label", "filename"];
const TITLE_MAX = 120;

/** `data` holds granted fields only. Without a naming field: what kind of thing, and when it was written or happened. */
export function titleOf(row: ScopeRow, data: JsonObject, id: string, authoredAt: number | undefined): string {
  return nameIn(data) ?? unnamedTitle(row.stream.declaration.display?.label ?? row.stream.name, id, authoredAt);
}

/** What a record calls itself, if it does. */
export function nameIn(data: JsonObject): string | undefined {
  for (const name of NAMING) {
    const value = Object.hasOwn(data, name) ? data[name] : undefined;
    if (typeof value === "string" && value.trim() !== "") return shorten(value);
  }
  return undefined;
}

export function unnamedTitle(kind: string, id: string, authoredAt: number | undefined): string {
  const when = authoredAt === undefined ? id : formatInstant(authoredAt).slice(0, 16).replace("T", " ");
  return shorten(`${kind} · ${when}`);
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= TITLE_MAX) return line;
  const points = [...line];
  return points.length <= TITLE_MAX ? points.join("") : `${points.slice(0, TITLE_MAX - 1).join("")}…`;
}
