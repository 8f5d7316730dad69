// The filters of a stream as form fields: choices with counts if there are few values, otherwise ranges and text
// fields.
import type { RangeOperator } from "../../../../contract/declaration.ts";
import type { Filter } from "../../../../contract/read.ts";
import type { StreamMetadata } from "../../../../contract/schema-document.ts";
import type { Visit } from "../../owner-page.ts";
import type { StreamPlace } from "./addresses.ts";
import { fieldsOf, type StreamField } from "./stream-fields.ts";
import { bound, type Comparison, type StreamPageState } from "./stream-state.ts";

export interface FilterField {
  name: string;
  label: string;
  /**
   * choice: one of the options. text: any text, with the options as suggestions. range: two bounds. days: a first and a
   * last day.
   */
  kind: "choice" | "text" | "range" | "days";
  inputs: { param: string; label: string; value: string }[];
  options: { value: string; label: string; count?: number }[];
  /** The chosen comparison and the available ones. */
  how?: { chosen: Comparison | ""; offered: readonly (Comparison | "")[] };
  /** Set for a choice: the ticked values. */
  several?: readonly string[];
}

/** With more values than this, the owner types a value instead of picking one. */
const CHOICES_MAX = 40;
/** The number of fields whose values are counted. Each needs a scan. */
const COUNTED_MAX = 8;

export async function filterFields(
  { look }: Pick<Visit, "look">,
  place: StreamPlace,
  metadata: StreamMetadata,
  state: StreamPageState,
): Promise<FilterField[]> {
  const fields = fieldsOf(metadata).filter(({ can }) => can.range_filter.length > 0 || can.set_filter.length > 0);
  const counted = new Set(
    metadata.aggregations.count ? fields.filter(({ can }) => can.aggregation.group_by).slice(0, COUNTED_MAX) : [],
  );
  const found = await Promise.all(
    fields.map(async (field): Promise<FilterField | undefined> => {
      const values = counted.has(field) ? await countedValues({ look }, place, field.name, state.filter) : undefined;
      return filterField(field, values, state);
    }),
  );
  const offered = found.filter((field) => field !== undefined);
  // Choices come before text fields, and ids come last.
  const rank = ({ name, kind }: FilterField): number => (metadata.primary_key.includes(name) ? 4 : KINDS.indexOf(kind));
  return offered.sort((one, other) => rank(one) - rank(other));
}

const KINDS: readonly FilterField["kind"][] = ["days", "choice", "range", "text"];

interface FilterValues {
  options: FilterField["options"];
  all: boolean;
}

/** Counts values under the other filters, so that the counts show what can still be chosen. */
async function countedValues(
  { look }: Pick<Visit, "look">,
  place: StreamPlace,
  field: string,
  { [field]: _own, ...others }: Filter,
): Promise<FilterValues> {
  const query = { ...place, metric: "count" as const, group_by: field, limit: CHOICES_MAX };
  const { groups = [], other_count = 0 } = await look("aggregate", {
    ...query,
    ...(Object.keys(others).length === 0 ? {} : { filter: others }),
  });
  const options = groups.flatMap(({ key, count }) =>
    key === null || key === "" ? [] : [{ value: String(key), label: valueWords(key), count }],
  );
  return { options, all: other_count === 0 };
}

export const valueWords = (value: string | number | boolean): string =>
  typeof value === "boolean" ? (value ? "Yes" : "No") : String(value);

function filterField(
  field: StreamField,
  values: FilterValues | undefined,
  { conditions }: StreamPageState,
): FilterField | undefined {
  const { name, label, kind, can } = field;
  const chosen = comparisonOf(name, conditions) ?? (can.items === undefined ? "is" : "contains");
  const input = (param: string, words: string) => {
    const value = conditions.find((condition) => condition.param === param)?.value ?? "";
    return { param, label: words, value };
  };
  if (kind === "time" || kind === "day") {
    const inputs = (["since", "until"] as const)
      .filter((op) => bound(field, op) !== undefined)
      .map((op) => input(`${op}[${name}]`, op === "since" ? "from" : "until"));
    const how = { chosen: chosen === "exists" || chosen === "missing" ? chosen : ("" as const), offered: PRESENCE };
    return inputs.length === 0 ? undefined : { name, label, kind: "days", inputs, options: [], how };
  }
  const own = conditions.find(({ field: one, op }) => one === name && ["is", "contains", "ne", "in"].includes(op));
  const exact = { param: `filter[${name}]`, label, value: own?.value ?? "" };
  if (kind === "number" && can.range_filter.length > 0 && exact.value === "") {
    const offered = (operators: readonly RangeOperator[]) => operators.find((one) => can.range_filter.includes(one));
    const inputs = [offered(["gte", "gt"]), offered(["lte", "lt"])].flatMap((operator) =>
      operator === undefined ? [] : [input(`filter[${name}][${operator}]`, BOUND_WORDS[operator])],
    );
    const how = { chosen: chosen === "exists" || chosen === "missing" ? chosen : ("" as const), offered: PRESENCE };
    return { name, label, kind: "range", inputs, options: [], how };
  }
  const same = can.items === undefined ? "is" : "contains";
  const options = optionsOf(field, values);
  const few = options !== undefined && (values?.all ?? true);
  if (!few) {
    const how = { chosen, offered: [same, "ne", "in", "exists", "missing"] as const };
    return { name, label, kind: "text", inputs: [exact], options: options ?? [], how };
  }
  const several = own?.values ?? [];
  const one = several.length > 0 ? "" : exact.value;
  return {
    name,
    label,
    kind: "choice",
    inputs: [{ ...exact, value: one }],
    options: [...several, one].reduce((all, value) => (value === "" ? all : withChosen(all, value)), options),
    how: { chosen: chosen === "in" ? same : chosen, offered: [same, "ne", "exists", "missing"] },
    several,
  };
}

const PRESENCE = ["", "exists", "missing"] as const;

/** Returns the comparison in the address, by its name in the form. */
function comparisonOf(name: string, conditions: StreamPageState["conditions"]): Comparison | undefined {
  const found = conditions.find(({ field, op }) => field === name && (op === "ne" || op === "in" || op === "exists"));
  if (found === undefined) return undefined;
  return found.op === "exists" ? (found.value === "true" ? "exists" : "missing") : (found.op as "ne" | "in");
}

const BOUND_WORDS: Record<RangeOperator, string> = {
  gte: "at least",
  gt: "more than",
  lte: "at most",
  lt: "less than",
};

function optionsOf(
  { kind, values: declared }: StreamField,
  values: FilterValues | undefined,
): FilterField["options"] | undefined {
  if (values !== undefined && values.options.length > 0) return values.options;
  if (kind === "boolean") return [true, false].map((value) => ({ value: String(value), label: valueWords(value) }));
  return declared?.map((value) => ({ value, label: value }));
}

const withChosen = (options: FilterField["options"], value: string): FilterField["options"] =>
  options.some((option) => option.value === value) ? options : [{ value, label: value }, ...options];
