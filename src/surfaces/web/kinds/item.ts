// A record for the view of its kind. Views read it by role, so it does not matter what the source calls its fields.
import type { Kind } from "../../../contract/kinds.ts";
import type { JsonObject, JsonValue, RecordRead } from "../../../contract/record.ts";
import type { StreamMetadata } from "../../../contract/schema-document.ts";
import { identifierKey } from "../../../core/people/identifiers.ts";
import { fieldWith } from "../../../core/roles.ts";
import { recordTitle, timeFieldIn } from "../../../core/title.ts";
import { type RecordPlace, recordAddress } from "../dashboard/explore/addresses.ts";
import { oneLine } from "../dashboard/explore/values.ts";
import type { ItemTime, Times } from "../times.ts";

export interface KindItem extends RecordPlace {
  href: string;
  title: string;
  kind?: Kind;
  /** The fields that have each role. */
  roles: Record<string, string[]>;
  data: JsonObject;
  when?: ItemTime;
}

/** Everything that a view needs besides the record. */
export interface KindFrame {
  times: Times;
  /** The owner's names, addresses and numbers in lower case, and the key of each handle for its connection. */
  me: readonly string[];
}

export function itemOf(record: RecordRead, metadata: StreamMetadata): KindItem {
  const { kind, roles = {} } = metadata;
  const place = { connection_id: record.connection_id, stream: record.stream, id: record.id };
  const when = whenOf(record.data, timeFieldIn(metadata), roles);
  return {
    ...place,
    href: recordAddress(place),
    title: recordTitle(record, metadata),
    ...(kind === undefined ? {} : { kind }),
    roles,
    data: record.data,
    ...(when === undefined ? {} : { when }),
  };
}

const DAY = /^\d{4}-\d\d-\d\d$/;

export function whenOf(data: JsonObject, field: string | undefined, roles: KindItem["roles"]): ItemTime | undefined {
  const at = data[field ?? ""];
  if (typeof at !== "string" || Number.isNaN(Date.parse(at))) return undefined;
  const isDay = DAY.test(at) || data[roles.all_day?.[0] ?? ""] === true;
  return { at: isDay ? at.slice(0, 10) : at, isDay };
}

/** Returns the day under which a record is shown, as `YYYY-MM-DD` in the owner's calendar. */
export const dayOf = ({ when }: KindItem, times: Times): string | undefined =>
  when === undefined ? undefined : when.isDay ? when.at : times.dayKey(when.at);

export function heldBy({ roles, data }: KindItem, role: string): JsonValue | undefined {
  const field = fieldWith({ fields: roles }, role);
  const value = field === undefined ? undefined : data[field];
  return value === null || value === "" ? undefined : value;
}

export function textOf(item: KindItem, role: string): string | undefined {
  const value = heldBy(item, role);
  if (typeof value === "string") return value.trim() === "" ? undefined : value.trim();
  return typeof value === "number" ? String(value) : undefined;
}

export function numberOf(item: KindItem, role: string): number | undefined {
  const value = heldBy(item, role);
  return typeof value === "number" ? value : undefined;
}

/** Returns the field with a role, for addresses that filter by it. */
export const fieldOf = ({ roles }: Pick<KindItem, "roles">, role: string): string | undefined => roles[role]?.[0];

/** Returns the names of people and other list items, without duplicates. */
export function namesOf(item: KindItem, role: string): string[] {
  const value = heldBy(item, role);
  const all = Array.isArray(value) ? value : [value];
  return [...new Set(all.flatMap((one) => nameOf(one) ?? []))];
}

function nameOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === "string") return value.trim() === "" ? undefined : value.trim();
  if (value === null || typeof value !== "object" || Array.isArray(value)) return undefined;
  return ["name", "title", "address", "email", "number", "handle"].map((key) => nameOf(value[key])).find(Boolean);
}

/** "Orla, Priya and 3 others" */
export function fewNames(names: readonly string[], most = 3): string {
  if (names.length <= most) return names.join(", ");
  const more = names.length - most;
  return `${names.slice(0, most).join(", ")} and ${more === 1 ? "1 other" : `${more} others`}`;
}

/** Returns the beginning of a text as one line, without quoted lines and Markdown markup. */
export function firstWords(text: string | undefined, most = 160): string | undefined {
  if (text === undefined) return undefined;
  const own = text
    .slice(0, most * 8)
    .split("\n")
    .filter((line) => !line.startsWith(">") && !/^-{3,}\s*$/.test(line))
    .map((line) => line.replace(/^(?:#{1,6}|[-*+]|\d+\.)\s+/, ""))
    .join(" ");
  const line = oneLine(own, most);
  return line === "" ? undefined : line;
}

/** Returns true if the owner wrote or sent the record, according to its sender. */
export function isMine(item: KindItem, role: "from" | "author", { me }: KindFrame): boolean {
  const direction = textOf(item, "direction");
  if (direction !== undefined) return direction === "sent";
  const fields = Object.entries(item.roles)
    .filter(([name]) => name === role || name.startsWith(`${role}.`))
    .flatMap(([, names]) => names);
  return fields.some((field) => {
    const value = item.data[field];
    if (typeof value !== "string") return false;
    return me.includes(value.toLowerCase()) || me.includes(identifierKey("handle", value, item.connection_id));
  });
}
