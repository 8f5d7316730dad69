// Record filters of grants: the fields of a stream that a filter can use, and the values that let a record pass (V-08).
import type { JsonSchema } from "../contract/declaration.ts";
import { PdppError } from "../contract/errors.ts";
import { FILTER_ROLES, type FilterRole } from "../contract/kinds.ts";
import type { JsonObject } from "../contract/record.ts";
import type { RecordFilter } from "../contract/record-filter.ts";
import type { FilterValues } from "./history.ts";
import { rolesOf } from "./roles.ts";
import type { StreamShape } from "./scope.ts";
import { setMember } from "./set-member.ts";

export interface FiledField {
  name: string;
  role: FilterRole;
}

const known = new WeakMap<JsonSchema, readonly FiledField[]>();

/**
 * Returns text fields that have a column and a role that says where a record is filed, in the order in which they are
 * offered.
 */
export function filterFieldsOf({
  declaration: { schema },
  fields,
}: Pick<StreamShape, "declaration" | "fields">): readonly FiledField[] {
  const found = known.get(schema) ?? compile(schema, fields);
  known.set(schema, found);
  return found;
}

function compile(schema: JsonSchema, fields: StreamShape["fields"]): FiledField[] {
  const roles = rolesOf(schema)?.fields ?? {};
  return FILTER_ROLES.flatMap((role) =>
    (roles[role] ?? []).filter((name) => fields.get(name)?.column === "string").map((name) => ({ name, role })),
  );
}

/** Returns the value that a filter compares, in the same form as texts in columns. */
export function filterValue(data: JsonObject, field: string): string | null {
  const value = Object.hasOwn(data, field) ? data[field] : null;
  return typeof value === "string" ? value.toWellFormed() : null;
}

/** Returns the values of all fields by which a grant could be limited, for the record's history. */
export function filterValues(shape: StreamShape, data: JsonObject): { values?: FilterValues } {
  const fields = filterFieldsOf(shape);
  if (fields.length === 0) return {};
  const values: FilterValues = {};
  for (const { name } of fields) setMember(values, name, filterValue(data, name));
  return { values };
}

/** Returns a filter in the form that a grant stores, or throws an error that lists the fields that can be used. */
export function resolvedFilter(shape: StreamShape, { field, values }: RecordFilter): RecordFilter {
  const offered = filterFieldsOf(shape).map(({ name }) => name);
  if (offered.includes(field)) return { field, values: [...new Set(values.map((value) => value.toWellFormed()))] };
  throw new PdppError("invalid_request", `${shape.name} cannot be limited by ${JSON.stringify(field)}`, {
    param: "record_filter",
    next_step:
      offered.length === 0
        ? `Leave the filter out: ${shape.name} has no field that says where a record is filed.`
        : `Use one of: ${offered.join(", ")}.`,
  });
}
