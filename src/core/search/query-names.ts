// Normalises the names before a colon, so that `Sent at`, `sent_at` and `sent-at` are the same name.

export const plainName = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
