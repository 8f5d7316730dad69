// Listings and sizes like a shell prints them: one line each, handles last, links given once for all.

import type { SampleRow, ShellEntry, ShellPreferences } from "../../contract/file-shell.ts";
import { plainText } from "../../core/unsafe-characters.ts";

/** A name has up to 255 bytes, and each may need four characters to be printed; longer paths are cut. */
const NAME_MAX = 1024;
export type Units = ShellPreferences["units"] | undefined;

const STEPS = {
  binary: [1024, ["B", "KiB", "MiB", "GiB", "TiB", "PiB"]],
  decimal: [1000, ["B", "kB", "MB", "GB", "TB", "PB"]],
} as const;

/** Exact, and readable: 3355443 B (3.2 MiB). */
export function bytesWords(bytes: number, units: Units = "binary"): string {
  return units === "bytes" ? `${bytes} B` : `${bytes} B (${sizeWords(bytes, units)})`;
}

/** For lists, where every byte counts twenty times; the structured half has the exact size. */
function sizeWords(bytes: number, units: Units = "binary"): string {
  if (units === "bytes") return `${bytes} B`;
  const [step, names] = STEPS[units];
  let value = bytes;
  let at = 0;
  while (value >= step && at < names.length - 1) {
    value /= step;
    at++;
  }
  return `${at === 0 ? value : value.toFixed(value < 10 ? 1 : 0)} ${names[at]}`;
}

/** The printed form, including spaces: a client that has only the text passes it back. */
export function nameWords(name: string): string {
  const points = [...plainText(name).replace(/[\r\n\t]/g, " ")];
  return points.length <= NAME_MAX ? points.join("") : `${points.slice(0, NAME_MAX - 1).join("")}…`;
}

/** `photos/ 3.2 MiB n1-42`; anything that is neither a file nor a directory is labelled. */
export function entryLine(entry: ShellEntry, units: Units): string {
  const { nodeId, name, kind, note } = entry;
  const what = kind === "dir" ? "/" : kind === "file" ? "" : ` (${kind})`;
  const size = note === undefined ? `${entry.atLeast ? "≥" : ""}${sizeWords(entry.size, units)}` : `(${note})`;
  return `${nameWords(name)}${what} ${size} ${nodeId}`;
}

/** A size, as far as it is known: "size unknown (not scanned below this depth)", "at least 12 B". */
export function boundWords(
  { size, atLeast, note }: Pick<ShellEntry, "size" | "atLeast" | "note">,
  units: Units,
): string {
  if (note !== undefined) return `size unknown (${note})`;
  return `${atLeast ? "at least " : ""}${bytesWords(size, units)}`;
}

export const sampleLine = ({ nodeId, name, path, size }: SampleRow, units: Units): string =>
  `- ${nameWords(path ?? name)} ${bytesWords(size, units)} ${nodeId}`;
