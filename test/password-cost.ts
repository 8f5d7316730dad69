// Replaces src/auth/password-cost.ts in tests: they sign in hundreds of times, and hashing took most of the time of a sign-in.
// Commands and servers that are started as processes run the build, and hash at full cost.
export const COST = { ln: 10, r: 8, p: 1 } as const;
