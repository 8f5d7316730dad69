// Replaces src/auth/password-cost.ts in tests. The tests sign in hundreds of times, and most of their running time was spent on hashing.
// Commands and servers that run as processes use the build and hash at full cost.
export const COST = { ln: 10, r: 8, p: 1 } as const;
