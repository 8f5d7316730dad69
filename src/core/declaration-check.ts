// Checks a declaration as a whole: its shape, that its names refer to something, and that nothing has changed that
// existing records or grants depend on.
import { z } from "zod";
import { type SourceDeclaration, type StreamDeclaration, sourceDeclaration } from "../contract/declaration.ts";
import { PdppError } from "../contract/errors.ts";
import { firstIssue } from "../contract/issue.ts";
import { isKind, KINDS, ROLE_TYPES, rolesFor, TIME_ROLES } from "../contract/kinds.ts";
import { EXPAND } from "../contract/limits.ts";
import { type Field, fieldsOf, listColumnsOf } from "./fields.ts";
import { compileSchema } from "./record-schema.ts";

/**
 * Parses and checks a declaration. An invalid one is refused as a whole, with an error that says where the problem is.
 */
export function parseDeclaration(input: unknown): SourceDeclaration {
  const parsed = sourceDeclaration.safeParse(input);
  if (!parsed.success) {
    const issue = firstIssue(parsed.error);
    throw invalid(z.core.toDotPath(issue.path) || "declaration", issue.message);
  }
  const declaration = parsed.data;
  const names = new Set<string>();
  for (const [index, stream] of declaration.streams.entries()) {
    const at = `streams[${index}]`;
    if (names.has(stream.name)) throw invalid(`${at}.name`, `${stream.name} is given twice`);
    names.add(stream.name);
    checkStream(stream, at);
  }
  for (const [index, stream] of declaration.streams.entries()) checkRelations(declaration, stream, `streams[${index}]`);
  return declaration;
}

/** Declaration lists that can name a field of the objects in a list. */
const LIST_USES = new Set(["lexical_fields", "group_by", "count_distinct"]);

function checkStream(stream: StreamDeclaration, at: string): void {
  checkLocalReferences(stream.schema, `${at}.schema`);
  try {
    compileSchema(stream.schema);
  } catch (error) {
    throw invalid(`${at}.schema`, (error as Error).message);
  }
  const [fields, lists] = [fieldsOf(stream), listColumnsOf(stream)];
  const exists = (name: string, place: string): Field => {
    const field = fields.get(name);
    if (field === undefined) throw invalid(`${at}.${place}`, `schema.properties has no ${JSON.stringify(name)}`);
    return field;
  };
  for (const name of stream.primary_key) {
    const { type } = exists(name, "primary_key");
    if (!["string", "integer", "number"].includes(type))
      throw invalid(`${at}.primary_key`, `${name} is ${type}; a key must be text or a number`);
  }
  if (stream.cursor_field !== undefined && exists(stream.cursor_field, "cursor_field").column === undefined) {
    throw invalid(`${at}.cursor_field`, `${stream.cursor_field} cannot be sorted`);
  }
  if (stream.consent_time_field !== undefined) {
    const { column } = exists(stream.consent_time_field, "consent_time_field");
    if (column !== "instant" && column !== "day")
      throw invalid(`${at}.consent_time_field`, "needs format date-time or date");
  }
  const { range_filters = {}, search = {}, aggregations = {} } = stream.query ?? {};
  for (const name of Object.keys(range_filters)) {
    if (exists(name, "query.range_filters").column === undefined)
      throw invalid(`${at}.query.range_filters`, `${name} cannot be sorted`);
  }
  for (const [use, names] of Object.entries({ ...search, ...aggregations })) {
    if (!Array.isArray(names)) continue;
    for (const name of names) if (!LIST_USES.has(use) || !lists.has(name)) exists(name, `query.${use}`);
  }
  checkRoles(stream, fields, `${at}.schema`);
  for (const view of stream.views ?? []) for (const name of view.fields) exists(name, `views.${view.id}`);
  const twice = (place: string, names: readonly string[]): void => {
    const repeated = names.find((name, index) => names.indexOf(name) !== index);
    if (repeated !== undefined) throw invalid(`${at}.${place}.${repeated}`, "it is given twice");
  };
  twice(
    "views",
    (stream.views ?? []).map((view) => view.id),
  );
  twice(
    "relationships",
    (stream.relationships ?? []).map((relation) => relation.name),
  );
}

/**
 * Rejects roles that the kind does not have, or that are on a field of the wrong type, because readers would show
 * nonsense.
 */
function checkRoles({ schema }: StreamDeclaration, fields: ReadonlyMap<string, Field>, at: string): void {
  const kind = schema["x-kind"];
  const annotated = Object.entries(schema.properties ?? {}).filter(([, property]) => "x-role" in property);
  if (kind === undefined && annotated.length === 0) return;
  if (!isKind(kind)) {
    const known = Object.keys(KINDS).join(", ");
    throw invalid(`${at}.x-kind`, `${JSON.stringify(kind)} is not a kind; fields with x-role need one of ${known}`);
  }
  const allowed = rolesFor(kind);
  for (const [name, property] of annotated) {
    const place = `${at}.properties.${name}.x-role`;
    const role = String(property["x-role"]);
    if (!allowed.has(role)) throw invalid(place, `${role} is not a role of ${kind}; it has ${[...allowed].join(", ")}`);
    const { type, column } = fields.get(name)!;
    const types = ROLE_TYPES[role] ?? [];
    if (types.length > 0 && !types.includes(type))
      throw invalid(place, `${role} needs type ${types.join(" or ")}, and ${name} is ${type}`);
    if (TIME_ROLES.includes(role) && column !== "instant" && column !== "day")
      throw invalid(place, `${role} needs format date-time or date`);
  }
}

function checkRelations(declaration: SourceDeclaration, stream: StreamDeclaration, at: string): void {
  for (const relation of stream.relationships ?? []) {
    const target = declaration.streams.find((candidate) => candidate.name === relation.stream);
    if (target === undefined)
      throw invalid(`${at}.relationships.${relation.name}`, `there is no stream ${relation.stream}`);
    const holder = relation.cardinality === "has_many" ? target : stream;
    if (!holder.schema.properties?.[relation.foreign_key]) {
      throw invalid(`${at}.relationships.${relation.name}`, `${holder.name} has no field ${relation.foreign_key}`);
    }
  }
  for (const offer of stream.query?.expand ?? []) {
    if (!stream.relationships?.some((relation) => relation.name === offer.name)) {
      throw invalid(`${at}.query.expand`, `there is no relationship ${offer.name}`);
    }
    const { default_limit: usual = 1, max_limit: most = EXPAND.max } = offer;
    if (usual > most)
      throw invalid(
        `${at}.query.expand`,
        `${offer.name} expands ${usual} by default, which is more than its maximum of ${most}`,
      );
  }
}

/** Allows only local references, because a declaration must not make the server fetch anything. */
function checkLocalReferences(value: unknown, at: string): void {
  if (Array.isArray(value)) for (const inner of value) checkLocalReferences(inner, at);
  if (value === null || typeof value !== "object") return;
  for (const [name, inner] of Object.entries(value)) {
    const reference = name === "$ref" || name === "$dynamicRef";
    if (reference && !(typeof inner === "string" && inner.startsWith("#")))
      throw invalid(at, `${name} must be local: ${JSON.stringify(inner)}`);
    checkLocalReferences(inner, at);
  }
}

/** Refuses changes to keys, order and consent time, because stored rows and existing grants depend on them. */
export function checkSuccessor(before: SourceDeclaration, after: SourceDeclaration): void {
  for (const [index, stream] of after.streams.entries()) {
    const old = before.streams.find((candidate) => candidate.name === stream.name);
    if (old === undefined) continue;
    for (const part of ["primary_key", "cursor_field", "consent_time_field", "semantics"] as const) {
      if (JSON.stringify(old[part]) !== JSON.stringify(stream[part])) {
        throw invalid(
          `streams[${index}].${part}`,
          `it cannot change once declared; it was declared as ${JSON.stringify(old[part])}`,
        );
      }
    }
    checkKinds(old, stream, `streams[${index}]`);
  }
  const missing = before.streams.find((old) => !after.streams.some((stream) => stream.name === old.name));
  if (missing) throw invalid("streams", `the stream ${missing.name} was declared before and is missing now`);
}

/** Refuses type changes, because stored rows keep the order and the time that they were written with. */
function checkKinds(old: StreamDeclaration, stream: StreamDeclaration, at: string): void {
  const [before, after] = [fieldsOf(old), fieldsOf(stream)];
  for (const part of ["cursor_field", "consent_time_field"] as const) {
    const name = stream[part];
    if (name === undefined) continue;
    const kind = before.get(name)?.column;
    if (after.get(name)?.column !== kind)
      throw invalid(`${at}.${part}`, `${name} cannot change its type, which is ${kind}`);
  }
}

function invalid(place: string, message: string): PdppError {
  return new PdppError("invalid_declaration", `${place}: ${message}`, { param: place });
}
