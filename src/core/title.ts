// Titles say what a record is. They come from its own fields, never from what matched or from when it was ingested
// (E-18).
import type { Kind } from "../contract/kinds.ts";
import type { JsonObject, JsonValue, RecordRead } from "../contract/record.ts";
import type { StreamMetadata } from "../contract/schema-document.ts";
import { namingField, PERSON_MEMBERS } from "./guesses.ts";
import { formatInstant, parseInstant } from "./instant.ts";
import { moneyWords } from "./money-words.ts";
import { fieldWith, type Roles, rolesOf, timeFieldOf } from "./roles.ts";
import type { ScopeRow } from "./scope.ts";

const TITLE_MAX = 120;
/** How many people the title of a conversation lists. */
const NAMED_PEOPLE = 4;

/**
 * `data` contains only granted fields. A record without a title gets its stream's label, and the time when it was
 * written or happened.
 */
export function titleOf(row: ScopeRow, data: JsonObject, id: string, authoredAt: number | undefined): string {
  const { declaration, name } = row.stream;
  const own = ownTitle(data, rolesOf(declaration.schema));
  return own ?? unnamedTitle(declaration.display?.label ?? name, id, authoredAt);
}

/** Returns the title of a record in a response. */
export function recordTitle({ data, id }: RecordRead, metadata: StreamMetadata): string {
  const { label, name } = metadata;
  const own = ownTitle(data, rolesIn(metadata));
  if (own !== undefined) return own;
  const value = data[timeFieldIn(metadata) ?? ""];
  return unnamedTitle(label ?? name, id, typeof value === "string" ? (parseInstant(value) ?? undefined) : undefined);
}

export const rolesIn = ({ kind, roles = {} }: StreamMetadata): Roles | undefined =>
  kind === undefined ? undefined : { kind, fields: roles };

export const timeFieldIn = (metadata: StreamMetadata): string | undefined => timeFieldOf(metadata, rolesIn(metadata));

/** Returns the record's own title, if it has one. */
export function ownTitle(data: JsonObject, roles: Roles | undefined): string | undefined {
  if (roles === undefined) {
    const name = namingField(data);
    return name === undefined ? undefined : shorten(data[name] as string);
  }
  const value = (role: string): string | undefined => {
    const field = fieldWith(roles, role);
    return field === undefined ? undefined : wordsOf(data[field]);
  };
  const title = value("title") ?? UNTITLED[roles.kind]?.(value);
  return title === undefined ? undefined : shorten(title);
}

type Untitled = (value: (role: string) => string | undefined) => string | undefined;

/** Titles from other roles, for records whose title is empty or missing. */
const UNTITLED: Partial<Record<Kind, Untitled>> = {
  email: (value) => joined(" · ", "(no subject)", value("from")),
  message: (value) => joined(": ", value("from"), value("text")),
  conversation: (value) => value("participants"),
  note: (value) => value("text")?.split("\n", 1)[0],
  account: (value) => accountNumber(value("number")),
  transaction: (value) => joined(" · ", value("counterparty") ?? value("text"), money(value, true)),
  order: (value) => joined(" · ", value("counterparty"), money(value, false)),
  photo: (value) => value("text"),
  visit: (value) => value("place"),
  track: (value) => joined(" · ", value("activity"), lengthWords(value("distance"))),
  page: (value) => hostOf(value("url")),
  bookmark: (value) => hostOf(value("url")),
  post: (value) => value("text") ?? value("url"),
  measurement: (value) => joined(" ", value("metric"), value("value"), value("unit")),
  workout: (value) => value("activity"),
  command: (value) => value("text"),
};

function joined(separator: string, ...parts: (string | undefined)[]): string | undefined {
  const known = parts.filter((part) => part !== undefined);
  return known.length === 0 ? undefined : known.join(separator);
}

/** The sign shows whether a payment was received or sent; a price has no sign. */
function money(value: Parameters<Untitled>[0], signed: boolean): string | undefined {
  const amount = value("amount");
  if (amount === undefined || Number.isNaN(Number(amount))) return amount;
  return moneyWords(Number(amount), value("currency"), signed);
}

/** Formats an IBAN in groups of four, as on paper. */
export const accountNumber = (number: string | undefined): string | undefined =>
  number !== undefined && /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(number)
    ? number.replace(/(.{4})(?=.)/g, "$1 ")
    : number;

/** Formats the length of a track. */
function lengthWords(metres: string | undefined): string | undefined {
  const length = Math.round(Number(metres));
  if (metres === undefined || Number.isNaN(length)) return metres;
  return length < 1000 ? `${length} m` : `${(length / 1000).toFixed(1)} km`;
}

function hostOf(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).host || url : url;
}

/** Returns a value in words, with people by name; undefined if it is empty. */
export function wordsOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === "string") return value.trim() === "" ? undefined : value.trim();
  if (typeof value === "number") return String(value);
  if (Array.isArray(value)) {
    const names = value.map(wordsOf).filter((name) => name !== undefined);
    const more = names.length > NAMED_PEOPLE ? [`${names.length - NAMED_PEOPLE} more`] : [];
    return joined(", ", ...names.slice(0, NAMED_PEOPLE), ...more);
  }
  if (value === null || typeof value !== "object") return undefined;
  return PERSON_MEMBERS.map((name) => wordsOf(value[name])).find((words) => words !== undefined);
}

function unnamedTitle(label: string, id: string, authoredAt: number | undefined): string {
  const when = authoredAt === undefined ? id : formatInstant(authoredAt).slice(0, 16).replace("T", " ");
  return shorten(`${label} · ${when}`);
}

function shorten(text: string): string {
  const line = text
    .slice(0, TITLE_MAX * 8)
    .replace(/\s+/g, " ")
    .trim();
  if (line.length <= TITLE_MAX) return line;
  const points = [...line];
  return points.length <= TITLE_MAX ? points.join("") : `${points.slice(0, TITLE_MAX - 1).join("")}…`;
}
