// Every limit and default a caller can meet, in one place, each with its reason.

export const PROTOCOL_VERSION = "2026-04-06";
export const DECLARATION_PROTOCOL_VERSION = "0.1.0";
export const GRANT_VERSION = "0.1.0";

/** Pages are small so that an agent's context stays small; 100 is what PDPP clients expect as the maximum. */
export const PAGE = { default: 25, max: 100 } as const;

export const EXPAND = { default: 10, max: 100, relations: 5 } as const;

/** Groups of an aggregation. A time series is longer than a ranking by nature. */
export const GROUPS = { default: 10, timeDefault: 100, max: 100 } as const;

/** Characters (code points) of one field window. */
export const WINDOW = { default: 4096, max: 16_384, contextMax: 8192, contextDefault: 200, queryMax: 512 } as const;

export const INGEST = {
  /** One NDJSON line. A record larger than this belongs into a blob. */
  lineBytes: 4 * 1024 * 1024,
  /** Rejections listed one by one; the rest are only counted. */
  rejectionsListed: 1000,
  /** A batch is committed at about this many bytes: large enough to amortise a sync, small enough to keep memory and latency low. */
  batchBytes: 1024 * 1024,
  keyBytes: 2048,
} as const;

export const BODY = {
  /** Every body that is not a stream of records or a blob. */
  json: 4 * 1024 * 1024,
  blob: 2 * 1024 * 1024 * 1024,
} as const;

/** Nesting of any JSON we take: deeper than any real export, far from what overflows a stack. */
export const JSON_DEPTH_MAX = 200;

/** Ten years: whoever means longer means "until revoked". */
export const EXPIRY_MAX_SECONDS = 10 * 366 * 86_400;

export const FILTERS_MAX = 20;
export const DECLARATION_STREAMS_MAX = 200;
export const NAME_MAX = 200;
export const AMBIGUOUS_CANDIDATES = 10;
