// Sizes of the index's parts, each with its reason.

export const INDEX = {
  /** Documents of a segment: their numbers fit 16 bits, and a scratch table of them fits a cache. */
  segmentDocuments: 65_536,
  /** Tokens and (document, field) slots of a segment under construction: bounds its memory when texts are long. */
  builderTokens: 4_500_000,
  builderSlots: 1 << 20,
  /** Bytes of a merged segment. */
  segmentBytes: 64 << 20,
  /** Postings between two skip entries. */
  skip: 128,
  /** Segments of about one size before they become one. */
  tier: 8,
  /** Merges up to this many documents happen before an answer; larger ones wait for `tidy`. */
  quickMerge: 100,
  /** With more segments than this, even an answer waits for large merges. */
  crowded: 150,
  /** Changes after a search that are made searchable as they come: who searched may search again and shall not wait. */
  watched: 20_000,
  /** Rows read from the feed at once. */
  feedRows: 2000,
  /** Resident segments, in bytes; persisted ones are dropped beyond it, the least recently used first. */
  memory: 384 << 20,
} as const;
