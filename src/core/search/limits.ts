// Limits of search: what a query may contain and how much of a text is shown, each with its reason.

export const SEARCH = {
  /** How many characters of a query are read. Longer queries are pasted texts; their beginning is enough. */
  queryChars: 2000,
  /** Clauses of a query. Each costs a pass over its postings; a question of 60 words is used in full. */
  clauses: 96,
  /** Words of one phrase. */
  phraseWords: 32,
  /** Bytes (UTF-8) of a term. The index treats two words that agree in all of them as one. */
  termBytes: 128,
  /**
   * How many parts an identifier such as `parseInstantV2` can also be found by. A word with more is a hash or base64,
   * not a name.
   */
  parts: 6,
  /** A word can match as a prefix (a relaxation) from this many characters on; shorter words match too much. */
  beginningChars: 3,
  /** How many misspelt words of a query get suggestions, and how many suggestions there are in total. */
  suggestedWords: 3,
  suggestions: 3,
} as const;

export const EVIDENCE = {
  /** Characters of an excerpt; it may be a little longer or shorter to end with a sentence or a word. */
  excerptChars: 240,
  /** How many matches of one field are kept while searching for the best passage; a text with more is full of them. */
  matchesKept: 2000,
  /** How far an excerpt may extend to begin with a sentence. */
  sentenceReach: 80,
} as const;
