// The fields of a stream for pages: their labels and types.
import type { FieldCapability } from "../../../../contract/answers.ts";
import type { JsonSchema } from "../../../../contract/declaration.ts";
import type { StreamMetadata } from "../../../../contract/schema-document.ts";
import type { DatedStream } from "./timeline.ts";

export type FieldKind = "time" | "day" | "number" | "boolean" | "url" | "text" | "json";

export interface StreamField {
  name: string;
  label: string;
  kind: FieldKind;
  can: FieldCapability;
  /** A field of the objects in a list. Records can be filtered and counted by it, but it is not a table column. */
  isMember: boolean;
  /** The only allowed values. */
  values?: readonly string[];
}

export function fieldsOf({ field_capabilities, schema }: StreamMetadata): StreamField[] {
  const properties = schema?.properties ?? {};
  return Object.entries(field_capabilities).map(([name, can]) => {
    const values = valuesOf(properties[name]);
    return {
      name,
      label: properties[name]?.title ?? memberLabel(name, properties) ?? inWords(name),
      kind: kindOf(can),
      can,
      isMember: can.items !== undefined && name.includes(".") && properties[name] === undefined,
      ...(values === undefined ? {} : { values }),
    };
  });
}

function kindOf({ type, format }: FieldCapability): FieldKind {
  if (type === "number" || type === "integer") return "number";
  if (type === "boolean") return "boolean";
  if (type !== "string") return "json";
  if (format === "date-time") return "time";
  return format === "date" ? "day" : format === "uri" || format === "url" ? "url" : "text";
}

function valuesOf(schema: JsonSchema | undefined): string[] | undefined {
  const values = schema?.enum?.filter((value) => typeof value === "string");
  return values === undefined || values.length === 0 ? undefined : values;
}

/** Example: `to.address` → "To: Address" */
function memberLabel(name: string, properties: Record<string, JsonSchema>): string | undefined {
  const [field, member] = [name.slice(0, name.indexOf(".")), name.slice(name.indexOf(".") + 1)];
  const list = properties[field];
  if (list === undefined || !name.includes(".")) return undefined;
  const own = list.items?.properties?.[member]?.title ?? inWords(member);
  return `${list.title ?? inWords(field)}: ${own}`;
}

/** Example: `from_name` → "From name" */
export const inWords = (name: string): string => {
  const words = name.replaceAll(/[_-]+/g, " ").trim();
  return words === "" ? name : words.charAt(0).toUpperCase() + words.slice(1);
};

/** Returns the field by which records can be counted over time and filtered by day, if any. */
export function datedBy(
  field: string | undefined,
  can: Pick<FieldCapability, "format" | "range_filter" | "aggregation"> | undefined,
): Pick<DatedStream, "field" | "kind"> | undefined {
  if (field === undefined || can === undefined || !can.aggregation.group_by_time) return undefined;
  if (!can.range_filter.includes("gte") || !can.range_filter.includes("lt")) return undefined;
  return { field, kind: can.format === "date" ? "day" : "instant" };
}
