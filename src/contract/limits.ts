// Every limit and default a caller can meet, in one place, each with its reason.

export const PROTOCOL_VERSION = "2026-04-06";
export const DECLARATION_PROTOCOL_VERSION = "0.1.0";
export const GRANT_VERSION = "0.1.0";

/** Pages are small so that an agent's context stays small; 100 is what PDPP clients expect as the maximum. */
export const PAGE = { default: 25, max: 100 } as const;

/** Lists of the files lens over HTTP are for programs and pages; what a model sees is capped by the shell. */
export const FILE_PAGE = { default: 50, max: 1000 } as const;

/** Bytes of a text file that its detail shows: enough to recognise it. */
export const FILE_PREVIEW_BYTES = 4096;

export const EXPAND = { default: 10, max: 100, relations: 5 } as const;

/** Groups of an aggregation. A time series is longer than a ranking by nature. */
export const GROUPS = { default: 10, timeDefault: 100, max: 100 } as const;

/** Characters (code points) of one field window. */
export const WINDOW = {
  default: 4096,
  max: 16_384,
  contextMax: 8192,
  contextDefault: 200,
  queryMax: 512,
  /** Around the match that a handle names: what leads to it, and more of what follows. */
  beforeMatch: 600,
  afterMatch: 2400,
} as const;

export const EXPORT = {
  /** A handle travels in an address, and addresses end at 16 KB; what is longer goes into a body. */
  handleMax: 8192,
  /** A file is there for a day after it is ready: long enough to fetch, short enough that copies do not pile up. */
  lifetimeMs: 24 * 3_600_000,
  /** An expired export says so for a week; later it was never there. */
  rememberedMs: 7 * 24 * 3_600_000,
  /** Exports that one grant, or the owner, may keep at a time. */
  perHolder: 20,
  /** All their files together. */
  diskBytes: 8 * 1024 * 1024 * 1024,
} as const;

export const IMPORT = {
  /** Files that wait to be imported, all together: what a disk can hold beside the data. */
  diskBytes: 64 * 1024 * 1024 * 1024,
  filesMax: 1000,
  /** Imports that wait to be run. */
  openMax: 50,
  /** Files that nobody sends more of, and that nobody runs, go after a day. */
  lifetimeMs: 24 * 3_600_000,
} as const;

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

/** A grant sleeps when it was not used for a month, or never within a week of its issue: most apps are tried at once or not at all. */
export const SLEEPING = { unusedDays: 30, neverUsedDays: 7 } as const;

/** Calls that a grant shows of itself: enough to recognise what an app does; `GET /v1/activity?grant_id=` has all. */
export const RECENT_CALLS = 5;

/** Days of activity unless more is asked for, and lines that are added up for them: a busy app leaves some thousand a day. */
export const ACTIVITY_DAYS = { default: 30, lines: 20_000 } as const;

/** Names in one sentence about a grant, and grants in one answer: an error stays small whatever was granted. */
export const WHY = { names: 12, closest: 3, denials: 5 } as const;
