// The maximum size of a result in bytes of compact JSON, so that no host has to cut it or move it to a file.

export const BUDGET = {
  /**
   * Both halves of any result, unless more is requested (C-04). Some hosts show both halves but only the first and last
   * 4,000 characters. With this limit they still show every record: the first ones in the text, the last ones in the
   * structured half.
   */
  page: 14_000,
  /**
   * Both halves if `limit` was given. Above 20 KB, Copilot CLI writes a result to a file that its model does not read.
   */
  asked: 20_000,
  /**
   * Each half of `schema()` if stream names alone exceed `page`, because it must contain every stream name of 50
   * sources (E-08).
   */
  index: 20_000,
  /** Both halves of `search` for ten hits. Each additional hit adds its share, up to `page`. */
  search: 7_000,
  searchHit: 333,
  /** The size of `tools/list`. */
  tools: 6_000,
  toolsTokens: 1_500,
  /** In characters. */
  instructions: 1_300,
  instructionsAlone: 512,
  /** Each half of an error. */
  error: 2_000,
} as const;

/**
 * Limits for one field, in characters. A field of up to `wholeChars` is shown in full. For a longer field, only the
 * first `shownChars` are shown, and a window contains the rest.
 */
export const LISTED_FIELD = { wholeChars: 1_000, shownChars: 400 } as const;
export const FETCHED_FIELD = { wholeChars: 6_000, shownChars: 4_000 } as const;

/** The size of one half on the wire. */
export const bytesOf = (half: unknown): number => Buffer.byteLength(JSON.stringify(half) ?? "");

/** The size of the prose half. */
export const textBytes = (text: string): number => bytesOf([{ type: "text", text }]);

/** The size of both halves together, because some hosts show both to their model (C-04). */
export const resultBytes = ({ text, structured }: { text: string; structured: object }): number =>
  textBytes(text) + bytesOf(structured);
