// Kinds and roles: what the records of a stream are, and what each field means. The schema of a stream has `x-kind`;
// its fields, and the fields of nested objects, have `x-role`.

interface KindWords {
  /** Roles that a stream of this kind should have. */
  roles: readonly string[];
  /** Roles that such a stream may also have. */
  more: readonly string[];
  /** Table columns after time and title, best first. */
  facts: readonly string[];
}

export const KINDS = {
  email: {
    roles: ["time", "title", "text", "from", "to"],
    more: ["cc", "thread", "reply_to", "direction", "unread", "folder", "tags", "attachments"],
    facts: ["from", "to", "folder", "unread"],
  },
  message: {
    roles: ["time", "text", "from", "conversation"],
    more: ["reply_to", "direction", "attachments"],
    facts: ["from", "text", "conversation"],
  },
  conversation: { roles: ["title"], more: ["participants", "time"], facts: ["participants"] },
  person: {
    roles: ["title"],
    more: ["time", "address", "number", "handle", "birthday", "organisation", "picture", "text"],
    facts: ["address", "number", "organisation", "handle"],
  },
  event: {
    roles: ["time", "title"],
    more: ["end", "all_day", "text", "place", "participants", "organiser", "status"],
    facts: ["end", "place", "participants", "status"],
  },
  task: { roles: ["title"], more: ["time", "due", "done", "text"], facts: ["due", "done"] },
  note: {
    roles: ["title", "text"],
    more: ["time", "changed", "tags", "format", "attachments"],
    facts: ["tags", "text"],
  },
  transaction: {
    roles: ["time", "amount", "currency"],
    more: ["title", "counterparty", "text", "category", "account"],
    facts: ["counterparty", "amount", "currency", "category", "text"],
  },
  account: { roles: ["title"], more: ["currency", "balance", "number"], facts: ["balance", "currency", "number"] },
  order: {
    roles: ["time", "amount", "currency"],
    more: ["title", "counterparty", "items", "status"],
    facts: ["counterparty", "amount", "currency", "status"],
  },
  photo: {
    roles: ["time"],
    more: ["picture", "place", "thumbnail", "title", "text", "duration", "album", "participants", "tags"],
    facts: ["place", "text", "album"],
  },
  visit: { roles: ["time", "place"], more: ["end", "title"], facts: ["end", "place"] },
  track: {
    roles: ["time", "path"],
    more: ["end", "title", "distance", "activity", "place", "text"],
    facts: ["end", "distance"],
  },
  play: { roles: ["time", "title"], more: ["creator", "album", "duration"], facts: ["creator", "album", "duration"] },
  page: { roles: ["time", "url"], more: ["title"], facts: ["url"] },
  bookmark: { roles: ["url"], more: ["title", "time", "text", "tags", "folder"], facts: ["url", "folder", "tags"] },
  post: {
    roles: ["time", "text"],
    more: ["author", "url", "reply_to", "attachments"],
    facts: ["author", "text", "url"],
  },
  measurement: {
    roles: ["time", "value"],
    more: ["metric", "end", "unit", "title"],
    facts: ["metric", "value", "unit"],
  },
  workout: {
    roles: ["time", "activity"],
    more: ["end", "title", "distance", "energy", "duration", "path", "place", "text"],
    facts: ["activity", "duration", "distance", "energy"],
  },
  book: { roles: ["title"], more: ["creator", "time", "rating", "text"], facts: ["creator", "rating"] },
  code: {
    roles: ["time", "title"],
    more: ["text", "author", "url", "status"],
    facts: ["author", "status", "url"],
  },
  command: { roles: ["time", "text"], more: ["directory"], facts: ["text", "directory"] },
  file: { roles: ["title", "path", "size"], more: ["time", "media_type", "text"], facts: ["size", "path"] },
} as const satisfies Record<string, KindWords>;

export type Kind = keyof typeof KINDS;
export const isKind = (text: unknown): text is Kind => typeof text === "string" && Object.hasOwn(KINDS, text);

/** Roles that refer to people or organisations. A field can have just one part of such a role: `from.address`. */
const PEOPLE_ROLES = ["from", "to", "cc", "participants", "organiser", "author", "creator", "counterparty"] as const;
const PERSON_PARTS = ["name", "address", "number", "handle"] as const;
const PLACE_PARTS = ["name", "latitude", "longitude"] as const;
/** Text other than the main text: its beginning, the reasoning behind it, or pages that it links to. */
const TEXT_MORE = "text.more";

/** The JSON Schema types that a field with this role can have. Roles that are not listed fit any type. */
export const ROLE_TYPES: Readonly<Record<string, readonly string[]>> = {
  title: ["string"],
  text: ["string"],
  time: ["string"],
  end: ["string"],
  due: ["string"],
  changed: ["string"],
  url: ["string"],
  currency: ["string"],
  amount: ["number", "integer"],
  balance: ["number", "integer"],
  "place.latitude": ["number", "integer"],
  "place.longitude": ["number", "integer"],
  all_day: ["boolean"],
  unread: ["boolean"],
};
/**
 * Roles that say where a record is filed. A grant can be limited to some of their values. The first role in this list
 * that a stream has is offered first.
 */
export const FILTER_ROLES = ["conversation", "folder", "category", "account", "album", "metric", "activity"] as const;
export type FilterRole = (typeof FILTER_ROLES)[number];
/** Roles whose field is a date or a date with a time. */
export const TIME_ROLES: readonly string[] = ["time", "end", "due", "changed"];

/** Returns true if a field with this role identifies people by name, address, number or handle. */
export const namesPeople = (kind: Kind, role: string): boolean =>
  (PEOPLE_ROLES as readonly string[]).includes(role.split(".", 1)[0]!) ||
  (kind === "person" && ["title", "address", "number", "handle"].includes(role));

/** Returns the roles with their parts: `from`, `from.address`, `place.latitude`. */
export function rolesFor(kind: Kind): ReadonlySet<string> {
  const names: readonly string[] = [...KINDS[kind].roles, ...KINDS[kind].more];
  const parts = names.flatMap((role) => {
    if (role === "text") return [TEXT_MORE];
    if (role === "place") return PLACE_PARTS.map((part) => `place.${part}`);
    return (PEOPLE_ROLES as readonly string[]).includes(role) ? PERSON_PARTS.map((part) => `${role}.${part}`) : [];
  });
  return new Set([...names, ...parts]);
}
