// A simple search implementation for tests: check every record, count, sort. Scores must agree to the last bit.
import type { JsonObject } from "../../../contract/record.ts";
import { parseDay, parseInstant } from "../../../core/instant.ts";
import { recordText } from "../../../core/search/field-text.ts";
import { languageOf } from "../../../core/search/forms.ts";
import { SEARCH } from "../../../core/search/limits.ts";
import { type Clause, needsWord, type QueryPlan, type SearchExpression } from "../../../core/search/query.ts";
import { hasRows, planFor } from "../../../core/search/relax.ts";
import { distanceWithin, letters, slipsAllowed } from "../../../core/search/spelling.ts";
import { sameStem } from "../../../core/search/stems.ts";
import { tokensOf, type Word, wordsOf } from "../../../core/search/words.ts";
import { contribution, inverseFrequency, isTitle, normsOf, occurrences } from "./bm25.ts";
import { EVERY_WORD } from "./hit-sink.ts";
import { CODE_LENGTH, lengthCode } from "./lengths.ts";
import { PASSAGE_WORDS } from "./passage.ts";
import { nearness, neighbours } from "./proximity.ts";
import type { SearchScopeRow, SearchShape } from "./types.ts";
import type { World } from "./world.fixture.ts";

interface Unit {
  name: string;
  weight: number;
  text: string;
  tokens: Word[];
  length: number;
  language: number;
}

interface VisibleRecord {
  streamNo: number;
  id: string;
  key: string;
  time: number | undefined;
  units: Unit[];
}

interface OracleHit {
  repeats?: { count: number; hits: OracleHit[] };
  streamNo: number;
  id: string;
  score: number;
  time?: number;
}

type RankedHit = OracleHit & { passage: string };

export function oracleSearch(
  world: World,
  query: SearchExpression,
  rows: readonly SearchScopeRow[],
  order: "relevance" | "newest",
) {
  const records = world.live().flatMap((record) => visible(record, world.shapes.get(record.streamNo), rows));
  const typed = planFor(query, "none");
  const nothing: RankedHit[] = [];
  const answered = (plan: QueryPlan, hits: RankedHit[], suggestions: string[] = []) => ({
    hits,
    plan,
    ...(suggestions.length > 0 ? { suggestions } : {}),
  });
  if (query.notes.includes("query_empty")) return answered(typed, nothing);
  const has = (clause: Clause) => records.some((record) => partsIn(record.units, clause).length > 0);
  const lost = typed.clauses.some((clause) => clause.terms.length > 1 && !has(clause));
  const plan = lost && hasRows(typed) ? planFor(query, "words") : typed;
  for (const wider of [plan, planFor(query, "beginnings")]) {
    const hits = rank(records, wider, order);
    if (hits.length > 0) return answered(wider, hits);
  }
  const near = nearWords(records, query);
  const suggestions = near.map(({ term }) => term);
  const close = near.filter(({ distance }) => distance === 1).map(({ term }) => term);
  const spelt = planFor(query, "spelling", close);
  const hits = close.length === 0 ? nothing : rank(records, spelt, order);
  return answered(hits.length > 0 ? spelt : plan, hits, suggestions);
}

/** Other spellings of words without matches, nearest first, then most frequent. */
function nearWords(records: VisibleRecord[], query: SearchExpression): { term: string; distance: number }[] {
  const units = records.flatMap((record) => record.units.map((unit) => new Set(unit.tokens.map(({ term }) => term))));
  const count = (term: string) => units.filter((terms) => terms.has(term)).length;
  const lost = [...new Set(query.clauses.flatMap((clause) => (clause.stop ? [] : clause.terms)))]
    .filter((term) => count(term) === 0 && slipsAllowed(letters(term).length) > 0 && !/\p{N}/u.test(term))
    .slice(0, SEARCH.suggestedWords);
  const near = [...new Set(units.flatMap((terms) => [...terms]))].flatMap((term) => {
    const distances = lost
      .map((word) => [distanceWithin(letters(word), letters(term), slipsAllowed(letters(word).length)), word] as const)
      .filter(([distance, word]) => distance <= slipsAllowed(letters(word).length))
      .map(([distance]) => distance);
    return distances.length === 0 ? [] : [{ term, distance: Math.min(...distances), units: count(term) }];
  });
  near.sort(
    (one, other) => one.distance - other.distance || other.units - one.units || (one.term < other.term ? -1 : 1),
  );
  return near.slice(0, SEARCH.suggestions);
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
    return words === 0
      ? []
      : [
          {
            name,
            weight,
            text: text!,
            tokens: tokensOf(text!),
            length: lengthCode(words),
            language: languageOf(text!),
          },
        ];
  });
  const time =
    shape.timeField !== undefined && sees(shape.timeField) ? instantOf(record.data, shape.timeField) : undefined;
  return [{ streamNo: record.streamNo, id: record.id, key: admitting[0]!.key, time, units }];
}

function instantOf(data: JsonObject, field: string | undefined): number | undefined {
  const value = field === undefined ? undefined : data[field];
  return typeof value === "string" ? (parseInstant(value) ?? parseDay(value)) : undefined;
}

/** How many times a clause occurs in a unit. */
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

/** A clause's matches in texts, with each form of a word in each text listed separately. */
function partsIn(units: readonly Unit[], clause: Clause): { unit: Unit; frequency: number; inflected: boolean }[] {
  return units.flatMap((unit) => {
    const exact = { unit, frequency: frequencyIn(unit, clause), inflected: false };
    const [word] = clause.terms;
    const forms = clause.inflected && !clause.beginning ? [...new Set(unit.tokens.map(({ term }) => term))] : [];
    const others = forms
      .filter((form) => form !== word && sameStem(unit.language, word!, form))
      .map((form) => ({ unit, frequency: frequencyIn(unit, { ...clause, terms: [form] }), inflected: true }));
    return [exact, ...others].filter(({ frequency }) => frequency > 0);
  });
}

function rank(records: VisibleRecord[], plan: QueryPlan, order: "relevance" | "newest"): RankedHit[] {
  const units = records.flatMap((record) => record.units);
  const titles = units.filter(({ weight }) => isTitle(weight));
  const words = (some: Unit[]) => some.reduce((sum, unit) => sum + CODE_LENGTH[unit.length]!, 0);
  const norms = normsOf({
    units: units.length,
    words: words(units),
    titles: titles.length,
    titleWords: words(titles),
    matching: [],
  });
  const idf = plan.clauses.map((clause) => inverseFrequency(units.length, partsIn(units, clause).length));
  const inRecord = (record: VisibleRecord, clause: Clause) => partsIn(record.units, clause).length > 0;
  const { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY } = plan.time ?? {};
  const asked = plan.clauses.filter((clause) => !clause.required && !clause.related);
  const hits = records.filter((record) => {
    if (plan.time && !(record.time !== undefined && record.time >= since && record.time < until)) return false;
    if (plan.excluded.some((clause) => inRecord(record, clause))) return false;
    if (plan.clauses.some((clause) => clause.required && !inRecord(record, clause))) return false;
    return !needsWord(plan) || asked.some((clause) => inRecord(record, clause));
  });
  const scored = hits.map((record) => {
    const every = plan.clauses.length > 0 && asked.every((clause) => inRecord(record, clause));
    let score = every ? EVERY_WORD : 0;
    plan.clauses.forEach((clause, index) => {
      const found = partsIn(record.units, clause).map(({ unit, frequency, inflected }) => {
        const norm = (isTitle(unit.weight) ? norms.titles : norms.texts)[unit.length]!;
        return occurrences(frequency, unit.weight, norm, inflected);
      });
      const sum = found.reduce((total, part) => total + part, 0);
      if (sum > 0) score += contribution((clause.weight ?? 1) * idf[index]!, sum);
    });
    for (const [one, other] of neighbours(plan)) {
      const factors = [one, other].map((index) => (plan.clauses[index]!.weight ?? 1) * idf[index]!);
      const distance = distanceIn(record.units, plan.clauses[one]!, plan.clauses[other]!);
      score += nearness(factors[0]!, factors[1]!, distance);
    }
    return { record, score };
  });
  scored.sort(
    (one, other) =>
      (order === "relevance" ? other.score - one.score : 0) ||
      byTime(one.record.time, other.record.time) ||
      (one.record.key < other.record.key ? -1 : one.record.key > other.record.key ? 1 : 0) ||
      Buffer.compare(Buffer.from(one.record.id), Buffer.from(other.record.id)),
  );
  return scored.map(({ record: { streamNo, id, time, units }, score }) => {
    const proof = plan.clauses.filter((clause) => !clause.related).flatMap((clause) => partsIn(units, clause));
    const matched = units.filter((unit) => proof.some((part) => part.unit === unit));
    const words = matched.map(({ text }) => wordsOf(text).map(({ term }) => term));
    const count = matched.reduce((sum, { length }) => sum + CODE_LENGTH[length]!, 0);
    const passage = count < PASSAGE_WORDS ? `${streamNo}/${id}` : JSON.stringify(words);
    return { streamNo, id, score, ...(time === undefined ? {} : { time }), passage };
  });
}

/** The smallest distance between two words, in any of their forms. */
function distanceIn(units: readonly Unit[], one: Clause, other: Clause): number {
  const isForm = (unit: Unit, clause: Clause, term: string) =>
    term === clause.terms[0] || (clause.inflected === true && sameStem(unit.language, clause.terms[0]!, term));
  const distances = units.flatMap((unit) => {
    const at = (clause: Clause) => unit.tokens.filter(({ term }) => isForm(unit, clause, term));
    return at(one).flatMap((first) => at(other).map((second) => Math.abs(first.position - second.position)));
  });
  return Math.min(Number.POSITIVE_INFINITY, ...distances);
}

/** Groups hits with equal passages and scores. */
export function grouped(hits: readonly RankedHit[]): OracleHit[] {
  const plain = ({ passage: _passage, ...hit }: (typeof hits)[number]): OracleHit => hit;
  return [...Map.groupBy(hits, ({ score, passage }) => `${score} ${passage}`).values()].map(([best, ...others]) => ({
    ...plain(best!),
    ...(others.length === 0 ? {} : { repeats: { count: others.length, hits: others.slice(0, 9).map(plain) } }),
  }));
}

function byTime(one = Number.NEGATIVE_INFINITY, other = Number.NEGATIVE_INFINITY): number {
  return one === other ? 0 : one > other ? -1 : 1;
}
