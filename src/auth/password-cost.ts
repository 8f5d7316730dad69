// The cost of hashing a password. It is in its own file so that unrelated tests can lower it.

/**
 * The 32 MB variant of OWASP's equivalent settings: about 220 ms on two shared cores. The 128 MB variant takes 360 ms.
 */
export const COST = { ln: 15, r: 8, p: 3 } as const;
