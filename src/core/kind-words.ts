// Describes in words which parts of records are shown and which are omitted, by role.
import type { FilterRole, Kind } from "../contract/kinds.ts";
import type { Roles } from "./roles.ts";

/** Words for the parts of records, by role. Roles with the same word count as one part. */
const PART_WORDS: Readonly<Record<string, string>> = {
  time: "dates",
  end: "ends",
  due: "due dates",
  changed: "dates changed",
  title: "titles",
  text: "text",
  from: "senders",
  to: "recipients",
  cc: "recipients",
  participants: "participants",
  organiser: "organisers",
  author: "authors",
  creator: "creators",
  counterparty: "payees",
  attachments: "attached files",
  picture: "pictures",
  thumbnail: "pictures",
  place: "places",
  path: "routes",
  address: "addresses",
  number: "numbers",
  handle: "user names",
  birthday: "birthdays",
  organisation: "organisations",
  amount: "amounts",
  currency: "currencies",
  balance: "balances",
  category: "categories",
  account: "accounts",
  items: "items",
  conversation: "chats",
  thread: "threads",
  folder: "folders",
  tags: "tags",
  url: "links",
  value: "values",
  metric: "metrics",
  unit: "units",
  activity: "activities",
  album: "albums",
  status: "status",
  done: "whether they are done",
};
/** For each role that records are filed by: the noun for a value, its plural, and the preposition before it. */
const FILED_WORDS: Readonly<Record<FilterRole, { one: string; many: string; by: "in" | "of" }>> = {
  conversation: { one: "chat", many: "chats", by: "in" },
  folder: { one: "folder", many: "folders", by: "in" },
  category: { one: "category", many: "categories", by: "of" },
  account: { one: "account", many: "accounts", by: "of" },
  album: { one: "album", many: "albums", by: "in" },
  metric: { one: "metric", many: "metrics", by: "of" },
  activity: { one: "activity", many: "activities", by: "of" },
};
export const filedNouns = (role: FilterRole): { one: string; many: string } => FILED_WORDS[role];

/** Returns, for example, `in the chat “Family”` or `of the categories “Food”, “Rent” and 2 more`. */
export function filedWords(role: FilterRole, values: readonly string[], more = 0): string {
  const { one, many, by } = FILED_WORDS[role];
  const named = [...values.map((value) => `“${value}”`), ...(more > 0 ? [`${more} more`] : [])];
  return `${by} the ${values.length + more === 1 ? one : many} ${listed(named)}`;
}

const KIND_PARTS: Partial<Record<Kind, Readonly<Record<string, string>>>> = {
  email: { title: "subjects" },
  person: { title: "names", text: "notes" },
  order: { counterparty: "shops" },
  file: { path: "folders", title: "names", text: "content" },
};

const partOf = (kind: Kind, role: string): string => {
  const [base = role] = role.split(".", 1);
  return KIND_PARTS[kind]?.[base] ?? PART_WORDS[base] ?? base.replaceAll("_", " ");
};

/** Roles for what someone wrote, sent or photographed, as opposed to times, places and participants. */
const CONTENT_ROLES: readonly string[] = ["text", "attachments", "picture", "thumbnail"];
/** The smallest set of roles that is still useful. */
const OUTLINE_ROLES: readonly string[] = [
  "time",
  "due",
  "title",
  "amount",
  "currency",
  "activity",
  "metric",
  "value",
  "unit",
];

interface StreamFields {
  roles: Roles | undefined;
  /** A plain value is a number, a date or a flag, so it contains no words. */
  fields: readonly { name: string; always: boolean; plain?: boolean }[];
}

/** At most this many omitted parts are listed; if there are more, listing the shown parts is shorter. */
const NAMED_PARTS = 3;

/**
 * Returns, for example, `without their text and attached files` or `only dates and titles`; undefined if nothing is
 * omitted.
 */
export function partsWords({ roles, fields }: StreamFields, shown: ReadonlySet<string>): string | undefined {
  const isShown = ({ name, always }: StreamFields["fields"][number]): boolean => always || shown.has(name);
  if (fields.every(isShown)) return undefined;
  const parts = new Map<string, { shown: number; all: number }>();
  const others = { shown: 0, left: 0 };
  for (const field of fields) {
    const role = roles && Object.keys(roles.fields).find((one) => roles.fields[one]!.includes(field.name));
    if (roles === undefined || role === undefined) {
      if (!field.always) others[isShown(field) ? "shown" : "left"]++;
      continue;
    }
    const part = parts.get(partOf(roles.kind, role)) ?? { shown: 0, all: 0 };
    parts.set(partOf(roles.kind, role), part);
    part.all++;
    if (isShown(field)) part.shown++;
  }
  const left = [...parts].filter(([, part]) => part.shown === 0).map(([word]) => word);
  const kept = [...parts].filter(([, part]) => part.shown > 0).map(([word]) => word);
  const partly = [...parts.values()].reduce((sum, part) => sum + (part.shown > 0 ? part.all - part.shown : 0), 0);
  if (left.length > NAMED_PARTS && kept.length < left.length) {
    const named = [...kept, ...furtherDetails(others.shown)];
    return named.length === 0 ? "only that they exist" : `only ${listed(named)}`;
  }
  // If parts with a name are omitted, details without a role are not mentioned, because they matter less.
  const named = left.length === 0 ? furtherDetails(others.left + partly) : [`their ${left[0]}`, ...left.slice(1)];
  return `without ${listed(named)}`;
}

const furtherDetails = (count: number): string[] =>
  count === 0 ? [] : [count === 1 ? "one further detail" : `${count} further details`];

/** Returns `a`, `a and b` or `a, b and c`. */
export const listed = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

export interface FieldPreset {
  id: string;
  label: string;
  fields: string[];
}

/**
 * Sets of fields that an owner can choose with one click; no two sets are equal. They are derived from the kind and
 * roles or, without a kind, from the views that the source suggests.
 */
export function fieldPresets(
  { roles, fields }: StreamFields,
  views: readonly { label: string; fields: readonly string[] }[] = [],
): FieldPreset[] {
  const all = fields.map(({ name }) => name);
  const holding = (wanted: readonly string[]): ReadonlySet<string> =>
    new Set(
      Object.entries(roles?.fields ?? {}).flatMap(([role, names]) =>
        wanted.includes(role.split(".", 1)[0]!) ? names : [],
      ),
    );
  const [content, outline] = [holding(CONTENT_ROLES), holding(OUTLINE_ROLES)];
  const candidates: FieldPreset[] = [
    { id: "all", label: "All details", fields: all },
    ...(roles === undefined
      ? views.map((view, index) => ({ id: `view-${index}`, label: view.label, fields: [...view.fields] }))
      : [
          preset("no-content", outsideContent()),
          preset(
            "outline",
            all.filter((name) => outline.has(name)),
          ),
        ]),
    { id: "least", label: "As little as possible", fields: [] },
  ];
  const seen = new Set<string>();
  return candidates.filter((candidate) => {
    const granted = fields.filter(({ name, always }) => always || candidate.fields.includes(name));
    const key = granted.map(({ name }) => name).join("\n");
    return !seen.has(key) && seen.add(key);
  });

  /** A field without a role may also contain words from the text, so only plain values are included. */
  function outsideContent(): string[] {
    if (content.size === 0) return all;
    const known = new Set(Object.values(roles?.fields ?? {}).flat());
    return fields.flatMap(({ name, plain }) => (content.has(name) || !(known.has(name) || plain) ? [] : [name]));
  }

  function preset(id: string, names: string[]): FieldPreset {
    const words = partsWords({ roles, fields }, new Set(names)) ?? "all details";
    return { id, label: words.charAt(0).toUpperCase() + words.slice(1), fields: names };
  }
}
