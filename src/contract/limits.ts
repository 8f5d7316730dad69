// Every limit and default a caller can meet, in one place, each with its reason.

export const PROTOCOL_VERSION = "2026-04-06";
export const DECLARATION_PROTOCOL_VERSION = "0.1.0";
export const GRANT_VERSION = "0.1.0";

/** Pages are small so that an agent's context stays small; 100 is what PDPP clients expect as the maximum. */
export const PAGE = { default: 25, max: 100 } as const;

/** Lists of the files lens over HTTP are for programs and pages; what a model sees is capped by the shell. */
export const FILE_PAGE = { default: 50, max: 1000 } as const;

/** Selections of the files lens. Each entry is a row: the largest selection takes some 10 MB. */
export const SELECTION = {
  /** Of one app, or of the owner. */
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

/** Bytes of a text file that its detail shows: enough to recognise it. */
export const FILE_PREVIEW_BYTES = 4096;

export const EXPAND = { default: 10, max: 100, relations: 5 } as const;

/** How long a password counts as recently entered: long enough to finish a task, too short for a session found open. */
export const RECENT_PASSWORD_MS = 10 * 60_000;

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

/** Characters of one text in a list: up to `whole` it is shown so, of a longer one the beginning (three notes gave 653 KB). */
export const PREVIEW = { wholeChars: 2000, shownChars: 1000 } as const;

/** Names of a large object that are listed; its text has the others. */
export const MEMBERS_SHOWN = 8;

/** Identifiers that one call merges or splits, and all that an owner has decided about. */
export const IDENTIFIERS_MAX = 50;
export const PEOPLE_DECISIONS_MAX = 10_000;

/** A signed link outlives a chat only a little: long enough to click it, or to start a download that takes longer. */
export const LINK = { lifetimeMs: 15 * 60_000 } as const;

export const EXPORT = {
  /** A handle is part of an address, and addresses end at 16 KB; anything longer goes into a body. */
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
  /** Files without further uploads and without a run are deleted after a day. */
  lifetimeMs: 24 * 3_600_000,
} as const;

export const EVENTS = {
  /** Of one grant or package: one for each part of an app that listens. */
  perGrant: 20,
  /** In a home, over all grants. */
  inAll: 500,
  urlMax: 2048,
  /** A subscription names at most so many streams; without names it is about all of its grant. */
  streamsMax: 200,
  /** Of a secret that a client brings along: 192 to 512 bits, as Standard Webhooks has it. */
  secretBytes: { min: 24, made: 32, max: 64 },
  /** After a rotation, events are signed with both secrets, so that a receiver can switch without a gap. */
  oldSecretMs: 24 * 3_600_000,
  oldSecretsMax: 4,
  /** From the name lookup to the status line. */
  timeoutMs: 10_000,
  /** Of an answer: only the challenge needs any of it. */
  answerBytes: 4096,
  /** The last one again and again. */
  retriesMs: [5000, 30_000, 120_000, 600_000, 1_800_000, 3_600_000, 7_200_000],
  /** A delay is up to so much longer or shorter: receivers that fell together do not rise together. */
  jitter: 0.2,
  /** After the first try; then an event is a dead letter. */
  triedForMs: 24 * 3_600_000,
  /** An unverified address is not retried for long. */
  challengeTries: 5,
  /** Challenges and test events of one subscription in a minute. */
  askedPerMinute: 6,
  /** Days on which tries failed and none succeeded; then the subscription is disabled. */
  failingDays: 7,
  /** Delivered ones and dead letters that a subscription remembers, each, and for how long. */
  remembered: 100,
  rememberedMs: 30 * 24 * 3_600_000,
  /** Tries that are told one by one. */
  attemptsTold: 10,
  /** Deliveries running at a time; never two of one subscription. */
  inFlight: 64,
  hostsMax: 100,
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

/** Ten years: a longer grant should be "until revoked". */
export const EXPIRY_MAX_SECONDS = 10 * 366 * 86_400;

export const FILTERS_MAX = 20;
/** `name:value` in a search. Each walks the distinct values of a column. */
export const SEARCH_FILTERS_MAX = 8;
/** Values of one `in`. */
export const FILTER_VALUES_MAX = 100;
export const DECLARATION_STREAMS_MAX = 200;
export const NAME_MAX = 200;
export const AMBIGUOUS_CANDIDATES = 10;

/** A grant sleeps when it was not used for a month, or never within a week of its issue: most apps are tried at once or not at all. */
export const SLEEPING = { unusedDays: 30, neverUsedDays: 7 } as const;

/** Ids of answered records that a line of the audit log keeps: a whole page. */
export const AUDIT_IDS = 100;

/** How long a revocation can be undone: long enough to notice a wrong click. The app stays out meanwhile. */
export const UNDO_REVOKE_MS = 60_000;

/** Calls that a grant shows of itself: enough to recognise what an app does; `GET /v1/activity?grant_id=` has all. */
export const RECENT_CALLS = 5;

/** Days of activity unless more is asked for, and lines that are added up for them: a busy app leaves some thousand a day. */
export const ACTIVITY_DAYS = { default: 30, lines: 20_000 } as const;

/** Names in one sentence about a grant, and grants in one answer: an error stays small whatever was granted. */
export const WHY = { names: 12, closest: 3, denials: 5 } as const;

/** Limits of a connector. A manifest can lower the times and counts. */
export const COLLECT = {
  /** To its first line. */
  startMs: 30_000,
  /** Without a line; what it waits for its owner does not count. */
  silenceMs: 10 * 60_000,
  runMs: 6 * 3_600_000,
  /** From SIGTERM to SIGKILL, and from DONE to its end. */
  graceMs: 5000,
  /** For an answer of the owner, unless the connector says less. */
  answerMs: 15 * 60_000,
  answerMaxMs: 3_600_000,
  /** Questions of one run: one that asks for ever is stopped. */
  questions: 20,
  /** One line of output. A record that fits no ingest line is refused alone; beyond this nobody knows where it ends. */
  lineBytes: 16 * 1024 * 1024,
  /** All of its output: far beyond a mailbox, below a disk. */
  totalBytes: 32 * 1024 * 1024 * 1024,
  records: 20_000_000,
  /** Records that may be refused before the run is. */
  rejects: 1000,
  /** Messages of unknown types. */
  unknown: 10_000,
  rejectionsListed: 50,
  reportListed: 100,
  textMax: 500,
  logBytes: 64 * 1024,
  /** The cursor of one stream, as JSON: it may name every message of a mailbox. */
  stateBytes: 8 * 1024 * 1024,
  /** Runs that a connection remembers. */
  remembered: 30,
  /** Runs at a time, of different connections. */
  atOnce: 2,
  /** A run that takes longer makes room for another: a source that hangs blocks no others. */
  roomMs: 10 * 60_000,
  /** With those that take longer, and those that wait for their owner. */
  aliveMax: 8,
} as const;

export const SCHEDULE = {
  /** More often than that no source changes, and some count it as abuse. */
  shortestSeconds: 60,
  longestSeconds: 366 * 24 * 3600,
} as const;

/** The endpoint that turns texts into vectors, for search by meaning. */
export const SEARCH_MODEL = {
  urlMax: 2000,
  dimensionsMax: 4096,
  /** Passages in one request. Local servers work through them one after the other. */
  batch: 32,
  /** A search does not wait longer for the vector of its query; then it is answered by words alone. */
  queryMs: 3000,
  /** A model that is loaded from a disk first, and a batch of long passages, take their time. */
  batchMs: 120_000,
  /** After a failed query, searches do without for this long. */
  restMs: 30_000,
  /** Of an answer: 32 vectors of 4,096 numbers as JSON text. */
  answerBytes: 8 * 1024 * 1024,
  /** Queries whose vectors are remembered. */
  queriesKept: 100,
  /** Texts whose vectors are remembered while records are read: many records say the same. */
  textsKept: 2000,
} as const;
