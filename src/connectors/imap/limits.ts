// Limits on what a mailbox may cost this connector.

/** Larger messages are told by their headers: providers refuse mail above 25 to 50 MB. */
export const MESSAGE_BYTES_MAX = 40 * 1024 * 1024;
/** Messages that are asked for at a time, and their bytes together. */
export const BATCH = { messages: 500, bytes: 16 * 1024 * 1024 } as const;
/** Tries after a connection was lost, in a row without a message; the wait before each. */
export const RETRY_MS = [1000, 2000, 4000] as const;
/** Connections of one run: a server that lets go after every message is not to be kept up with. */
export const CONNECTIONS_MAX = 50;
