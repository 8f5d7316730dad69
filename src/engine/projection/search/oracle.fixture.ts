// The plain way to answer a search, for tests: look at every record, count, sort. Scores must agree to the last bit.
import type { JsonObject } from "../../../contract/record.ts";
import { parseDay, parseInstant } from "../../../core/instant.ts";
import { recordText } from "../../../core/search/field-text.ts";
import type { Clause, QueryPlan, SearchExpression } from "../../../core/search/query.ts";
import { plansOf } from "../../../core/search/relax.ts";
import { tokensOf, type Word, wordsOf } from "../../../core/search/words.ts";
import { inverseFrequency, saturation } from "./bm25.ts";
import { CODE_LENGTH, lengthCode } from "./lengths.ts";
import type { SearchScopeRow, SearchShape } from "./types.ts";
import type { World } from "./world.fixture.ts";

interface Unit {
  name: string;
  weight: number;
  tokens: Word[];
  length: number;
}

interface VisibleRecord {
  streamNo: number;
  id: string;
  key: string;
  time: number | undefined;
  units: Unit[];
}

interface OracleHit {
  streamNo: number;
  id: string;
  score: number;
  time?: number;
}

export function oracleSearch(
  world: World,
  query: SearchExpression,
  rows: readonly SearchScopeRow[],
  order: "relevance" | "newest",
) {
  const records = world.live().flatMap((record) => visible(record, world.shapes.get(record.streamNo), rows));
  for (const plan of query.notes.includes("query_empty") ? [] : plansOf(query)) {
    const hits = rank(records, plan, order);
    if (hits.length > 0) return { hits, relaxation: plan.relaxation };
  }
  return { hits: [], relaxation: "none" };
}

function visible(
  record: { streamNo: number; id: string; data: JsonObject },
  shape: SearchShape | undefined,
  rows: readonly SearchScopeRow[],
): VisibleRecord[] {
  const consent = instantOf(record.data, shape?.consentTimeField ?? shape?.timeField);
  const admitting = rows.filter(
    (row) =>
      row.streamNo === record.streamNo &&
      (row.ids?.has(record.id) ?? true) &&
      (row.time === undefined ||
        (consent !== undefined &&
          consent >= (row.time.since ?? Number.NEGATIVE_INFINITY) &&
          consent < (row.time.until ?? Number.POSITIVE_INFINITY))),
  );
  if (!shape || admitting.length === 0) return [];
  const sees = (name: string) => admitting.some((row) => row.fields === null || row.fields.has(name));
  const units = shape.fields.flatMap((field) => {
    const { name, weight } = field;
    const text = sees(name) ? recordText(record.data, field) : undefined;
    const words = text === undefined ? 0 : wordsOf(text).length;
    return words === 0 ? [] : [{ name, weight, tokens: tokensOf(text!), length: CODE_LENGTH[lengthCode(words)]! }];
  });
  const time =
    shape.timeField !== undefined && sees(shape.timeField) ? instantOf(record.data, shape.timeField) : undefined;
  return [{ streamNo: record.streamNo, id: record.id, key: admitting[0]!.key, time, units }];
}

function instantOf(data: JsonObject, field: string | undefined): number | undefined {
  const value = field === undefined ? undefined : data[field];
  return typeof value === "string" ? (parseInstant(value) ?? parseDay(value)) : undefined;
}

/** How often a clause stands in a unit. */
function frequencyIn(unit: { name: string; tokens: Word[] }, clause: Clause): number {
  if (clause.field !== undefined && clause.field !== unit.name) return 0;
  const matches = (token: Word, word: number) =>
    clause.beginning && word === clause.terms.length - 1
      ? token.term.startsWith(clause.terms[word]!)
      : token.term === clause.terms[word];
  const first = unit.tokens.filter((token) => matches(token, 0));
  if (clause.terms.length === 1) return first.length;
  const at = (position: number, word: number) =>
    unit.tokens.some((token) => token.position === position && matches(token, word));
  const starts = new Set(first.map((token) => token.position));
  return [...starts].filter((start) => clause.offsets.every((offset, word) => at(start + offset, word))).length;
}

function rank(records: VisibleRecord[], plan: QueryPlan, order: "relevance" | "newest"): OracleHit[] {
  const units = records.flatMap((record) => record.units);
  const average = units.reduce((sum, unit) => sum + unit.length, 0) / units.length;
  const idf = plan.clauses.map((clause) =>
    inverseFrequency(units.length, units.filter((unit) => frequencyIn(unit, clause) > 0).length),
  );
  const inRecord = (record: VisibleRecord, clause: Clause) =>
    record.units.some((unit) => frequencyIn(unit, clause) > 0);
  const { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY } = plan.time ?? {};
  const hits = records.filter((record) => {
    if (plan.time && !(record.time !== undefined && record.time >= since && record.time < until)) return false;
    if (plan.excluded.some((clause) => inRecord(record, clause))) return false;
    const found = plan.clauses.filter((clause) => inRecord(record, clause)).length;
    return plan.clauses.length === 0 || (plan.mode === "all" ? found === plan.clauses.length : found > 0);
  });
  const scored = hits.map((record) => {
    let score = 0;
    plan.clauses.forEach((clause, index) => {
      for (const unit of record.units) {
        const frequency = frequencyIn(unit, clause);
        if (frequency > 0) score += unit.weight * (idf[index]! * saturation(frequency, unit.length, average));
      }
    });
    return { record, score };
  });
  scored.sort(
    (one, other) =>
      (order === "relevance" ? other.score - one.score : 0) ||
      byTime(one.record.time, other.record.time) ||
      (one.record.key < other.record.key ? -1 : one.record.key > other.record.key ? 1 : 0) ||
      Buffer.compare(Buffer.from(one.record.id), Buffer.from(other.record.id)),
  );
  return scored.map(({ record: { streamNo, id, time }, score }) => ({
    streamNo,
    id,
    score,
    ...(time === undefined ? {} : { time }),
  }));
}

function byTime(one = Number.NEGATIVE_INFINITY, other = Number.NEGATIVE_INFINITY): number {
  return one === other ? 0 : one > other ? -1 : 1;
}
