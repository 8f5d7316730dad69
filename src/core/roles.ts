// The kind of a stream and the fields for its roles, read from the annotations in its schema.
import type { JsonSchema, StreamDeclaration } from "../contract/declaration.ts";
import { isKind, type Kind, namesPeople } from "../contract/kinds.ts";
import type { StreamShape } from "./scope.ts";

export interface Roles {
  kind: Kind;
  /** The fields for each role, in schema order. */
  fields: Record<string, string[]>;
}

const compiled = new WeakMap<JsonSchema, { roles: Roles | undefined }>();

/** Returns undefined if the stream declares no kind; then guesses.ts looks at its fields. */
export function rolesOf(schema: JsonSchema): Roles | undefined {
  const known = compiled.get(schema);
  if (known !== undefined) return known.roles;
  const roles = compile(schema);
  compiled.set(schema, { roles });
  return roles;
}

function compile(schema: JsonSchema): Roles | undefined {
  const kind = schema["x-kind"];
  if (!isKind(kind)) return undefined;
  const fields: Record<string, string[]> = {};
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const role = property["x-role"];
    if (typeof role !== "string") continue;
    fields[role] ??= [];
    fields[role].push(name);
  }
  return { kind, fields };
}

/** Returns the field that says when a record happened; without a kind, the field that the stream is ordered by. */
export function timeFieldOf(
  stream: Pick<StreamDeclaration, "consent_time_field" | "cursor_field">,
  roles: Roles | undefined,
): string | undefined {
  return (roles && fieldWith(roles, "time")) ?? stream.consent_time_field ?? stream.cursor_field;
}

/** Returns the roles of the fields that a caller may see. */
export function visibleRoles(roles: Roles, shown: ReadonlySet<string>): Roles {
  const fields = Object.entries(roles.fields)
    .map(([role, names]) => [role, names.filter((name) => shown.has(name))] as const)
    .filter(([, names]) => names.length > 0);
  return { kind: roles.kind, fields: Object.fromEntries(fields) };
}

/** Returns the first field with this role, otherwise the first with a part of it, such as `from.name`. */
export function fieldWith({ fields }: Pick<Roles, "fields">, role: string): string | undefined {
  const whole = fields[role]?.[0];
  if (whole !== undefined) return whole;
  const part = Object.keys(fields).find((one) => one.startsWith(`${role}.`));
  return part === undefined ? undefined : fields[part]![0];
}

/** Returns the columns that identify people: fields, lists, and fields of the objects in lists. */
export function peopleFields({ declaration, fields, lists }: StreamShape): string[] {
  const roles = rolesOf(declaration.schema);
  if (roles === undefined) return [];
  const held = Object.entries(roles.fields).flatMap(([role, names]) => (namesPeople(roles.kind, role) ? names : []));
  const listed = [...lists.values()].filter(({ field, kind }) => held.includes(field) && kind === "string");
  return [...held.filter((name) => fields.get(name)?.column === "string"), ...listed.map(({ name }) => name)];
}
