// Listings and sizes as a shell prints them: one line each, handles last, links said once for all.
import type { SampleRow, ShellEntry, ShellPreferences } from "../../contract/file-shell.ts";
import { plainLine } from "../../core/steering.ts";

const NAME_MAX = 255;
const STEPS = {
  binary: [1024, ["B", "KiB", "MiB", "GiB", "TiB", "PiB"]],
  decimal: [1000, ["B", "kB", "MB", "GB", "TB", "PB"]],
} as const;

export function sizeWords(bytes: number, units: ShellPreferences["units"] = "binary"): string {
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

export const nameWords = (name: string): string => plainLine(name, NAME_MAX);

/** `dir photos/ 3.2 MiB, 1203 files in 5 dirs, 2019-05-01T10:00:00Z [n1-42]` */
export function entryLine({ nodeId, name, kind, size, counts, modifiedAt }: ShellEntry): string {
  const inside = counts === undefined ? "" : `, ${counts.files} files in ${counts.dirs} dirs`;
  return `${kind} ${nameWords(name)}${kind === "dir" ? "/" : ""} ${size} B (${sizeWords(size)})${inside}, ${modifiedAt} [${nodeId}]`;
}

export const sampleLine = ({ nodeId, name, size }: SampleRow): string =>
  `- ${nameWords(name)} ${size} B (${sizeWords(size)}) [${nodeId}]`;
