// The fields of a stream as pages see them: their names for people, their kinds, and which ones a table begins with.
import type { FieldCapability } from "../../../../contract/answers.ts";
import type { JsonSchema } from "../../../../contract/declaration.ts";
import { KINDS } from "../../../../contract/kinds.ts";
import type { StreamMetadata } from "../../../../contract/schema-document.ts";
import { namingField } from "../../../../core/guesses.ts";
import { fieldWith } from "../../../../core/roles.ts";
import { rolesIn, timeFieldIn } from "../../../../core/title.ts";
import type { DatedStream } from "./timeline.ts";

export type FieldKind = "time" | "day" | "number" | "boolean" | "url" | "text" | "json";

export interface StreamField {
  name: string;
  label: string;
  kind: FieldKind;
  can: FieldCapability;
  /** Of the objects in a list: it can be filtered and counted by, and is no column of a table. */
  isMember: boolean;
  /** The only values that it may have. */
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

/** `to.address` → "To: Address" */
function memberLabel(name: string, properties: Record<string, JsonSchema>): string | undefined {
  const [field, member] = [name.slice(0, name.indexOf(".")), name.slice(name.indexOf(".") + 1)];
  const list = properties[field];
  if (list === undefined || !name.includes(".")) return undefined;
  const own = list.items?.properties?.[member]?.title ?? inWords(member);
  return `${list.title ?? inWords(field)}: ${own}`;
}

/** `from_name` → "From name" */
export const inWords = (name: string): string => {
  const words = name.replaceAll(/[_-]+/g, " ").trim();
  return words === "" ? name : words.charAt(0).toUpperCase() + words.slice(1);
};

/** The field that a record is read out by: its title, or the text or person of its kind; else a guess by name. */
export function leadingField(metadata: StreamMetadata): string | undefined {
  const { field_capabilities, primary_key } = metadata;
  const roles = rolesIn(metadata);
  if (roles !== undefined) {
    const leading = ["title", "text", "counterparty", "activity", "metric", "url"].map((role) =>
      fieldWith(roles, role),
    );
    return leading.find((name) => name !== undefined);
  }
  const texts = Object.entries(field_capabilities).filter(
    ([, { type, format }]) => type === "string" && format === undefined,
  );
  const names = Object.fromEntries(texts.map(([name]) => [name, name]));
  const text = texts.find(([, can]) => can.lexical_search) ?? texts.find(([name]) => !primary_key.includes(name));
  return names.name ?? namingField(names) ?? text?.[0];
}

const COLUMNS = 5;

/** What names a record, when it was, and the facts of its kind; without a kind a few short fields: no texts, lists, ids. */
export function defaultColumns(metadata: StreamMetadata): string[] {
  const leading = [leadingField(metadata), timeFieldIn(metadata)].filter((name) => name !== undefined);
  const roles = rolesIn(metadata);
  if (roles !== undefined) {
    const facts = KINDS[roles.kind].facts.map((role) => fieldWith(roles, role)).filter((name) => name !== undefined);
    return [...new Set([...leading, ...facts])].slice(0, COLUMNS);
  }
  const short = fieldsOf(metadata).filter(
    ({ name, kind, can }) =>
      kind !== "json" &&
      can.sort &&
      !leading.includes(name) &&
      !metadata.primary_key.includes(name) &&
      !/_id$/.test(name),
  );
  const columns = [...new Set([...leading, ...short.map(({ name }) => name)])].slice(0, COLUMNS);
  return columns.length > 0
    ? columns
    : fieldsOf(metadata)
        .flatMap(({ name, isMember }) => (isMember ? [] : [name]))
        .slice(0, COLUMNS);
}

/** By which field its records can be counted along time and picked by day; undefined when by none. */
export function datedBy(
  field: string | undefined,
  can: Pick<FieldCapability, "format" | "range_filter" | "aggregation"> | undefined,
): Pick<DatedStream, "field" | "kind"> | undefined {
  if (field === undefined || can === undefined || !can.aggregation.group_by_time) return undefined;
  if (!can.range_filter.includes("gte") || !can.range_filter.includes("lt")) return undefined;
  return { field, kind: can.format === "date" ? "day" : "instant" };
}
