// Exactly what a view of a stream shows, elsewhere: as a file, over REST, on the command line, as an MCP call.
import type { RangeOperator } from "../../../../contract/declaration.ts";
import type { ExportFormat, Filter } from "../../../../contract/read.ts";
import { appendFields, appendFilter, recordsUrl } from "../../../../engine/read/context.ts";
import { command, curl, type Snippet, tool } from "../../snippets.ts";
import type { StreamPlace } from "./addresses.ts";
import type { CalendarStep } from "./local-days.ts";
import type { StreamPageState } from "./stream-state.ts";
import { type DatedStream, timeQuery } from "./timeline.ts";

/** All its records, not only the page. */
export function exportAddress(
  place: StreamPlace,
  { filter, sort, columns }: StreamPageState,
  format: ExportFormat,
): string {
  const parameters = new URLSearchParams({ ...place });
  appendFilter(parameters, filter);
  if (sort !== undefined) parameters.set("sort", sort);
  appendFields(parameters, columns);
  parameters.set("format", format);
  return `/dashboard/v1/export?${parameters}`;
}

export function snippetsOf(
  origin: string,
  place: StreamPlace,
  state: StreamPageState,
  dated: DatedStream | undefined,
  step: CalendarStep | undefined,
  zone: string,
): Snippet[] {
  return state.show === "charts" && dated !== undefined && step !== undefined
    ? countSnippets(origin, dated, state.filter, step, zone)
    : recordSnippets(origin, place, state);
}

/** From the first page on: a cursor is good for whoever it was given to. */
function recordSnippets(
  origin: string,
  place: StreamPlace,
  { filter, sort, columns, limit }: StreamPageState,
): Snippet[] {
  const query = {
    ...place,
    ...(isEmpty(filter) ? {} : { filter }),
    ...(sort === undefined ? {} : { sort }),
    fields: columns,
    limit,
    count: "exact" as const,
  };
  return [
    curl(origin, recordsUrl(query).self),
    command(
      "query",
      place.stream,
      ...["--connection", place.connection_id],
      ...filterWords(filter),
      ...(sort === undefined ? [] : ["--sort", sort]),
      ...["--fields", columns.join(",")],
      ...["--limit", String(limit), "--count", "--server", origin],
    ),
    tool("query_records", query),
  ];
}

function countSnippets(
  origin: string,
  dated: DatedStream,
  filter: Filter,
  step: CalendarStep,
  zone: string,
): Snippet[] {
  const { filter: _filter, stream, ...query } = timeQuery(dated, filter, step, zone);
  const parameters = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  appendFilter(parameters, filter);
  return [
    curl(origin, `/v1/streams/${encodeURIComponent(stream)}/aggregate?${parameters}`),
    command(
      ...["aggregate", stream, "count", "--connection", dated.connection_id],
      ...["--group-by-time", dated.field, "--granularity", step, "--time-zone", zone],
      ...filterWords(filter),
      ...["--limit", String(query.limit), "--server", origin],
    ),
    tool("aggregate", timeQuery(dated, filter, step, zone)),
  ];
}

const SIGNS: Record<RangeOperator, string> = { gte: ">=", gt: ">", lte: "<=", lt: "<" };

/** `--filter` as the command line takes it. */
function filterWords(filter: Filter): string[] {
  return Object.entries(filter).flatMap(([field, condition]) => {
    const conditions =
      typeof condition === "object"
        ? Object.entries(condition).map(([operator, value]) => `${field}${SIGNS[operator as RangeOperator]}${value}`)
        : [`${field}=${condition}`];
    return conditions.flatMap((text) => ["--filter", text]);
  });
}

const isEmpty = (filter: Filter): boolean => Object.keys(filter).length === 0;
