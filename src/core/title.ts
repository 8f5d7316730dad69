// Titles: what a record is, from its own fields; never from what matched, never from when it was ingested (E-18).
import type { JsonObject, RecordRead } from "../contract/record.ts";
import type { StreamMetadata } from "../contract/schema-document.ts";
import { formatInstant, parseInstant } from "./instant.ts";
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
  const name = namingField(data);
  return name === undefined ? undefined : shorten(data[name] as string);
}

/** The field that a record calls itself by, if it does. */
export function namingField(data: JsonObject): string | undefined {
  return NAMING.find((name) => {
    const value = Object.hasOwn(data, name) ? data[name] : undefined;
    return typeof value === "string" && value.trim() !== "";
  });
}

/** Of a record as it was read: what kind of thing it is and when it happened, by the field its stream is ordered by. */
export function unnamedRecordTitle({ data, id }: RecordRead, metadata: StreamMetadata): string {
  const { label, name, consent_time_field, cursor_field } = metadata;
  const value = data[consent_time_field ?? cursor_field ?? ""];
  return unnamedTitle(label ?? name, id, typeof value === "string" ? (parseInstant(value) ?? undefined) : undefined);
}

function unnamedTitle(kind: string, id: string, authoredAt: number | undefined): string {
  const when = authoredAt === undefined ? id : formatInstant(authoredAt).slice(0, 16).replace("T", " ");
  return shorten(`${kind} · ${when}`);
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= TITLE_MAX) return line;
  const points = [...line];
  return points.length <= TITLE_MAX ? points.join("") : `${points.slice(0, TITLE_MAX - 1).join("")}…`;
}
