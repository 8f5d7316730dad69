// The aggregate tool: one number, or one per group, without reading the records.
import type { Aggregation } from "../../contract/answers.ts";
import { aggregateQuery } from "../../contract/read.ts";
import { cutWindow } from "../../core/window.ts";
import { parseArguments } from "./arguments.ts";
import { BUDGET, resultBytes } from "./budgets.ts";
import { plainData, quoted } from "./plain.ts";
import { sourceText } from "./query-records.ts";
import { CONNECTION_OR_ALL, FILTER } from "./shared-arguments.ts";
import type { Tool, ToolResult } from "./tool.ts";

export const aggregate: Tool = {
  definition: {
    name: "aggregate",
    title: "Count and sum",
    description:
      "Count, sum, min, max, avg or count_distinct over one stream, in total, by value or by time (GET /v1/streams/{stream}/aggregate, read-only). Answers how many and how much without reading records; schema shows each field's metrics.",
    inputSchema: {
      type: "object",
      properties: {
        stream: { type: "string" },
        metric: { enum: ["count", "sum", "min", "max", "avg", "count_distinct"] },
        connection_id: CONNECTION_OR_ALL,
        field: { type: "string", description: "for every metric but count" },
        group_by: { type: "string" },
        group_by_time: { type: "string", description: "instead of group_by, with granularity" },
        granularity: { enum: ["minute", "hour", "day", "week", "month", "quarter", "year"] },
        time_zone: { type: "string", description: "IANA name, default UTC" },
        filter: { ...FILTER, description: "as for query_records" },
        order_by: { enum: ["value", "-value", "key", "-key", "count", "-count"], description: "of groups, - descends" },
        limit: { type: "integer", minimum: 1, maximum: 100, description: "groups" },
      },
      required: ["stream", "metric"],
      additionalProperties: false,
    },
  },
  async run({ client }, args) {
    const query = parseArguments("aggregate", aggregateQuery, args);
    const budget = query.limit === undefined ? BUDGET.page : BUDGET.asked;
    for (let limit = query.limit; ; ) {
      const answer = await client.aggregate({ ...query, limit });
      const result = render(answer, limit !== query.limit);
      const groups = answer.groups?.length ?? 0;
      const size = resultBytes(result);
      if (size <= budget || groups <= 1) return result;
      // If keys are long, fewer groups fit. The other groups are counted in other_count.
      limit = Math.max(1, Math.floor((groups * (budget - 1000)) / size));
    }
  },
};

/** A longer key or value is cut, and its length is given. */
const LONG = { wholeChars: 1_000, shownChars: 400 } as const;

type Scalar = string | number | boolean | null;

interface ShownGroup {
  key: Scalar;
  key_chars?: number;
  currency?: string | null;
  count: number;
  value?: Scalar;
  value_chars?: number;
}

function render(answer: Aggregation, byBytes: boolean): ToolResult {
  const { stream, metric, field, group_by, group_by_time, granularity, time_zone } = answer;
  const of = field === undefined ? metric : `${metric} of ${field}`;
  const by =
    group_by ??
    (group_by_time === undefined ? undefined : `${group_by_time} per ${granularity} (${time_zone ?? "UTC"})`);
  const ended = byBytes ? { page_ended_by: "bytes" } : {};
  const groups = answer.groups?.map(
    // For a count, the value is the count.
    ({ key, currency, count, value }) =>
      ({
        ...begun("key", key),
        ...(currency === undefined ? {} : { currency }),
        count,
        ...(metric === "count" ? {} : begun("value", value)),
      }) as ShownGroup,
  );
  const whole = begun("value", answer.value) as Pick<ShownGroup, "value" | "value_chars">;
  const other = begun("value", answer.other_value) as Pick<ShownGroup, "value" | "value_chars">;
  const lines = [
    `${of} over ${stream}${by === undefined ? "" : ` by ${by}`}, ${sourceText(answer)}${answer.currency === undefined ? "" : `, currency ${quoted(answer.currency)}`}`,
    ...(groups === undefined
      ? [`value: ${JSON.stringify(whole.value ?? null)}${cutNote("value", whole.value_chars)}`]
      : groups.map(groupLine)),
    `filtered_record_count: ${answer.filtered_record_count}`,
    ...(answer.other_count === undefined
      ? []
      : [
          `other_count: ${answer.other_count} (records in groups not shown; ${byBytes ? "" : "raise limit or "}filter)`,
        ]),
    ...(other.value === undefined || metric === "count"
      ? []
      : [`other_value: ${JSON.stringify(other.value)} (${of} over those)${cutNote("value", other.value_chars)}`]),
    ...(answer.limit === undefined ? [] : [`limit: ${answer.limit}${byBytes ? ", page_ended_by: bytes" : ""}`]),
    ...(answer.order_by === undefined ? [] : [`order_by: ${answer.order_by}`]),
    `approximate: ${answer.approximate}`,
  ];
  // For a count, the value of the other groups is their count.
  const { other_value: _other, ...plain } = answer;
  const rest = other.value === undefined || metric === "count" ? {} : { other_value: other.value };
  const data = { ...plain, ...rest, ...(groups === undefined ? {} : { groups }), ...whole, ...ended };
  return { text: plainData(lines).join("\n"), structured: { data: plainData(data) } };
}

function begun(name: "key" | "value", value: Scalar | undefined): object {
  if (value === undefined) return {};
  if (typeof value !== "string" || value.length <= LONG.wholeChars) return { [name]: value };
  const { text, total_chars } = cutWindow(value, { limit: LONG.shownChars });
  return { [name]: text, [`${name}_chars`]: total_chars };
}

const cutNote = (name: string, chars: number | undefined): string =>
  chars === undefined ? "" : ` [${name}: the first ${LONG.shownChars} of ${chars} characters]`;

function groupLine({ key, key_chars, currency, count, value, value_chars }: ShownGroup): string {
  const notes = cutNote("key", key_chars) + cutNote("value", value_chars);
  const of = value === undefined ? String(count) : `${JSON.stringify(value)} (count ${count})`;
  return `${JSON.stringify(key)}${currency === undefined ? "" : ` in ${JSON.stringify(currency)}`}: ${of}${notes}`;
}
