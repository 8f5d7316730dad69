// Names before a colon as people type them: `Sent at`, `sent_at` and `sent-at` are one name.

export const plainName = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
