// The cost of hashing a password; in its own file, so that tests about something else can hash for less.

/** One of OWASP's equivalent settings, the one with 32 MB: about 220 ms on two shared cores; 128 MB takes 360 ms. */
export const COST = { ln: 15, r: 8, p: 3 } as const;
