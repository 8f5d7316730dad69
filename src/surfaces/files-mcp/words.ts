// Prints listings and sizes like a shell: one line per entry, with the handle last and the link pattern given once.

import type { SampleRow, ShellEntry, ShellPreferences } from "../../contract/file-shell.ts";
import { plainText } from "../../core/unsafe-characters.ts";

/** A name has up to 255 bytes, each of which may need four characters. Longer names are truncated. */
const NAME_MAX = 1024;
export type Units = ShellPreferences["units"] | undefined;

const STEPS = {
  binary: [1024, ["B", "KiB", "MiB", "GiB", "TiB", "PiB"]],
  decimal: [1000, ["B", "kB", "MB", "GB", "TB", "PB"]],
} as const;

/** Prints the exact and the readable size: 3355443 B (3.2 MiB). */
export function bytesWords(bytes: number, units: Units = "binary"): string {
  return units === "bytes" ? `${bytes} B` : `${bytes} B (${sizeWords(bytes, units)})`;
}

/** For lists, where extra characters repeat on every line. The structured half has the exact size. */
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

/** Returns the printed form, including spaces, because an app that has only the text passes it back. */
export function nameWords(name: string): string {
  const points = [...plainText(name).replace(/[\r\n\t]/g, " ")];
  return points.length <= NAME_MAX ? points.join("") : `${points.slice(0, NAME_MAX - 1).join("")}…`;
}

/** Prints `photos/ 3.2 MiB n1-42`. Entries that are neither files nor directories are labelled with their kind. */
export function entryLine(entry: ShellEntry, units: Units): string {
  const { nodeId, name, kind, note } = entry;
  const what = kind === "dir" ? "/" : kind === "file" ? "" : ` (${kind})`;
  const size = note === undefined ? `${entry.atLeast ? "≥" : ""}${sizeWords(entry.size, units)}` : `(${note})`;
  return `${nameWords(name)}${what} ${size} ${nodeId}`;
}

/** Prints what is known about a size: "size unknown (not scanned below this depth)", "at least 12 B". */
export function boundWords(
  { size, atLeast, note }: Pick<ShellEntry, "size" | "atLeast" | "note">,
  units: Units,
): string {
  if (note !== undefined) return `size unknown (${note})`;
  return `${atLeast ? "at least " : ""}${bytesWords(size, units)}`;
}

export const sampleLine = ({ nodeId, name, path, size }: SampleRow, units: Units): string =>
  `- ${nameWords(path ?? name)} ${bytesWords(size, units)} ${nodeId}`;
