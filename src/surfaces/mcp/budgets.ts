// How large a result may be: bytes of compact JSON for each half, so that no host has to cut or spill it.

export const BUDGET = {
  /** `schema()`: every stream name of 50 sources and 200 connections. */
  index: 20_000,
  /** `schema(stream)`: then a cursor. */
  stream: 16_000,
  /** `schema(stream, connection_id, detail: full)`: beyond it the REST route is named. */
  full: 24_000,
  /** `search`, ten hits; more hits get their share, up to `page`. */
  search: 6_000,
  searchHit: 600,
  /** `query_records`, `aggregate`, `fetch`. */
  page: 16_000,
  /** `tools/list`. */
  tools: 8_000,
  toolsTokens: 1_800,
  /** Characters. */
  instructions: 1_600,
  instructionsAlone: 512,
  error: 2_000,
} as const;

/** Characters of one field: up to `whole` it is shown so, of a longer one the beginning; the rest is a window. */
export const LISTED_FIELD = { wholeChars: 2_000, shownChars: 800 } as const;
export const FETCHED_FIELD = { wholeChars: 10_000, shownChars: 4_000 } as const;

/** The bytes a half takes on the wire. */
export const bytesOf = (half: unknown): number => Buffer.byteLength(JSON.stringify(half) ?? "");

/** The bytes of the prose half. */
export const textBytes = (text: string): number => bytesOf([{ type: "text", text }]);
