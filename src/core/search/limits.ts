// Search limits: what a query can contain and how much of a text is shown, each with its reason.

export const SEARCH = {
  /** How many characters of a query are read. Longer queries are pasted texts, whose beginning is enough. */
  queryChars: 2000,
  /** Clauses in a query. Each costs a pass over its postings. A question of 60 words is used in full. */
  clauses: 96,
  /** Words in one phrase. */
  phraseWords: 32,
  /** Bytes (UTF-8) in a term. Words that are equal up to this length are one word in the index. */
  termBytes: 128,
  /**
   * How many parts of an identifier such as `parseInstantV2` can be found on their own. A word with more parts is a
   * hash or base64, not a name.
   */
  parts: 6,
  /** The minimum length of a word that can match as a prefix when a query is relaxed; shorter words match too much. */
  beginningChars: 3,
  /** How many misspelt words in a query get suggestions, and how many suggestions there are in total. */
  suggestedWords: 3,
  suggestions: 3,
} as const;

export const EVIDENCE = {
  /** Characters in an excerpt. It can be a little longer or shorter, to end with a sentence or a word. */
  excerptChars: 240,
  /**
   * How many matches in one field are kept while searching for the best passage. A text with more is full of matches.
   */
  matchesKept: 2000,
  /** How far an excerpt can extend to begin with a sentence. */
  sentenceReach: 80,
} as const;
