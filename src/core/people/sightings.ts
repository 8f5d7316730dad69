// The people that a record mentions, by the roles of its fields: sender, recipients, participants, the subject of a
// card.
import type { JsonObject, JsonValue } from "../../contract/record.ts";
import { type Roles, rolesOf, visibleRoles } from "../roles.ts";
import type { ScopeRow } from "../scope.ts";
import { type IdentifierType, type Sighting, typeOf } from "./identifiers.ts";

/** Roles that refer to people. A counterparty or creator is not included, because it may be a shop or a band. */
const NAMING = ["from", "to", "cc", "participants", "organiser", "author"] as const;
const PARTS: readonly IdentifierType[] = ["name", "address", "number", "handle"];
/** Fields of an object that identify a person even without a role. */
const MEMBERS: Readonly<Record<string, IdentifierType>> = {
  name: "name",
  address: "address",
  email: "address",
  number: "number",
  phone: "number",
  handle: "handle",
  username: "handle",
};

/** The fields of a stream that refer to people, limited to those that the row shows. */
export interface NamingFields {
  /** True if each record is a contact card, so that all of it is about one person. */
  isCard: boolean;
  /** The fields for each role, with `part` if a field contains only that part. */
  roles: readonly (readonly { field: string; part?: IdentifierType }[])[];
  /** The role that refers to the owner if the direction field says that the record was sent. */
  sender?: { role: number; direction: string };
  fields: readonly string[];
}

export function namingFields({ stream, fields: shown }: ScopeRow): NamingFields | undefined {
  const all = rolesOf(stream.declaration.schema);
  return all && namingIn(shown === null ? all : visibleRoles(all, shown));
}

export function namingIn({ kind, fields }: Roles): NamingFields | undefined {
  const isCard = kind === "person";
  const parted = (role: string) => [
    ...(fields[role] ?? []).map((field) => ({ field })),
    ...PARTS.flatMap((part) => (fields[`${role}.${part}`] ?? []).map((field) => ({ field, part }))),
  ];
  const card = [
    ...(fields.title ?? []).map((field) => ({ field, part: "name" as const })),
    ...PARTS.slice(1).flatMap((part) => (fields[part] ?? []).map((field) => ({ field, part }))),
  ];
  const roles = (isCard ? [card] : NAMING.map(parted)).filter((role) => role.length > 0);
  if (roles.length === 0) return undefined;
  const named = roles.flat().map(({ field }) => field);
  const [direction] = fields.direction ?? [];
  if (isCard || direction === undefined || parted("from").length === 0)
    return { isCard, roles, fields: [...new Set(named)] };
  // The sender is the first of the roles in NAMING.
  return { isCard, roles, sender: { role: 0, direction }, fields: [...new Set([...named, direction])] };
}

export function sightingsIn(data: JsonObject, { roles, sender }: NamingFields): Sighting[] {
  return roles.flatMap((role, index) => {
    const isOwner = sender?.role === index && data[sender.direction] === "sent";
    // Together, the fields that are not lists describe one person; a list contains several people.
    const whole: Sighting = { addresses: [], numbers: [], handles: [] };
    const listed: Sighting[] = [];
    for (const { field, part } of role) {
      const value = Object.hasOwn(data, field) ? data[field] : undefined;
      if (part === undefined && Array.isArray(value)) listed.push(...value.map(sightingOf));
      else add(whole, value, part);
    }
    const found = [whole, ...listed].map(withoutEcho).filter(isIdentified);
    return isOwner ? found.map((sighting) => ({ ...sighting, isOwner: true as const })) : found;
  });
}

function sightingOf(value: JsonValue): Sighting {
  const sighting: Sighting = { addresses: [], numbers: [], handles: [] };
  add(sighting, value, undefined);
  return sighting;
}

function add(sighting: Sighting, value: JsonValue | undefined, part: IdentifierType | undefined): void {
  if (typeof value === "string") put(sighting, part ?? typeOf(value), value.trim());
  else if (Array.isArray(value)) for (const item of value) add(sighting, item, part);
  else if (value !== null && typeof value === "object") {
    for (const [member, inner] of Object.entries(value)) {
      const of = Object.hasOwn(MEMBERS, member) ? MEMBERS[member] : undefined;
      // A field with the role of a number contains no names, no matter what its inner fields are called.
      if (of !== undefined && typeof inner === "string" && (part === undefined || part === of))
        put(sighting, of, inner.trim());
    }
  }
}

function put(sighting: Sighting, part: IdentifierType, text: string): void {
  if (text === "") return;
  if (part === "name") sighting.name ??= text;
  else sighting[`${part === "address" ? "addresse" : part}s`].push(text);
}

/** Programs write the address in place of a missing name, so such a name counts as an identifier. */
const withoutEcho = ({ name, ...rest }: Sighting): Sighting =>
  name === undefined || typeOf(name) === "name" ? { name, ...rest } : withIdentifier(rest, name);

function withIdentifier(rest: Sighting, text: string): Sighting {
  const sighting = { addresses: [...rest.addresses], numbers: [...rest.numbers], handles: [...rest.handles] };
  put(sighting, typeOf(text), text);
  return sighting;
}

const isIdentified = ({ name, addresses, numbers, handles }: Sighting): boolean =>
  name !== undefined || addresses.length + numbers.length + handles.length > 0;
