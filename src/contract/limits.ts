// Every limit and default that a caller can run into, in one place, each with its reason.

export const PROTOCOL_VERSION = "2026-04-06";
export const DECLARATION_PROTOCOL_VERSION = "0.1.0";
export const GRANT_VERSION = "0.1.0";

/** Pages are small to keep an agent's context small; 100 is the maximum that PDPP clients expect. */
export const PAGE = { default: 25, max: 100 } as const;

/**
 * Lists in the files lens over HTTP are for programs and pages, so they can be longer; what a model sees is limited by
 * the shell.
 */
export const FILE_PAGE = { default: 50, max: 1000 } as const;

/** Selections in the files lens. Each entry is a row, so the largest selection needs about 10 MB. */
export const SELECTION = {
  /** The number of selections for one app, or for the owner. */
  sets: 1000,
  /** The number of unnamed query results for one app; older ones are deleted. */
  unnamed: 100,
  unnamedMs: 86_400_000,
  /** The number of entries in one selection, no matter whether a query or a combination fills it. */
  entries: 200_000,
  /** The number of selections in one combination. */
  combined: 20,
  /** The number of nodes in one call. */
  nodes: 1000,
} as const;

/** How many bytes of a text file are shown in its detail: enough to recognise the file. */
export const FILE_PREVIEW_BYTES = 4096;

export const EXPAND = { default: 10, max: 100, relations: 5 } as const;

/**
 * How long a password counts as recently entered: long enough to finish a task, but too short to help someone who finds
 * an open session.
 */
export const RECENT_PASSWORD_MS = 10 * 60_000;

/** Groups in an aggregation. A time series is naturally longer than a ranking. */
export const GROUPS = { default: 10, timeDefault: 100, max: 100 } as const;

/** Characters (code points) in one field window. */
export const WINDOW = {
  default: 4096,
  max: 16_384,
  contextMax: 8192,
  contextDefault: 200,
  queryMax: 512,
  /** Around the match that a handle points to: some context before it, and more after it. */
  beforeMatch: 600,
  afterMatch: 2400,
} as const;

/**
 * How many characters of a text are shown in a list. A text of up to `wholeChars` is shown in full; of a longer one,
 * only the beginning is shown, because three notes once took 653 KB.
 */
export const PREVIEW = { wholeChars: 2000, shownChars: 1000 } as const;

/** How many field names of a large object are listed; the rest are in its text. */
export const MEMBERS_SHOWN = 8;

/** How many identifiers one call can merge or split, and how many such decisions an owner can make. */
export const IDENTIFIERS_MAX = 50;
export const PEOPLE_DECISIONS_MAX = 10_000;

/** A signed link should outlive a chat only briefly: long enough to click it, or to start a longer download. */
export const LINK = { lifetimeMs: 15 * 60_000 } as const;

export const EXPORT = {
  /** A handle is part of a URL, and URLs are limited to 16 KB; anything longer belongs in a body. */
  handleMax: 8192,
  /** A file is kept for a day after it is ready: long enough to fetch it, short enough that copies do not pile up. */
  lifetimeMs: 24 * 3_600_000,
  /** An expired export is reported as expired for a week; after that it is reported as not found. */
  rememberedMs: 7 * 24 * 3_600_000,
  /** How many exports one grant, or the owner, can have at a time. */
  perHolder: 20,
  /** The total size of all export files in a home. */
  diskBytes: 8 * 1024 * 1024 * 1024,
} as const;

export const IMPORT = {
  /** The total size of files waiting to be imported: they must fit on the disk beside the data. */
  diskBytes: 64 * 1024 * 1024 * 1024,
  filesMax: 1000,
  /** How many imports can wait to be run. */
  openMax: 50,
  /** Files are deleted after a day without an upload or a run. */
  lifetimeMs: 24 * 3_600_000,
} as const;

export const EVENTS = {
  /** Per grant or package, so that each component of an app can have its own subscription. */
  perGrant: 20,
  /** In the whole home, across all grants. */
  inAll: 500,
  urlMax: 2048,
  /** How many streams a subscription can list; if it lists none, it covers the whole grant. */
  streamsMax: 200,
  /** For a secret provided by an app: 192 to 512 bits, as in Standard Webhooks. */
  secretBytes: { min: 24, made: 32, max: 64 },
  /** After a rotation, events are signed with both secrets, so that a receiver can switch without an interruption. */
  oldSecretMs: 24 * 3_600_000,
  oldSecretsMax: 4,
  /** Measured from the name lookup to the status line. */
  timeoutMs: 10_000,
  /** How much of a response body is read; it is needed only for the response to a challenge. */
  answerBytes: 4096,
  /** The last delay is used repeatedly. */
  retriesMs: [5000, 30_000, 120_000, 600_000, 1_800_000, 3_600_000, 7_200_000],
  /**
   * Each delay varies by up to this share, so that receivers that failed at the same time are not all retried at the
   * same time.
   */
  jitter: 0.2,
  /** Measured from the first attempt; after this time the event becomes a dead letter. */
  triedForMs: 24 * 3_600_000,
  /** An unverified URL is not retried for long. */
  challengeTries: 5,
  /** Challenges and test events per subscription per minute. */
  askedPerMinute: 6,
  /** After this many days with failures and without a success, the subscription is disabled. */
  failingDays: 7,
  /** How many delivered events and how many dead letters a subscription stores, and for how long. */
  remembered: 100,
  rememberedMs: 30 * 24 * 3_600_000,
  /** How many attempts are listed one by one. */
  attemptsTold: 10,
  /** Concurrent deliveries, never two for the same subscription. */
  inFlight: 64,
  hostsMax: 100,
} as const;

export const INGEST = {
  /** The size of one NDJSON line. A larger record belongs in a blob. */
  lineBytes: 4 * 1024 * 1024,
  /** How many rejections are listed one by one; the rest are only counted. */
  rejectionsListed: 1000,
  /**
   * A batch is committed after about this many bytes: enough to amortise a sync, but few enough to keep memory use and
   * latency low.
   */
  batchBytes: 1024 * 1024,
  keyBytes: 2048,
} as const;

export const BODY = {
  /** Every body other than a stream of records or a blob. */
  json: 4 * 1024 * 1024,
  blob: 2 * 1024 * 1024 * 1024,
} as const;

/** The maximum nesting depth of JSON that we accept: deeper than any real export, and far from a stack overflow. */
export const JSON_DEPTH_MAX = 200;

/** Ten years. A longer grant should be "until revoked". */
export const EXPIRY_MAX_SECONDS = 10 * 366 * 86_400;

export const FILTERS_MAX = 20;
/** `name:value` filters in a search. Each one iterates over the distinct values of a column. */
export const SEARCH_FILTERS_MAX = 8;
/** How many values one `in` can have. */
export const FILTER_VALUES_MAX = 100;
/** Limits for a grant's record filter: as many values as one `in` accepts, each as long as a record id. */
export const RECORD_FILTER = { values: FILTER_VALUES_MAX, valueChars: 2048 } as const;
export const DECLARATION_STREAMS_MAX = 200;
export const NAME_MAX = 200;
export const AMBIGUOUS_CANDIDATES = 10;

/**
 * A grant counts as unused after a month without a call, or if its first week passes without one: most apps are tried
 * at once or not at all.
 */
export const UNUSED_GRANT = { unusedDays: 30, neverUsedDays: 7 } as const;

/** How many record ids a line in the audit log can have: a full page. */
export const AUDIT_IDS = 100;

/**
 * How long a revocation or the deletion of an event subscription can be undone: long enough to notice a wrong click.
 * The app has no access in the meantime.
 */
export const UNDO_REVOKE_MS = 60_000;

/**
 * How many calls a grant shows: enough to recognise what an app does. `GET /v1/activity?grant_id=` returns all of them.
 */
export const RECENT_CALLS = 5;

/**
 * How many days of activity are shown by default, and how many lines are counted for them: a busy app writes several
 * thousand a day.
 */
export const ACTIVITY_DAYS = { default: 30, lines: 20_000 } as const;

/**
 * How many names a sentence about a grant lists, and how many grants a response lists, so that an error stays small no
 * matter how much was granted.
 */
export const WHY = { names: 12, closest: 3, denials: 5 } as const;

/** Limits for connectors. A manifest can lower the times and counts. */
export const COLLECT = {
  /** The time until the first line of output. */
  startMs: 30_000,
  /** The time without a line of output; waiting for the owner does not count. */
  silenceMs: 10 * 60_000,
  runMs: 6 * 3_600_000,
  /** The time from SIGTERM to SIGKILL, and from DONE to the exit. */
  graceMs: 5000,
  /** How long the owner has to answer, unless the connector sets a shorter time. */
  answerMs: 15 * 60_000,
  answerMaxMs: 3_600_000,
  /** Questions per run; a connector that keeps asking is stopped. */
  questions: 20,
  /**
   * The size of one line of output. A record that is too large for an ingest line is rejected on its own, but beyond
   * this size we cannot find the end of the line.
   */
  lineBytes: 16 * 1024 * 1024,
  /** The total size of the output: far more than a mailbox, less than a disk. */
  totalBytes: 32 * 1024 * 1024 * 1024,
  records: 20_000_000,
  /** How many records can be rejected before the run fails. */
  rejects: 1000,
  /** How many messages of unknown types are allowed. */
  unknown: 10_000,
  rejectionsListed: 50,
  reportListed: 100,
  textMax: 500,
  logBytes: 64 * 1024,
  /** The size of one stream's cursor as JSON. A cursor may list every message in a mailbox. */
  stateBytes: 8 * 1024 * 1024,
  /** How many runs are stored for each connection. */
  remembered: 30,
  /** How many connections can run at the same time. */
  atOnce: 2,
  /**
   * A run that takes longer than this no longer counts towards the limit, so that a hanging source does not block the
   * others.
   */
  roomMs: 10 * 60_000,
  /** The number of live runs, including long runs and runs that wait for the owner. */
  aliveMax: 8,
} as const;

export const SCHEDULE = {
  /** No source changes more often, and some would treat more frequent requests as abuse. */
  shortestSeconds: 60,
  longestSeconds: 366 * 24 * 3600,
} as const;

/** The endpoint that converts texts to vectors, for search by meaning. */
export const SEARCH_MODEL = {
  urlMax: 2000,
  dimensionsMax: 4096,
  /** Passages per request. Local servers process them one by one. */
  batch: 32,
  /** A search waits at most this long for its query's vector; after that it searches by words alone. */
  queryMs: 3000,
  /** Loading a model from disk and processing a batch of long passages both take time. */
  batchMs: 120_000,
  /** After a failed query, searches skip the model for this long. */
  restMs: 30_000,
  /** The maximum size of a response: 32 vectors of 4,096 numbers as JSON text. */
  answerBytes: 8 * 1024 * 1024,
  /** How many query vectors are cached. */
  queriesKept: 100,
  /** How many text vectors are cached while records are read, because many records have the same text. */
  textsKept: 2000,
} as const;
