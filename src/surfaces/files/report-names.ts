// The reports of an index, by the names they have in addresses.
export const REPORTS = [
  "largest",
  "largest-dirs",
  "oldest",
  "newest",
  "types",
  "ages",
  "duplicates",
  "growth",
  "problems",
] as const;
