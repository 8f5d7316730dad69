// Normalizes the names before a colon: `Sent at`, `sent_at` and `sent-at` are one name.

export const plainName = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
