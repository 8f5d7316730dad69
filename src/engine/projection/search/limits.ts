// Sizes of the index's parts, each with its reason.

export const INDEX = {
  /** Documents of a segment: their numbers fit into 16 bits, and a scratch table of them fits into a cache. */
  segmentDocuments: 65_536,
  /** Tokens and (document, field) slots of a segment under construction: limits its memory when texts are long. */
  builderTokens: 4_500_000,
  builderSlots: 1 << 20,
  /** Bytes of a merged segment. */
  segmentBytes: 64 << 20,
  /** Postings between two skip entries. */
  skip: 128,
  /** How many segments of about the same size there are before they are merged. */
  tier: 8,
  /** Merges up to this many documents happen before an answer; larger ones wait for `tidy`. */
  quickMerge: 100,
  /** With more segments than this, even an answer waits for large merges. */
  crowded: 150,
  /**
   * How many changes after a search are made searchable at once: another search may follow soon and should not wait.
   */
  watched: 20_000,
  /** Rows read from the feed at once. */
  feedRows: 2000,
  /** Resident segments, in bytes; beyond it, stored ones are dropped, the least recently used first. */
  memory: 384 << 20,
} as const;
