// Renders a search hit as JSON text: its record, the passages that matched, and where to continue reading.
//
// Built by hand, because a passage occurs twice in a hit, and writing the whole object with JSON.stringify took a fifth
// of the time of a search for a rare word.
import { formatHandle } from "../../contract/handle.ts";
import { WINDOW } from "../../contract/limits.ts";
import type { JsonObject } from "../../contract/record.ts";
import type { EvidenceExcerpt } from "../../contract/search.ts";
import { formatInstant } from "../../core/instant.ts";
import { compilePlan, reveal, type StoredRow } from "../../core/plan.ts";
import type { ScopeRow } from "../../core/scope.ts";
import { type Evidence, type Excerpt, evidenceOf, windowExcerpt } from "../../core/search/evidence.ts";
import type { SearchedField } from "../../core/search/field-text.ts";
import type { QueryPlan } from "../../core/search/query.ts";
import { titleOf } from "../../core/title.ts";
import { SCALE } from "../projection/search/bm25.ts";
import { EVERY_WORD } from "../projection/search/hit-sink.ts";
import type { SearchHit } from "../projection/search/types.ts";
import { commaSeparated, emissionShown, sourceIdentity } from "./context.ts";

export interface ResultContext {
  plan: QueryPlan;
  /** A row's searched fields. */
  fieldsOf: (row: ScopeRow) => readonly SearchedField[];
  byStream: ReadonlyMap<number, ScopeRow>;
  /** For each hit, a cursor that continues after it. Empty unless requested. */
  cursors: readonly string[];
}

const json = (value: string | object): string => JSON.stringify(value);
/** Quotes a URL or handle. Its parts are percent-encoded, so nothing needs to be escaped. */
const address = (encoded: string): string => `"${encoded}"`;

/** Returns a `SearchResult`, or undefined if the caller may not see the record. */
export function resultJson(
  hit: SearchHit,
  index: number,
  stored: StoredRow | undefined,
  context: ResultContext,
): string | undefined {
  const row = context.byStream.get(hit.streamNo)!;
  const revealed = stored && reveal(compilePlan(row), stored);
  if (revealed === undefined) return undefined;
  const data = JSON.parse(revealed.data) as JsonObject;
  const fields = context.fieldsOf(row);
  const byWords = evidenceOf(data, fields, context.plan, hit.languages);
  const byMeaning = byWords.excerpts.length === 0 && hit.meaning !== undefined;
  const evidence = byMeaning ? meaningEvidence(data, fields, hit.meaning!) : byWords;
  const { identity, asked } = partsOf(row);
  const path = recordPath(row, hit.id);
  const provenance = byMeaning ? "meaning_match" : "lexical_match";
  const excerpts = evidence.excerpts.map((excerpt) => {
    const marked = json(excerpt.snippet);
    return { field: json(excerpt.field), marked, text: excerptJson(row, hit.id, path, excerpt, marked, provenance) };
  });
  const [best] = excerpts;
  const cursor = context.cursors[index];
  // Concatenated without `join`, because that would copy each hit before the answer is copied as a whole.
  return (
    `{"object":"search_result",${identity},"record_key":${json(hit.id)}` +
    `,"record_url":${address(`${path}?${asked}`)},"handle":${address(recordHandle(row, hit.id))}` +
    `,"emitted_at":"${emissionShown(row, revealed.stamp)}"` +
    (hit.time === undefined ? "" : `,"authored_at":"${formatInstant(hit.time)}"`) +
    `,"title":${json(titleOf(row, data, hit.id, hit.time))},"matched_fields":${json(evidence.matched_fields)}` +
    (byMeaning ? `,"found_by":"meaning"` : "") +
    `,"snippet":${best === undefined ? "null" : `{"field":${best.field},"text":${best.marked}}`}` +
    `,"score":${hit.place === undefined ? shownScore(hit.score) : 1 / (1 + hit.place)}` +
    (hit.repeats === undefined ? "" : `,"repeats":${json(repeatsOf(hit.repeats, context.byStream))}`) +
    `,"evidence_excerpts":[${commaSeparated(excerpts.map(({ text }) => text))}]` +
    (cursor === undefined ? "}" : `,"next_cursor":"${cursor}"}`)
  );
}

/**
 * The passage that the model embedded, if the caller may read it. It is evidence for the window, but not for a single
 * word (L-03).
 */
function meaningEvidence(
  data: JsonObject,
  fields: readonly SearchedField[],
  { field: name, ...span }: NonNullable<SearchHit["meaning"]>,
): Evidence {
  const field = fields.find((one) => one.name === name);
  const excerpt = field && windowExcerpt(data, field, span);
  return excerpt === undefined ? { matched_fields: [], excerpts: [] } : { matched_fields: [name], excerpts: [excerpt] };
}

/** An `EvidenceExcerpt`. `marked` is its snippet as JSON. */
function excerptJson(
  row: ScopeRow,
  id: string,
  path: string,
  { field, preview_text, truncated, place }: Excerpt,
  marked: string,
  provenance: EvidenceExcerpt["provenance"],
): string {
  const proof = `{"object":"evidence_excerpt","field_path":${json(field)},"preview_text":${json(preview_text)},"marked_text":${marked},"truncated":${truncated},"provenance":"${provenance}"`;
  if (place === undefined) return `${proof}}`;
  const { revision, start_chars, end_chars, total_chars, matches } = place;
  const query = `${partsOf(row).asked}&field=${encodeURIComponent(field)}&offset_chars=${start_chars}&limit_chars=${WINDOW.default}&revision=${revision}`;
  const handle = formatHandle({
    kind: "field-window",
    connection_id: row.stream.connectionId,
    stream: row.stream.name,
    id,
    field,
    offset: start_chars,
    limit: WINDOW.default,
    revision,
  });
  return `${proof},"start_chars":${start_chars},"matches":${json(matches)},"end_chars":${end_chars},"total_chars":${total_chars},"read":{"object":"field_window_read","method":"GET","route":${address(`${path}/field-window?${query}`)},"handle":${address(handle)}}}`;
}

interface RowParts {
  /** The properties that identify the source and the stream. */
  identity: string;
  /** The parameter that identifies the connection. */
  asked: string;
}

/** Cached for as long as the row exists, because every hit contains these parts. */
const rowParts = new WeakMap<ScopeRow, RowParts>();

function partsOf(row: ScopeRow): RowParts {
  const known = rowParts.get(row);
  if (known !== undefined) return known;
  const parts = {
    identity: json({ ...sourceIdentity(row), stream: row.stream.name }).slice(1, -1),
    asked: `connection_id=${encodeURIComponent(row.stream.connectionId)}`,
  };
  rowParts.set(row, parts);
  return parts;
}

const recordPath = (row: ScopeRow, id: string): string =>
  `/v1/streams/${encodeURIComponent(row.stream.name)}/records/${encodeURIComponent(id)}`;

const recordHandle = ({ stream }: ScopeRow, id: string): string =>
  formatHandle({ kind: "record", connection_id: stream.connectionId, stream: stream.name, id });

const repeatsOf = ({ count, hits }: NonNullable<SearchHit["repeats"]>, byStream: ResultContext["byStream"]) => ({
  count,
  handles: hits.map(({ streamNo, id }) => recordHandle(byStream.get(streamNo)!, id)),
});

/** A score of 1 or more means that the record has every word. Scores keep the index's order. */
function shownScore(score: number): number {
  const every = score >= EVERY_WORD ? 1 : 0;
  const rest = score - every * EVERY_WORD;
  return every + rest / (rest + 100 * SCALE);
}
