// The query language: words, "phrases", prefixes*, -not, field:word, with:"NAME", after: and before:. Every input is
// accepted.
import { LanguageVotes, stopLanguages, votesOfTerm } from "./language-votes.ts";
import { SEARCH } from "./limits.ts";
import type { SearchExpression, TypedClause } from "./query.ts";
import { plainName } from "./query-names.ts";
import { namesDate, narrow, parseTimeFilter } from "./query-time.ts";
import { wordsOf } from "./words.ts";

interface QueryPiece {
  negated: boolean;
  name?: string;
  text: string;
  quoted: boolean;
  star: boolean;
}

/** `with:"NAME"` filters by a person, not by a word. */
const WITH = "with";
const NO_NAMES: ReadonlySet<string> = new Set();
const QUOTES = '"“”„«»＂';
// No two alternatives can match at the same position, so there is no catastrophic backtracking.
const PIECE = new RegExp(
  `([-−]?)(?:([\\p{L}_][\\p{L}\\p{N}_.-]*):(?=\\S))?(?:[${QUOTES}]([^${QUOTES}]*)(?:[${QUOTES}](\\*?)|$)|([^\\s${QUOTES}]+))`,
  "gu",
);

/**
 * Example: `parseQuery('tax "annual report" -draft subject:invoice after:2024-05', new Set(["subject"]))`. A `name:`
 * counts as a field only if the caller may search that field. Otherwise it is another word, so that the result of
 * `secret:x` does not reveal whether that field exists. `names` are other names that can filter a search, in normalised
 * form.
 */
export function parseQuery(
  typed: string,
  fields: ReadonlySet<string>,
  names: ReadonlySet<string> = NO_NAMES,
): SearchExpression {
  const text = typed.slice(0, SEARCH.queryChars);
  const query: SearchExpression = { clauses: [], excluded: [], notes: [] };
  let cut = text.length < typed.length;
  let isUnread = false;
  const prose: string[] = [];
  const seen = new Set<string>();
  for (const match of text.matchAll(PIECE)) {
    const piece = pieceOf(match, fields, names);
    const range = piece.name === undefined ? undefined : parseTimeFilter(piece.name, piece.text);
    if (range && !piece.negated && !piece.quoted) {
      query.time = narrow(query.time, range);
      continue;
    }
    if (piece.name === WITH && !fields.has(WITH) && !piece.negated) {
      query.people = [...(query.people ?? []), piece.text];
      continue;
    }
    if (piece.name !== undefined && !fields.has(piece.name) && names.has(plainName(piece.name)) && piece.text !== "") {
      const filter = { name: piece.name, value: piece.text, negated: piece.negated };
      query.filters = [...(query.filters ?? []), filter].slice(0, SEARCH.clauses);
      continue;
    }
    const name = match[2];
    if (name !== undefined && !piece.negated && namesDate(name) && !fields.has(name)) isUnread = true;
    const clause = clauseOf(piece, fields);
    if (!clause) continue;
    if (clause.terms.length > SEARCH.phraseWords) {
      cut = true;
      clause.terms.length = clause.offsets.length = SEARCH.phraseWords;
    }
    const key = JSON.stringify([piece.negated, clause.terms, clause.beginning, clause.field]);
    if (seen.has(key)) continue;
    seen.add(key);
    if (seen.size > SEARCH.clauses) {
      cut = true;
      break;
    }
    if (piece.negated) query.excluded.push(clause);
    else {
      query.clauses.push(clause);
      prose.push(piece.text);
    }
  }
  if (prose.length > 0) query.prose = prose.join(" ");
  markStopWords(text, query.clauses);
  if (cut) query.notes.push("query_cut");
  if (isUnread) query.notes.push("date_unread");
  if (query.clauses.length === 0 && query.excluded.length === 0 && !query.time && !query.people && !query.filters)
    query.notes.push("query_empty");
  return query;
}

/** `l'électricité` and `mum's` are searched without the part that the apostrophe joins to the word. */
const ELIDED_PREFIX = /^(?:[cdjlmnst]|qu|dell|all|nell|sull|un)['’](?=\p{L}{2})/iu;
const CONTRACTED_SUFFIX = /(?<=\p{L}{2})['’](?:[sdtm]|ll|re|ve)(?=[?!.,;:]*$)/iu;

/** Uses the language of the whole query: `die` is a stop word in German and a verb in English. */
function markStopWords(text: string, clauses: TypedClause[]): void {
  const candidates = clauses.filter(
    (clause) => clause.inflected && clause.field === undefined && stopLanguages(clause.terms[0]!) !== 0,
  );
  if (candidates.length === 0) return;
  const votes = new LanguageVotes();
  for (const { term, start, end } of wordsOf(text)) {
    const { stops, endings } = votesOfTerm(term);
    votes.word(stops, endings);
    votes.letters(text, start, end);
  }
  const languages = votes.leaders();
  for (const clause of candidates) if ((stopLanguages(clause.terms[0]!) & languages) !== 0) clause.stop = true;
}

function pieceOf(match: RegExpExecArray, fields: ReadonlySet<string>, names: ReadonlySet<string>): QueryPiece {
  const [, minus, name, phrase, phraseStar, word] = match;
  const negated = minus !== "";
  if (phrase !== undefined) return { negated, name, text: phrase, quoted: true, star: phraseStar === "*" };
  const star = word!.endsWith("*");
  // The expression above splits `from:"x"`; for `a:b:c` and `http://x`, an unknown name is put back in front of the
  // word.
  const known =
    name !== undefined &&
    (fields.has(name) || name === WITH || names.has(plainName(name)) || parseTimeFilter(name, word!) !== undefined);
  return {
    negated,
    ...(known ? { name } : {}),
    text: (known || name === undefined ? word! : `${name}:${word}`)
      .replace(ELIDED_PREFIX, "")
      .replace(CONTRACTED_SUFFIX, ""),
    quoted: false,
    star,
  };
}

function clauseOf(piece: QueryPiece, fields: ReadonlySet<string>): TypedClause | undefined {
  const inField = piece.name !== undefined && fields.has(piece.name);
  const prefix = piece.name !== undefined && !inField ? `${piece.name} ` : "";
  const words = wordsOf(prefix + piece.text, SEARCH.phraseWords + 1);
  const first = words[0];
  if (!first) return undefined;
  return {
    terms: words.map((word) => word.term),
    offsets: words.map((word) => word.position - first.position),
    beginning: piece.star,
    quoted: piece.quoted,
    ...(words.length === 1 && !piece.quoted && !piece.star && !piece.negated ? { inflected: true } : {}),
    ...(inField ? { field: piece.name! } : {}),
  };
}
