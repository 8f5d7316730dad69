// The maximum size of a result: bytes of compact JSON, so that no host has to cut or spill it.

export const BUDGET = {
  /**
   * Both halves of any result, unless more is requested (C-04). A host that shows both and cuts all but the first and
   * the last 4,000 characters still shows every record: the first ones in the text, the last ones in the structured
   * half.
   */
  page: 14_000,
  /**
   * Both halves if `limit` was given; beyond 20 KB Copilot CLI writes a result to a file that its model does not read.
   */
  asked: 20_000,
  /** Each half of `schema()` if stream names alone exceed `page`: every name of 50 sources has to be there (E-08). */
  index: 20_000,
  /** `search`, both halves of ten hits; each further hit adds its share, up to `page`. */
  search: 7_000,
  searchHit: 333,
  /** `tools/list`. */
  tools: 6_000,
  toolsTokens: 1_500,
  /** Characters. */
  instructions: 1_300,
  instructionsAlone: 512,
  /** Each half of an error. */
  error: 2_000,
} as const;

/** Characters of one field: up to `whole` it is shown in full, beyond that only its beginning; the rest is a window. */
export const LISTED_FIELD = { wholeChars: 1_000, shownChars: 400 } as const;
export const FETCHED_FIELD = { wholeChars: 6_000, shownChars: 4_000 } as const;

/** The bytes a half takes on the wire. */
export const bytesOf = (half: unknown): number => Buffer.byteLength(JSON.stringify(half) ?? "");

/** The bytes of the prose half. */
export const textBytes = (text: string): number => bytesOf([{ type: "text", text }]);

/** The bytes of both halves together: some hosts show both to their model (C-04). */
export const resultBytes = ({ text, structured }: { text: string; structured: object }): number =>
  textBytes(text) + bytesOf(structured);
