// A search over everything: hits with their matching passages, and the available filters.
import type { EvidenceExcerpt, SearchList, SearchMeta, SourceMix } from "../../../../contract/answers.ts";
import { PdppError } from "../../../../contract/errors.ts";
import type { SearchQuery } from "../../../../contract/read.ts";
import type { SchemaDocument } from "../../../../contract/schema-document.ts";
import { parseDay } from "../../../../core/instant.ts";
import type { DownloadRow, Visit } from "../../owner-page.ts";
import { command, curl, type Snippet, tool } from "../../snippets.ts";
import { type Pairs, pair, recordAddress } from "./addresses.ts";
import { labelOf } from "./local-days.ts";
import { stepFor, type Timeline, timeline } from "./timeline.ts";

/** The search as given in the address. */
export interface SearchState {
  q: string;
  connection?: string;
  stream?: string;
  /** Days, both inclusive. */
  since?: string;
  until?: string;
  order: "relevance" | "newest";
  cursor?: string;
  /** All parameters except the page. */
  pairs: Pairs;
}

export interface ShownHit {
  href: string;
  title: string;
  source: string;
  connection: { id: string; label: string };
  stream: { name: string; label: string };
  at?: string;
  /** The number of other records with the same passage. */
  repeats?: number;
  /** Strongest evidence first. */
  passages: Passage[];
}

/** The evidence for a hit, with a link that opens the record's page at that position. */
export interface Passage extends EvidenceExcerpt {
  href: string;
}

export interface SearchView {
  state: SearchState;
  count: number;
  /** The number of records that contain every word, if others contain only some of the words. */
  every?: number;
  searched: SearchMeta["searched"];
  relaxed?: string;
  suggestions: string[];
  warnings: string[];
  hits: ShownHit[];
  next?: string;
  facets: {
    connections: {
      id: string;
      label: string;
      source: string;
      count: number;
      streams: { name: string; label: string; count: number }[];
    }[];
    months?: Timeline;
  };
  snippets: Snippet[];
}

const LIMIT = 20;
const ROWS_AT_ONCE = 100;

export function searchState(search: URLSearchParams): SearchState | undefined {
  const text = (name: string): string | undefined => search.get(name)?.trim() || undefined;
  const day = (name: string): string | undefined => {
    const value = text(name);
    return value !== undefined && parseDay(value) !== undefined ? value : undefined;
  };
  const [q = "", connection, since, until, cursor] = [
    text("q"),
    text("connection"),
    day("since"),
    day("until"),
    text("cursor"),
  ];
  if (q === "" && since === undefined && until === undefined) return undefined;
  const stream = connection === undefined ? undefined : text("stream");
  // Without words, no record matches better than another.
  const order = q === "" || search.get("order") === "newest" ? "newest" : "relevance";
  const given = { q, connection, stream, since, until };
  return {
    q,
    order,
    ...(connection === undefined ? {} : { connection }),
    ...(stream === undefined ? {} : { stream }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(cursor === undefined ? {} : { cursor }),
    pairs: [
      ...Object.entries(given).flatMap(([name, value]) =>
        value === undefined || value === "" ? [] : [pair(name, value)],
      ),
      ...(q !== "" && order === "newest" ? [pair("order", order)] : []),
    ],
  };
}

export async function searchView({ look, origin }: Visit, state: SearchState): Promise<SearchView> {
  const facets = (without: SearchState) => look("search", { ...queryOf(without), facets: true, limit: 1 });
  // An active filter would hide its alternatives, so they are counted without it.
  const { connection, stream: _stream, ...anywhere } = state;
  const { since, until, ...anytime } = state;
  const [{ page, notes }, index, everywhere, always] = await Promise.all([
    firstOrPage({ look }, state),
    look("schema", {}),
    connection === undefined ? undefined : facets(anywhere),
    since === undefined && until === undefined ? undefined : facets(anytime),
  ]);
  const names = namesOf(index);
  const { count, matched, unmatched, searched, relaxed, suggestions = [], warnings = [], facets: own } = page.meta;
  const streams = (everywhere?.meta.facets ?? own)?.streams ?? [];
  const months = monthsOf((always?.meta.facets ?? own)?.months ?? []);
  return {
    state,
    count: count.value,
    ...(matched === undefined || matched.all === matched.any ? {} : { every: matched.all }),
    searched,
    ...(relaxed === undefined ? {} : { relaxed }),
    suggestions,
    warnings: [
      ...warnings.map(({ message }) => message),
      ...(unmatched === undefined ? [] : [`no record contains ${unmatched.join(", ")}`]),
      ...notes,
    ],
    hits: page.data.map((hit) => hitOf(hit, names)),
    ...(page.next_cursor === undefined ? {} : { next: page.next_cursor }),
    facets: { connections: byConnection(streams, names), ...(months === undefined ? {} : { months }) },
    snippets: snippetsOf(origin, state),
  };
}

/**
 * Returns every record, newest first. Unlike on the page, each record has its own row, even if passages are identical.
 * This is a download, so it is logged.
 */
export async function* searchRows({ look, act, origin }: Visit, state: SearchState): AsyncIterable<DownloadRow> {
  const names = namesOf(await look("schema", {}));
  let cursor: string | undefined;
  do {
    const query = {
      ...queryOf({ ...state, order: "newest" }),
      limit: ROWS_AT_ONCE,
      ...(cursor === undefined ? {} : { cursor }),
    };
    const page: SearchList = await act("search", query);
    for (const found of page.data) {
      const { title, source, connection, stream, at, href, passages } = hitOf(found, names);
      yield {
        title,
        at: at ?? null,
        source,
        connection: connection.label,
        stream: stream.name,
        passage: passages[0]?.preview_text ?? null,
        record_id: found.record_key,
        url: origin + href,
      };
    }
    cursor = page.next_cursor;
  } while (cursor !== undefined);
}

/** If the cursor belongs to another search, shows the first page instead of an empty one. */
async function firstOrPage(
  { look }: Pick<Visit, "look">,
  state: SearchState,
): Promise<{ page: SearchList; notes: string[] }> {
  const query = { ...queryOf(state), facets: true, limit: LIMIT };
  if (state.cursor === undefined) return { page: await look("search", query), notes: [] };
  try {
    return { page: await look("search", { ...query, cursor: state.cursor }), notes: [] };
  } catch (error) {
    if (!(error instanceof PdppError) || error.details.param !== "cursor") throw error;
    const page = await look("search", query);
    return { page, notes: ["that page belonged to a different search, so these are the first hits"] };
  }
}

/** Days become words of the query. `after:` and `until:` refer to whole days. */
function queryOf({ q, connection, stream, since, until, order }: SearchState): SearchQuery {
  const words = [q, since === undefined ? "" : `after:${since}`, until === undefined ? "" : `until:${until}`];
  return {
    q: words.filter((word) => word !== "").join(" "),
    ...(connection === undefined ? {} : { connection_id: connection }),
    ...(stream === undefined ? {} : { streams: [stream] }),
    ...(order === "newest" ? { order } : {}),
  };
}

interface HitNames {
  source: string;
  label: string;
}

const keyOf = (connection: string, stream: string): string => `${connection}/${stream}`;

function namesOf({ connectors }: SchemaDocument): Map<string, HitNames> {
  const names = new Map<string, HitNames>();
  for (const { display_name: source, streams } of connectors)
    for (const stream of streams)
      for (const { connection_id } of stream.granted_connections)
        names.set(keyOf(connection_id, stream.name), { source, label: stream.label ?? stream.name });
  return names;
}

function hitOf(hit: SearchList["data"][number], names: ReadonlyMap<string, HitNames>): ShownHit {
  const { connection_id, connector_key, display_name, stream, record_key, title, authored_at } = hit;
  const place = { connection_id, stream, id: record_key };
  const { source, label } = names.get(keyOf(connection_id, stream)) ?? { source: connector_key, label: stream };
  return {
    href: recordAddress(place),
    title,
    source,
    connection: { id: connection_id, label: display_name ?? connection_id },
    stream: { name: stream, label },
    ...(authored_at === undefined ? {} : { at: authored_at }),
    ...(hit.repeats === undefined ? {} : { repeats: hit.repeats.count }),
    passages: hit.evidence_excerpts.map((excerpt) => ({ ...excerpt, href: windowAddress(place, excerpt) })),
  };
}

/** Returns the address that opens the record's page at the passage. */
function windowAddress(place: { connection_id: string; stream: string; id: string }, excerpt: EvidenceExcerpt): string {
  const { field_path, start_chars } = excerpt;
  if (start_chars === undefined || start_chars === 0) return recordAddress(place);
  return `${recordAddress(place, [pair("field", field_path), pair("offset", String(start_chars))])}#field-${encodeURIComponent(field_path)}`;
}

function byConnection(
  streams: readonly SourceMix[],
  names: ReadonlyMap<string, HitNames>,
): SearchView["facets"]["connections"] {
  return [...Map.groupBy(streams, ({ connection_id }) => connection_id)].map(([id, own]) => ({
    id,
    label: own[0]!.display_name ?? id,
    source: names.get(keyOf(id, own[0]!.stream))?.source ?? own[0]!.connector_key,
    count: own.reduce((sum, { count }) => sum + count, 0),
    streams: own.map(({ stream, count }) => ({
      name: stream,
      label: names.get(keyOf(id, stream))?.label ?? stream,
      count,
    })),
  }));
}

/** Groups the index's monthly counts, by quarters or years if there are very many months. */
function monthsOf(months: readonly { month: string; count: number }[]): Timeline | undefined {
  const counts = new Map<string | null, number>(months.map(({ month, count }) => [month === "" ? null : month, count]));
  const fitting = stepFor("month", counts);
  const step = fitting === "day" || fitting === "week" ? "month" : fitting;
  const inSteps = new Map<string | null, number>();
  for (const [month, count] of counts) {
    const label = month === null ? null : labelOf(step, `${month}-01`);
    inSteps.set(label, (inSteps.get(label) ?? 0) + count);
  }
  const found = timeline(step, inSteps);
  return found.buckets.length === 0 ? undefined : found;
}

function snippetsOf(origin: string, state: SearchState): Snippet[] {
  const { q, connection_id, streams, order } = queryOf(state);
  const parameters = new URLSearchParams({ q, limit: String(LIMIT), facets: "true" });
  if (connection_id !== undefined) parameters.set("connection_id", connection_id);
  for (const stream of streams ?? []) parameters.append("streams[]", stream);
  if (order !== undefined) parameters.set("order", order);
  const options = [
    ...(connection_id === undefined ? [] : ["--connection", connection_id]),
    ...(streams ?? []).flatMap((stream) => ["--stream", stream]),
    ...(order === undefined ? [] : ["--newest"]),
    ...["--limit", String(LIMIT), "--facets", "--server", origin],
  ];
  return [
    curl(origin, `/v1/search?${parameters}`),
    command("search", ...options, "--", q),
    tool("search", { query: q, connection_id, streams, order, limit: LIMIT }),
  ];
}
