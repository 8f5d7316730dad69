// Limits on what calendar and address book servers may send.

/** The limit for one response. A batch of cards with photos stays below it. */
export const ANSWER_BYTES_MAX = 64 * 1024 * 1024;
/** Items per request. */
export const BATCH_ITEMS = 50;
/** Delays before a retry after a lost connection or a busy server. */
export const RETRY_MS = [1000, 2000, 4000] as const;
/** The longest Retry-After that is honoured. */
export const RETRY_AFTER_MAX_MS = 60_000;
export const REDIRECTS_MAX = 5;
export const CONNECT_MS = 30_000;
/** Servers that list a large calendar are silent for a while. */
export const SILENCE_MS = 2 * 60_000;
/** The maximum number of requests for one change report. We give up on a server that always has more. */
export const ROUNDS_MAX = 1000;
