// Names inside archives, made into paths for people: never used as a path on this disk.

/** UTF-8 when it is; else Windows-1252, the usual of the rest. */
export function decodeName(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** `/` between parts, no way up, no drive, no empty part. */
export function plainPath(name: string): string {
  return name
    .replaceAll("\\", "/")
    .split("/")
    .filter((part) => part !== "" && part !== "." && part !== "..")
    .join("/")
    .normalize("NFC");
}

/** What systems put beside the data. */
export const isClutter = (path: string): boolean =>
  /(?:^|\/)(?:__MACOSX(?:\/|$)|\.DS_Store$|Thumbs\.db$|desktop\.ini$|\._)/.test(path);
