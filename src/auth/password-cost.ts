// The cost of hashing a password. It is in its own file so that unrelated tests can lower it.

/**
 * OWASP lists several equivalent settings. This one needs 32 MB and takes about 220 ms on two shared cores; the one
 * with 128 MB takes 360 ms.
 */
export const COST = { ln: 15, r: 8, p: 3 } as const;
