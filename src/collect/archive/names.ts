// Turns names inside archives into paths for display. They are never used as paths on this disk.
import { isUtf8 } from "node:buffer";

export const isUtf8Name = (bytes: Uint8Array): boolean => isUtf8(bytes);

/** UTF-8 if valid, otherwise Windows-1252, the most common alternative. */
export const decodeName = (bytes: Uint8Array): string =>
  new TextDecoder(isUtf8Name(bytes) ? "utf-8" : "windows-1252", { ignoreBOM: true }).decode(bytes);

/** Uses `/` between parts and removes parent references, drive letters and empty parts. */
export function plainPath(name: string): string {
  return name
    .replaceAll("\\", "/")
    .replaceAll("\0", "")
    .replace(/^[A-Za-z]:(?=\/)/, "")
    .split("/")
    .filter((part) => part !== "" && part !== "." && part !== "..")
    .join("/")
    .toWellFormed()
    .normalize("NFC");
}

/** Files that operating systems add next to the data. */
export const isClutter = (path: string): boolean =>
  /(?:^|\/)(?:__MACOSX(?:\/|$)|\.DS_Store$|Thumbs\.db$|desktop\.ini$|\._)/.test(path);
