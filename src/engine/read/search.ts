// Search: ranked records from every granted connection, each with the passage that matched and where to continue
// reading.
import type { SearchMeta, SourceMix, Warning } from "../../contract/answers.ts";
import { PdppError } from "../../contract/errors.ts";
import type { SearchQuery } from "../../contract/read.ts";
import type { JsonObject, JsonValue } from "../../contract/record.ts";
import { sealCursor } from "../../core/cursor.ts";
import { predicatesOf } from "../../core/filter.ts";
import { compilePlan, reveal } from "../../core/plan.ts";
import { noStream, rowsOf, type Scope, type ScopeRow, showsColumn } from "../../core/scope.ts";
import { recordText, type SearchedField, searchedField } from "../../core/search/field-text.ts";
import { parseQuery } from "../../core/search/parse-query.ts";
import type { Relaxation, SearchExpression } from "../../core/search/query.ts";
import type { MethodContext } from "../calls/define.ts";
import type { SearchAnswer, SearchHit } from "../projection/search/types.ts";
import { type Answer, appendFilter, listJson, type ReadContext, sourceIdentity, TakenByStream } from "./context.ts";
import { filteredVersions } from "./filtered-versions.ts";
import { pageLimit, selectionFor } from "./records.ts";
import { filterNames, narrowBy } from "./search-filters.ts";
import { meaningFor, unreadNotes } from "./search-meaning.ts";
import { recordsNaming } from "./search-people.ts";
import { bindingOf, cursorOf, endPositions, nextPosition } from "./search-position.ts";
import { type ResultContext, resultJson } from "./search-result.ts";

const RELAXED: Record<Exclude<Relaxation, "none">, string> = {
  words: "no record contains the address or number as typed; its parts were searched for instead",
  beginnings: "no record contains any of the words; matches for words with the same beginning are shown",
  spelling: "no record contains any of the words; matches for words with a similar spelling are shown",
};

const RANKINGS = { lexical: "bm25", hybrid: "rank_fusion", semantic: "cosine" } as const;

export async function readSearch(
  context: ReadContext & Pick<MethodContext, "aside">,
  query: SearchQuery,
): Promise<Answer> {
  const { scope } = context.caller;
  const { fields, names, ...searched } = searchedIn(scope, query);
  const { limit, warnings } = pageLimit(query.limit);
  const parsed = parseQuery(query.q, fields, names);
  const position = cursorOf(context, scope, query);
  const { meaning, warnings: meaningWarnings } = await meaningFor(context, query, parsed, position?.blend);
  const narrowed = await narrowBy(context, searched.rows, parsed.filters ?? []);
  const { rows } = narrowed;
  const byStream = rows === searched.rows ? searched.byStream : rowsByStream(rows);
  const order = query.order ?? "relevance";
  const naming = parsed.people && (await recordsNaming(context, rows, parsed.people));
  const found = await context.search({
    query: parsed,
    rows,
    limit,
    order,
    position: position?.words,
    meaning,
    months: query.facets === true,
    ends: query.cursors === "each",
    admitted: allOf([await admittedBy(context, rows, query), naming?.versions, narrowed.admitted]),
    texts: (hits) => textsOf(context, byStream, hits),
    filtered: await filteredVersions(context, rows),
  });
  const sealed = (position: JsonValue): string => sealCursor(context.key, bindingOf(scope, query), position);
  const next = nextPosition(found);
  const shown: ResultContext = {
    plan: found.plan,
    fieldsOf: searchedFields,
    byStream,
    // Nothing follows the very last hit, so it gets no cursor.
    cursors: endPositions(found)
      .slice(0, next === undefined ? -1 : undefined)
      .map(sealed),
  };
  const items: string[] = [];
  const reads = new TakenByStream();
  const stored = await rowsFor(context, byStream, found.hits);
  for (const [index, hit] of found.hits.entries()) {
    const result = resultJson(hit, index, stored.get(hit.version), shown);
    if (result === undefined) continue;
    items.push(result);
    reads.add(byStream.get(hit.streamNo)!, hit.id);
  }
  const body = listJson({
    ...searchUrl(query),
    items,
    hasMore: next !== undefined,
    ...(next === undefined ? {} : { nextCursor: sealed(next) }),
    meta: metaOf(
      rows,
      byStream,
      found,
      order,
      meaning === undefined ? "lexical" : meaning.only ? "semantic" : "hybrid",
      [
        ...warnings,
        ...notes(parsed.notes),
        ...meaningWarnings,
        ...unreadNotes(found),
        ...phraseNotes(parsed, found),
        ...(naming?.unknown ?? []).map(unknownPerson),
        ...narrowed.warnings,
      ],
      query.facets === true,
    ),
  });
  // A search without results is logged too.
  const taken = reads.list();
  return { body, records: items.length, ...(taken.length > 0 ? { reads: taken } : {}) };
}

interface Searched {
  rows: readonly ScopeRow[];
  /** Every text field that is visible in at least one row. */
  fields: ReadonlySet<string>;
  /** Other names that can filter a search. */
  names: ReadonlySet<string>;
  byStream: ReadonlyMap<number, ScopeRow>;
}

const rowsByStream = (rows: readonly ScopeRow[]): ReadonlyMap<number, ScopeRow> =>
  new Map(rows.map((row) => [row.stream.streamNo, row]));

/** Results of `searchedIn` for searches over everything that a caller can see, cached with the Scope. */
const whole = new WeakMap<Scope, Searched>();

function searchedIn(scope: Scope, query: SearchQuery): Searched {
  const narrowed = query.streams !== undefined || query.connection_id !== undefined;
  const known = narrowed ? undefined : whole.get(scope);
  if (known !== undefined) return known;
  const rows = searchedRows(scope, query);
  const searched = {
    rows,
    fields: new Set(rows.flatMap((row) => searchedFields(row).map(({ name }) => name))),
    names: filterNames(rows),
    byStream: rowsByStream(rows),
  };
  if (!narrowed) whole.set(scope, searched);
  return searched;
}

function searchedRows(scope: Scope, query: SearchQuery): ScopeRow[] {
  const rows = rowsOf(scope, query.connection_id);
  for (const name of query.streams ?? []) {
    if (!rows.some((row) => row.stream.name === name)) throw noStream(scope, name, query.connection_id, "streams");
  }
  const named = query.streams && new Set(query.streams);
  return rows.filter((row) => (named?.has(row.stream.name) ?? true) && searchedFields(row).length > 0);
}

/** Cached for as long as the row exists, because every hit needs it. */
const fieldsByRow = new WeakMap<ScopeRow, readonly SearchedField[]>();

/** The granted fields among the declared text fields, in declared order. */
function searchedFields(row: ScopeRow): readonly SearchedField[] {
  const known = fieldsByRow.get(row);
  if (known !== undefined) return known;
  const { declaration, lists } = row.stream;
  const names = declaration.query?.search?.lexical_fields ?? [];
  const fields = names.filter((name) => showsColumn(row, name)).map((name) => searchedField(lists, name));
  fieldsByRow.set(row, fields);
  return fields;
}

/** Applies typed filters exactly, and returns the versions of the rows that pass. */
async function admittedBy(context: ReadContext, rows: readonly ScopeRow[], query: SearchQuery) {
  if (query.filter === undefined) return undefined;
  if (rows.length !== 1) {
    throw new PdppError(
      "invalid_filter",
      `a filter works only on a single stream of a single connection, but this search covers ${rows.length} streams`,
      {
        param: "filter",
        next_step: "Choose one with streams[]=STREAM and connection_id=CONNECTION; GET /v1/schema lists them.",
      },
    );
  }
  const plan = compilePlan(rows[0]!);
  const where = predicatesOf(rows[0]!, query.filter);
  return (await context.columns(plan)).versions(selectionFor(plan, where));
}

interface Admitted {
  has(version: number): boolean;
}

function allOf(conditions: readonly (Admitted | undefined)[]): Admitted | undefined {
  const given = conditions.filter((one) => one !== undefined);
  return given.length > 1 ? { has: (version) => given.every((one) => one.has(version)) } : given[0];
}

const unknownPerson = (name: string): Warning => ({
  code: "person_unknown",
  message: `no record mentions ${JSON.stringify(name.slice(0, 100))}; GET /v1/people lists the people mentioned`,
  param: "q",
});

/** Returns rows by version. Rows of one stream are read together. */
async function rowsFor({ view }: ReadContext, byStream: Searched["byStream"], hits: readonly SearchHit[]) {
  const hitsOf = Map.groupBy(hits, ({ streamNo }) => streamNo);
  const found = await Promise.all(
    [...hitsOf].map(([streamNo, its]) =>
      view.rows(
        compilePlan(byStream.get(streamNo)!),
        its.map(({ version }) => version),
      ),
    ),
  );
  return new Map(found.flat().map((stored) => [stored.version, stored]));
}

/** The texts of each hit that the caller may search. */
async function textsOf(
  context: ReadContext,
  byStream: Searched["byStream"],
  hits: readonly SearchHit[],
): Promise<string[][]> {
  const stored = await rowsFor(context, byStream, hits);
  return hits.map(({ streamNo, version }) => {
    const row = byStream.get(streamNo)!;
    const found = stored.get(version);
    const revealed = found && reveal(compilePlan(row), found);
    if (revealed === undefined) return [];
    const data = JSON.parse(revealed.data) as JsonObject;
    return searchedFields(row).flatMap((field) => recordText(data, field) ?? []);
  });
}

function metaOf(
  rows: readonly ScopeRow[],
  byStream: ReadonlyMap<number, ScopeRow>,
  found: SearchAnswer,
  order: SearchMeta["order"],
  mode: SearchMeta["mode"],
  warnings: Warning[],
  facets: boolean,
): SearchMeta {
  const mix = [...found.perStream]
    .map(([streamNo, count]): SourceMix => {
      const row = byStream.get(streamNo)!;
      return { ...sourceIdentity(row), stream: row.stream.name, count };
    })
    .sort((a, b) => b.count - a.count || (a.connection_id + a.stream < b.connection_id + b.stream ? -1 : 1));
  const { suggestions, perMonth, plan } = found;
  const { relaxation } = plan;
  const unmatched = found.unmatched.map((clause) => plan.clauses[clause]!.terms.join(" "));
  return {
    count: { kind: "exact", value: found.total },
    ...(plan.clauses.length > 1 ? { matched: { all: found.all, any: found.total } } : {}),
    ...(unmatched.length > 0 && found.total > 0 ? { unmatched } : {}),
    ranking: RANKINGS[mode],
    mode,
    order,
    searched: { connections: connectionsIn(rows), streams: rows.length },
    ...(mix.length > 1 ? { source_mix: mix } : {}),
    ...(relaxation === "none" || found.total === 0 ? {} : { relaxed: RELAXED[relaxation] }),
    ...(suggestions === undefined ? {} : { suggestions }),
    ...(found.related === undefined || found.related.length === 0 ? {} : { related: found.related }),
    ...(facets
      ? {
          facets: {
            streams: mix,
            months: [...(perMonth ?? [])]
              .sort(([a], [b]) => (a < b ? -1 : 1))
              .map(([month, count]) => ({ month, count })),
          },
        }
      : {}),
    ...(warnings.length > 0 ? { warnings } : {}),
  };
}

/** Cached as long as the rows exist, because every search over a whole Scope uses the same rows. */
const connectionCounts = new WeakMap<readonly ScopeRow[], number>();

function connectionsIn(rows: readonly ScopeRow[]): number {
  const count = connectionCounts.get(rows) ?? new Set(rows.map((row) => row.stream.connectionId)).size;
  connectionCounts.set(rows, count);
  return count;
}

/** Finding no match for a phrase is a valid result. The same words without quotes are offered. */
function phraseNotes({ clauses }: SearchExpression, { total }: SearchAnswer): Warning[] {
  const phrases = clauses.filter((clause) => clause.quoted && clause.terms.length > 1);
  if (total > 0 || phrases.length === 0) return [];
  const words = phrases.map(({ terms }) => terms.join(" ")).join(" ");
  const message = `no record contains the exact phrase; search for ${words} without quotes to find the individual words`;
  return [{ code: "phrase_unmatched", message, param: "q" }];
}

function notes(codes: readonly string[]): Warning[] {
  const warnings: Warning[] = [];
  if (codes.includes("query_empty"))
    warnings.push({ code: "query_empty", message: "the query has no words to search for", param: "q" });
  if (codes.includes("query_cut"))
    warnings.push({
      code: "query_cut",
      message: "the query was too long; only its beginning was searched",
      param: "q",
    });
  if (codes.includes("date_unread")) {
    const message = "a date in the query was not understood and was treated as words; write after:2024-01-31";
    warnings.push({ code: "date_unread", message, param: "q" });
  }
  return warnings;
}

function searchUrl({ streams, filter, cursor: _cursor, ...query }: SearchQuery): { url: string; self: string } {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value));
  for (const name of streams ?? []) parameters.append("streams[]", name);
  appendFilter(parameters, filter ?? {});
  return { url: "/v1/search", self: `/v1/search?${parameters}` };
}
