// The current view of a stream in other forms: as a file, over REST, on the command line, and as an MCP call.
import type { ExportFormat, Filter } from "../../../../contract/read.ts";
import { filterTexts } from "../../../../core/filter-text.ts";
import { appendFields, appendFilter, recordsUrl } from "../../../../engine/read/context.ts";
import { command, curl, type Snippet, tool } from "../../snippets.ts";
import type { StreamPlace } from "./addresses.ts";
import type { CalendarStep } from "./local-days.ts";
import type { StreamPageState } from "./stream-state.ts";
import { type DatedStream, timeQuery } from "./timeline.ts";

/** The address for exporting all matching records, not only this page. */
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

/** Starts from the first page, because a cursor is valid only for the caller that received it. */
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

/** Writes `--filter` options in command-line notation. */
const filterWords = (filter: Filter): string[] => filterTexts(filter).flatMap((text) => ["--filter", text]);

const isEmpty = (filter: Filter): boolean => Object.keys(filter).length === 0;
