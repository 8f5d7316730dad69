// Replaces src/auth/password-cost.ts in tests. They sign in hundreds of times, and hashing took most of that time.
// Commands and servers that run as processes use the build and hash at full cost.
export const COST = { ln: 10, r: 8, p: 1 } as const;
