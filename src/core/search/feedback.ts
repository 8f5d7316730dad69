// Pseudo-relevance feedback (RM3): words that the best hits for a question share are used to rank the other hits. They
// come from texts that the caller may read, and never turn a record into a hit.

import { languageOf } from "./forms.ts";
import { stopLanguages } from "./language-votes.ts";
import type { PlanClause, QueryPlan } from "./query.ts";
import { wordClause } from "./relax.ts";
import { sameStem, stemOf } from "./stems.ts";
import { wordsOf } from "./words.ts";

const RM3 = {
  /** A query with at least this many words counts as a question. */
  question: 3,
  /** How many hits are used. */
  hits: 10,
  /** How many words of each hit are used. A long text says early what it is about. */
  words: 400,
  terms: 10,
  weight: 0.3,
} as const;

export const FEEDBACK_HITS = RM3.hits;

/** Weights in thousandths, to keep a cursor that contains them short. */
export interface Feedback {
  /** The weights of the plan's own clauses. */
  weights: number[];
  related: [term: string, weight: number][];
}

interface SharedWord {
  word: string;
  language: number;
  /** The share of the weight that the texts of the hits contribute. */
  share: number;
}

/** Returns true if feedback may help, that is, if the query has several words that are not required. */
export function isQuestion({ clauses }: QueryPlan): boolean {
  return clauses.filter((clause) => !clause.required).length >= RM3.question;
}

/** `hits` contains the scores and visible texts of the best hits. */
export function feedbackFrom(
  { clauses }: QueryPlan,
  hits: readonly { score: number; texts: readonly string[] }[],
): Feedback | undefined {
  const total = hits.reduce((sum, { score }) => sum + score, 0);
  const model = new Map<string, SharedWord>();
  const read = new Set<string>();
  for (const { score, texts } of hits) {
    // A text that is repeated ten times says no more than one copy.
    const whole = texts.join("\n");
    if (read.has(whole)) continue;
    read.add(whole);
    const counts = new Map<string, { word: string; language: number; count: number }>();
    let words = 0;
    for (const text of texts) {
      const language = languageOf(text);
      for (const { term } of wordsOf(text, RM3.words)) {
        if (term.length < 3 || /\p{N}/u.test(term) || (stopLanguages(term) >>> language) & 1) continue;
        const key = `${language} ${stemOf(language, term) ?? term}`;
        const known = counts.get(key);
        if (known) known.count++;
        else counts.set(key, { word: term, language, count: 1 });
        words++;
      }
    }
    for (const [key, { word, language, count }] of counts) {
      const share = (score / total) * (count / words);
      const known = model.get(key);
      if (known) known.share += share;
      else model.set(key, { word, language, share });
    }
  }
  const best = [...model.values()]
    .sort((one, other) => other.share - one.share || (one.word < other.word ? -1 : 1))
    .slice(0, RM3.terms);
  return best.length === 0 ? undefined : weighed(clauses, best);
}

function weighed(clauses: readonly PlanClause[], best: readonly SharedWord[]): Feedback {
  const total = best.reduce((sum, { share }) => sum + share, 0);
  const scale = (RM3.weight * clauses.length * 1000) / total;
  const weights = clauses.map(() => (1 - RM3.weight) * 1000);
  const related: Feedback["related"] = [];
  for (const { word, language, share } of best) {
    const isForm = (term: string) => term === word || sameStem(language, term, word);
    const own = clauses.findIndex(({ terms }) => terms.length === 1 && isForm(terms[0]!));
    if (own >= 0) weights[own]! += scale * share;
    else related.push([word, Math.round(scale * share)]);
  }
  return { weights: weights.map(Math.round), related: related.filter(([, weight]) => weight > 0) };
}

export function withFeedback(plan: QueryPlan, { weights, related }: Feedback): QueryPlan {
  return {
    ...plan,
    clauses: [
      ...plan.clauses.map((clause, index) => ({ ...clause, weight: weights[index]! / 1000 })),
      ...related.map(([term, weight]) => ({ ...wordClause(term), related: true as const, weight: weight / 1000 })),
    ],
  };
}
