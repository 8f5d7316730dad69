// Limits of search: what a query may contain and how much of a text is shown, each with its reason.

export const SEARCH = {
  /** Characters of a query that are read. Longer ones are pasted texts; their beginning says enough. */
  queryChars: 2000,
  /** Clauses of a query. Each costs a pass over its postings; a question of 60 words is used whole. */
  clauses: 96,
  /** Words of one phrase. */
  phraseWords: 32,
  /** Bytes (UTF-8) of a term. Two words that agree in all of them are one word to the index. */
  termBytes: 128,
  /** Pieces that `parseInstantV2` is also findable by. More of them is a hash or base64, not a name. */
  parts: 6,
  /** A word is taken as a beginning (a relaxation) from this many characters on; shorter ones begin everything. */
  beginningChars: 3,
  /** Misspelt words of one query that get a suggestion, and suggestions in all. */
  suggestedWords: 3,
  suggestions: 3,
} as const;

export const EVIDENCE = {
  /** Characters of an excerpt, a little more or less so that it ends with a sentence or a word. */
  excerptChars: 240,
  /** Matches of one field that are held while the best passage is looked for; a text with more is full of them. */
  matchesKept: 2000,
  /** How far an excerpt reaches out to begin with a sentence. */
  sentenceReach: 80,
} as const;
