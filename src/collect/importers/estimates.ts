// About how many items files hold, counted in their beginnings: what a plan says of each file and of all together.
import { type Entry, headOf } from "../entry.ts";
import type { PlannedStream } from "../importer.ts";

/** Of one file. Most are smaller: those are counted, not estimated. */
const FILE_BYTES = 2 * 1024 * 1024;
/** Of all files together, and how many of them: nobody waits long for a plan. */
const SAMPLE_BYTES = 32 * 1024 * 1024;
const SAMPLE_ENTRIES = 1000;

/** Empty where nothing was found: then only the run knows. */
type Estimate = Pick<PlannedStream, "count" | "files">;

/** `begin` matches once in each item. */
export const estimateItems = (entries: readonly Entry[], begin: RegExp): Promise<Estimate> =>
  estimate(entries, (text) => matchesIn(text, begin));

/** `countIn` counts in the beginning of a file, read as Latin-1. The size of a file that is compressed may not be known. */
export async function estimate(
  entries: readonly Entry[],
  countIn: (text: string, entry: Entry) => number | Promise<number>,
): Promise<Estimate> {
  const files: NonNullable<Estimate["files"]> = [];
  let looked = 0;
  let found = 0;
  for (const entry of entries.slice(0, SAMPLE_ENTRIES)) {
    if (looked >= SAMPLE_BYTES) break;
    const head = Buffer.from(await headOf(entry, FILE_BYTES));
    // UTF-16 has a zero beside each ASCII character.
    const count = await countIn(head.toString("latin1").replaceAll("\0", ""), entry);
    looked += head.length;
    found += count;
    const isWhole = head.length < FILE_BYTES;
    if (isWhole || entry.size > 0) files.push({ path: entry.path, count: scaled(count, entry.size, head.length) });
  }
  return found === 0 ? {} : { count: scaled(found, sizeOf(entries), looked), files };
}

export const matchesIn = (text: string, begin: RegExp): number => text.match(begin)?.length ?? 0;

/** Rows of CSV below their header line; a quoted cell may hold line breaks. */
export const csvRowsIn = (text: string): number => matchesIn(text.replace(/"[^"]*"/g, "x"), /[\r\n]+(?=[^\r\n])/g);

export const sizeOf = (entries: readonly Entry[]): number =>
  entries.reduce((sum, { size }) => sum + Math.max(0, size), 0);

const scaled = (found: number, bytes: number, looked: number): number =>
  looked === 0 || looked >= bytes ? found : Math.round((found * bytes) / looked);
