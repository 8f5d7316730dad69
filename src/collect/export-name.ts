// Finds the parts of a split export by their names.

/** Returns the export that a file is part of: takeout-20240101T000000Z-001.zip and -002.zip belong together. */
export const exportName = (fileName: string): string | undefined =>
  /^(takeout-\d{8}T\d{6}Z)(?:-\d+)*(?:\.(?:zip|tgz|tar\.gz))?$/i.exec(fileName)?.[1];
