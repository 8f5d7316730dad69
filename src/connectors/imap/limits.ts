// Limits on what a mailbox may cost this connector.

/** Larger messages are written with their headers only: providers refuse mail above 25 to 50 MB. */
export const MESSAGE_BYTES_MAX = 40 * 1024 * 1024;
/** Messages per request, and their total size. */
export const BATCH = { messages: 500, bytes: 16 * 1024 * 1024 } as const;
/** Retries after a lost connection without a message in between; the delay before each. */
export const RETRY_MS = [1000, 2000, 4000] as const;
/** Connections per run: a server that disconnects after every message is given up. */
export const CONNECTIONS_MAX = 50;
