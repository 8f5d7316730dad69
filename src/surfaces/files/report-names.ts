// The reports of an index, by the names used in URLs.
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
