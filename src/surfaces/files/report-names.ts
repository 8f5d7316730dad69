// The reports of an index, by their names in URLs.
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
