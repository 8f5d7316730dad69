// Limits on what a mailbox may cost this connector.

/** Larger messages are written with their headers only. Providers refuse mail above 25 to 50 MB. */
export const MESSAGE_BYTES_MAX = 40 * 1024 * 1024;
/** Messages per request, and their total size. */
export const BATCH = { messages: 500, bytes: 16 * 1024 * 1024 } as const;
/** Delays before each retry after a lost connection. The count starts again if a message was written in between. */
export const RETRY_MS = [1000, 2000, 4000] as const;
/** The maximum number of connections per run. We give up on a server that disconnects after every message. */
export const CONNECTIONS_MAX = 50;
