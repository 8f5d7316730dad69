// pdpp aggregate: one number, or one per group.
import type { Aggregation } from "../../../contract/answers.ts";
import { type AggregateQuery, granularity, groupOrder, metric } from "../../../contract/read.ts";
import { type Command, type CommandContext, text, UsageError, wholeNumber } from "../command.ts";
import { filterFrom } from "../filters.ts";
import { namedConnection } from "../named-connection.ts";
import { plainJson, printable } from "../printable.ts";
import { count, table } from "../table.ts";

export const aggregate: Command = {
  summary: "count, sum, min, max, avg or count_distinct, overall or by group",
  usage:
    "pdpp aggregate STREAM METRIC [FIELD] [--connection ID|NAME|all] [--group-by F | --group-by-time F [--granularity G] [--time-zone Z]]\n" +
    "       [--filter FIELD=VALUE …] [--order-by [-]value|key|count] [--limit N]\n" +
    "       METRIC: count, sum, min, max, avg, count_distinct. G: minute, hour, day, week, month, quarter, year.",
  examples: [
    "pdpp aggregate messages count --connection cin_…",
    "pdpp aggregate transactions sum amount --connection cin_… --group-by category --limit 20",
    "pdpp aggregate listens count --group-by-time ended_at --granularity month --time-zone Europe/Lisbon",
    "pdpp aggregate transactions sum amount --connection all --group-by counterparty --order-by value --limit 5",
    "pdpp aggregate listens count_distinct artist --filter 'ended_at>=2025-01-01' --json",
  ],
  options: {
    connection: {
      type: "string",
      value: "ID|NAME",
      about: "the connection to read; `all` reads every connection that has the stream",
    },
    "group-by": { type: "string", value: "FIELD", about: "one result per value of this field" },
    "group-by-time": { type: "string", value: "FIELD", about: "one result per period of this time field" },
    granularity: {
      type: "string",
      value: "PERIOD",
      about: "minute, hour, day, week, month, quarter or year (default: day)",
    },
    "time-zone": {
      type: "string",
      value: "ZONE",
      about: "the time zone in which periods begin, such as Europe/Lisbon",
    },
    filter: {
      type: "string",
      multiple: true,
      value: "CONDITION",
      about: "only records that match; repeat it to combine conditions",
    },
    "order-by": {
      type: "string",
      value: "[-]WHAT",
      about: "sort groups by value, key or count; a leading - sorts descending",
    },
    limit: { type: "string", value: "N", about: "at most this many groups" },
  },
  async run(context) {
    const request = { ...requestFrom(context), connection_id: await namedConnection(context) };
    const aggregation = await (await context.reader()).aggregate(request);
    if (context.json) context.out(plainJson(JSON.stringify(aggregation)));
    else context.out(render(aggregation));
    return 0;
  },
};

function requestFrom({ positionals, values }: CommandContext): AggregateQuery {
  const [stream, measure, field, ...rest] = positionals;
  if (stream === undefined || measure === undefined) throw new UsageError("specify a stream and a metric");
  if (rest.length > 0) throw new UsageError(`unexpected argument ${JSON.stringify(rest[0])}`);
  return {
    stream,
    metric: oneOf("METRIC", measure, metric.options),
    field,
    group_by: text(values, "group-by"),
    group_by_time: text(values, "group-by-time"),
    granularity:
      values.granularity === undefined
        ? undefined
        : oneOf("--granularity", text(values, "granularity")!, granularity.options),
    time_zone: text(values, "time-zone"),
    filter: filterFrom(values),
    order_by:
      values["order-by"] === undefined ? undefined : oneOf("--order-by", text(values, "order-by")!, groupOrder.options),
    limit: wholeNumber(values, "limit", 1),
  };
}

function oneOf<T extends string>(what: string, value: string, options: readonly T[]): T {
  const found = options.find((option) => option === value);
  if (found === undefined)
    throw new UsageError(`${what} must be one of ${options.join(", ")}, not ${JSON.stringify(value)}`);
  return found;
}

function render(result: Aggregation): string {
  const over = `over ${count(result.filtered_record_count, "record")} of ${printable(result.stream)}`;
  const measure = result.field === undefined ? result.metric : `${result.metric} of ${printable(result.field)}`;
  if (result.groups === undefined)
    return `${shown(result.value)}${result.currency === undefined ? "" : ` ${printable(result.currency)}`}\n${measure} ${over}`;
  if (result.groups.length === 0) return `No groups: ${measure} ${over}.`;
  const key = result.group_by ?? `${result.group_by_time} (${result.granularity}, ${result.time_zone})`;
  const money = result.groups.some(({ currency }) => currency !== undefined);
  const headers = [key, ...(money ? ["currency"] : []), "records", ...(result.metric === "count" ? [] : [measure])];
  const rows = result.groups.map((group) =>
    [shown(group.key), ...(money ? [shown(group.currency)] : []), String(group.count), shown(group.value)].slice(
      0,
      headers.length,
    ),
  );
  const others = result.other_count
    ? `\n${count(result.other_count, "record")} in other groups${otherValue(result, measure)}; --limit shows more groups (at most 100).`
    : "";
  return `${table(headers, rows, { whole: [] })}${measure} ${over}${others}`;
}

const otherValue = ({ metric: of, other_value }: Aggregation, measure: string): string =>
  of === "count" || other_value === undefined ? "" : ` (${measure}: ${shown(other_value)})`;

const shown = (value: string | number | boolean | null | undefined): string =>
  value === null || value === undefined ? "(none)" : printable(String(value), 200);
