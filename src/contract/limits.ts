// Every limit and default that a caller can meet, in one place, each with its reason.

export const PROTOCOL_VERSION = "2026-04-06";
export const DECLARATION_PROTOCOL_VERSION = "0.1.0";
export const GRANT_VERSION = "0.1.0";

/** Pages are small so that an agent's context stays small; 100 is what PDPP clients expect as the maximum. */
export const PAGE = { default: 25, max: 100 } as const;

/** Lists of the files lens over HTTP are for programs and pages; the shell limits what a model sees. */
export const FILE_PAGE = { default: 50, max: 1000 } as const;

/** Selections of the files lens. Each entry is a row: the largest selection takes some 10 MB. */
export const SELECTION = {
  /** For one app, or for the owner. */
  sets: 1000,
  /** Unnamed query results of one app: older ones are deleted. */
  unnamed: 100,
  unnamedMs: 86_400_000,
  /** In one selection, whether a query or a combination fills it. */
  entries: 200_000,
  /** Selections in one combination. */
  combined: 20,
  /** Nodes that one call names. */
  nodes: 1000,
} as const;

/** How many bytes of a text file its detail shows: enough to recognise it. */
export const FILE_PREVIEW_BYTES = 4096;

export const EXPAND = { default: 10, max: 100, relations: 5 } as const;

/**
 * How long a password counts as recently entered: long enough to finish a task, too short for someone who finds an open
 * session.
 */
export const RECENT_PASSWORD_MS = 10 * 60_000;

/** Groups of an aggregation. A time series is naturally longer than a ranking. */
export const GROUPS = { default: 10, timeDefault: 100, max: 100 } as const;

/** Characters (code points) of one field window. */
export const WINDOW = {
  default: 4096,
  max: 16_384,
  contextMax: 8192,
  contextDefault: 200,
  queryMax: 512,
  /** Around the match that a handle names: some context before it, and more after it. */
  beforeMatch: 600,
  afterMatch: 2400,
} as const;

/**
 * Characters of one text in a list: up to `whole` it is shown in full, beyond that only its beginning (three notes took
 * 653 KB).
 */
export const PREVIEW = { wholeChars: 2000, shownChars: 1000 } as const;

/** How many names of a large object are listed; its text has the others. */
export const MEMBERS_SHOWN = 8;

/** Identifiers that one call may merge or split, and the maximum that an owner may decide on. */
export const IDENTIFIERS_MAX = 50;
export const PEOPLE_DECISIONS_MAX = 10_000;

/** A signed link outlives a chat only a little: long enough to click it, or to start a longer download. */
export const LINK = { lifetimeMs: 15 * 60_000 } as const;

export const EXPORT = {
  /** A handle is part of a URL, and URLs end at 16 KB; anything longer goes into a body. */
  handleMax: 8192,
  /** A file is kept for a day after it is ready: long enough to fetch it, short enough that copies do not pile up. */
  lifetimeMs: 24 * 3_600_000,
  /** An expired export is reported as expired for a week; after that it is not found. */
  rememberedMs: 7 * 24 * 3_600_000,
  /** Exports that one grant, or the owner, may have at a time. */
  perHolder: 20,
  /** The total size of their files. */
  diskBytes: 8 * 1024 * 1024 * 1024,
} as const;

export const IMPORT = {
  /** The total size of files that wait to be imported: they must fit on a disk beside the data. */
  diskBytes: 64 * 1024 * 1024 * 1024,
  filesMax: 1000,
  /** Imports that wait to be run. */
  openMax: 50,
  /** Files without further uploads and without a run are deleted after a day. */
  lifetimeMs: 24 * 3_600_000,
} as const;

export const EVENTS = {
  /** Per grant or package: one for each part of an app that listens. */
  perGrant: 20,
  /** In a home, across all grants. */
  inAll: 500,
  urlMax: 2048,
  /** A subscription names at most this many streams; without names it covers the whole grant. */
  streamsMax: 200,
  /** For a secret that a client provides: 192 to 512 bits, as in Standard Webhooks. */
  secretBytes: { min: 24, made: 32, max: 64 },
  /** After a rotation, events are signed with both secrets, so that a receiver can switch without a gap. */
  oldSecretMs: 24 * 3_600_000,
  oldSecretsMax: 4,
  /** From the name lookup to the status line. */
  timeoutMs: 10_000,
  /** How much of a response is read; only the response to a challenge needs any of it. */
  answerBytes: 4096,
  /** The last delay repeats. */
  retriesMs: [5000, 30_000, 120_000, 600_000, 1_800_000, 3_600_000, 7_200_000],
  /** A delay varies by up to this share, so that receivers that failed together are not all retried together. */
  jitter: 0.2,
  /** After the first attempt; then the event is a dead letter. */
  triedForMs: 24 * 3_600_000,
  /** An unverified address is not retried for long. */
  challengeTries: 5,
  /** Challenges and test events per subscription and minute. */
  askedPerMinute: 6,
  /** After this many days with failures and no success, the subscription is disabled. */
  failingDays: 7,
  /** How many delivered events and how many dead letters a subscription stores, and for how long. */
  remembered: 100,
  rememberedMs: 30 * 24 * 3_600_000,
  /** How many attempts are listed individually. */
  attemptsTold: 10,
  /** Concurrent deliveries; never two for one subscription. */
  inFlight: 64,
  hostsMax: 100,
} as const;

export const INGEST = {
  /** One NDJSON line. A larger record belongs in a blob. */
  lineBytes: 4 * 1024 * 1024,
  /** Rejections listed one by one; the rest are only counted. */
  rejectionsListed: 1000,
  /**
   * A batch is committed after about this many bytes: large enough to amortise a sync, small enough to keep memory and
   * latency low.
   */
  batchBytes: 1024 * 1024,
  keyBytes: 2048,
} as const;

export const BODY = {
  /** Every body that is not a stream of records or a blob. */
  json: 4 * 1024 * 1024,
  blob: 2 * 1024 * 1024 * 1024,
} as const;

/** The nesting depth of any JSON that we accept: deeper than any real export, and far from overflowing a stack. */
export const JSON_DEPTH_MAX = 200;

/** Ten years: a longer grant should be "until revoked". */
export const EXPIRY_MAX_SECONDS = 10 * 366 * 86_400;

export const FILTERS_MAX = 20;
/** `name:value` filters in a search. Each one goes through the distinct values of a column. */
export const SEARCH_FILTERS_MAX = 8;
/** How many values one `in` may have. */
export const FILTER_VALUES_MAX = 100;
/** The limits of a grant's record filter: as many values as one `in` takes, each as long as the id of a record. */
export const RECORD_FILTER = { values: FILTER_VALUES_MAX, valueChars: 2048 } as const;
export const DECLARATION_STREAMS_MAX = 200;
export const NAME_MAX = 200;
export const AMBIGUOUS_CANDIDATES = 10;

/**
 * A grant counts as unused after a month without a call, or a week after its issue without a first call: most apps are
 * tried at once or not at all.
 */
export const UNUSED_GRANT = { unusedDays: 30, neverUsedDays: 7 } as const;

/** How many record ids a line of the audit log has: a whole page. */
export const AUDIT_IDS = 100;

/**
 * How long a revocation, and the deletion of an event subscription, can be undone: long enough to notice a wrong click.
 * The app has no access meanwhile.
 */
export const UNDO_REVOKE_MS = 60_000;

/** How many calls a grant shows: enough to recognise what an app does; `GET /v1/activity?grant_id=` has all. */
export const RECENT_CALLS = 5;

/**
 * How many days of activity are shown by default, and how many lines are counted for them: a busy app writes some
 * thousand a day.
 */
export const ACTIVITY_DAYS = { default: 30, lines: 20_000 } as const;

/** Names in one sentence about a grant, and grants in one answer: an error stays small however much was granted. */
export const WHY = { names: 12, closest: 3, denials: 5 } as const;

/** Limits of a connector. A manifest can lower the times and counts. */
export const COLLECT = {
  /** The time to its first line. */
  startMs: 30_000,
  /** The time without a line; waiting for the owner does not count. */
  silenceMs: 10 * 60_000,
  runMs: 6 * 3_600_000,
  /** The time from SIGTERM to SIGKILL, and from DONE to its exit. */
  graceMs: 5000,
  /** The time for an answer of the owner, unless the connector asks for less. */
  answerMs: 15 * 60_000,
  answerMaxMs: 3_600_000,
  /** Questions per run: a connector that asks forever is stopped. */
  questions: 20,
  /**
   * One line of output. A record too large for an ingest line is rejected alone; beyond this size the end of the line
   * cannot be found.
   */
  lineBytes: 16 * 1024 * 1024,
  /** The total output: far more than a mailbox, less than a disk. */
  totalBytes: 32 * 1024 * 1024 * 1024,
  records: 20_000_000,
  /** How many records may be rejected before the run fails. */
  rejects: 1000,
  /** Messages of unknown types. */
  unknown: 10_000,
  rejectionsListed: 50,
  reportListed: 100,
  textMax: 500,
  logBytes: 64 * 1024,
  /** The cursor of one stream, as JSON: it may name every message of a mailbox. */
  stateBytes: 8 * 1024 * 1024,
  /** How many runs of a connection are stored. */
  remembered: 30,
  /** Concurrent runs of different connections. */
  atOnce: 2,
  /** A run that takes longer no longer counts as concurrent: a source that hangs does not block the others. */
  roomMs: 10 * 60_000,
  /** Including long runs, and runs that wait for their owner. */
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
  /** Passages per request. Local servers process them one after the other. */
  batch: 32,
  /** A search waits at most this long for the vector of its query; then it searches by words alone. */
  queryMs: 3000,
  /** Loading a model from a disk, or a batch of long passages, takes time. */
  batchMs: 120_000,
  /** After a failed query, searches skip the model for this long. */
  restMs: 30_000,
  /** The maximum size of a response: 32 vectors of 4,096 numbers as JSON text. */
  answerBytes: 8 * 1024 * 1024,
  /** How many query vectors are cached. */
  queriesKept: 100,
  /** How many text vectors are cached while records are read: many records have the same text. */
  textsKept: 2000,
} as const;
