// The sizes of the index's parts, with reasons.

export const INDEX = {
  /** Documents per segment. Their numbers fit into 16 bits, and a scratch table for them fits into the CPU cache. */
  segmentDocuments: 65_536,
  /**
   * The maximum number of tokens and of (document, field) slots in a segment under construction. They bound its memory
   * use.
   */
  builderTokens: 4_500_000,
  builderSlots: 1 << 20,
  /** The maximum size of a merged segment, in bytes. */
  segmentBytes: 64 << 20,
  /** The number of postings between two skip entries. */
  skip: 128,
  /** How many segments of about the same size exist before they are merged. */
  tier: 8,
  /** Merges of up to this many documents happen before a search returns. Larger ones wait for `tidy`. */
  quickMerge: 100,
  /** With more segments than this, a search waits even for large merges. */
  crowded: 150,
  /**
   * How many changes after a search are made searchable immediately, because another search may soon follow and should
   * not wait.
   */
  watched: 20_000,
  /** How many rows are read from the feed at once. */
  feedRows: 2000,
  /** The limit for segments in memory, in bytes. Beyond it, stored segments are dropped, least recently used first. */
  memory: 384 << 20,
} as const;
