// Estimates how many items files contain by counting the items in their first bytes. A plan shows the estimate per file
// and in total.
import { type Entry, headOf } from "../entry.ts";
import type { PlannedStream } from "../importer.ts";

/** How much of each file is read. Most files are smaller, so they are counted exactly. */
const FILE_BYTES = 2 * 1024 * 1024;
/** How much is read in total, and from how many files, so that planning is fast. */
const SAMPLE_BYTES = 32 * 1024 * 1024;
const SAMPLE_ENTRIES = 1000;

/** Empty if no items were found. The number is then unknown until the run. */
type Estimate = Pick<PlannedStream, "count" | "files">;

/** `begin` matches once per item. */
export const estimateItems = (entries: readonly Entry[], begin: RegExp): Promise<Estimate> =>
  estimate(entries, (text) => matchesIn(text, begin));

/** `countIn` counts items in the first bytes of a file, read as Latin-1. The size of a compressed file may be unknown. */
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
    // UTF-16 has a zero byte next to each ASCII character.
    const count = await countIn(head.toString("latin1").replaceAll("\0", ""), entry);
    looked += head.length;
    found += count;
    const isWhole = head.length < FILE_BYTES;
    if (isWhole || entry.size > 0) files.push({ path: entry.path, count: scaled(count, entry.size, head.length) });
  }
  return found === 0 ? {} : { count: scaled(found, sizeOf(entries), looked), files };
}

export const matchesIn = (text: string, begin: RegExp): number => text.match(begin)?.length ?? 0;

/** Counts CSV rows below the header line. A quoted cell can contain line breaks. */
export const csvRowsIn = (text: string): number => matchesIn(text.replace(/"[^"]*"/g, "x"), /[\r\n]+(?=[^\r\n])/g);

export const sizeOf = (entries: readonly Entry[]): number =>
  entries.reduce((sum, { size }) => sum + Math.max(0, size), 0);

const scaled = (found: number, bytes: number, looked: number): number =>
  looked === 0 || looked >= bytes ? found : Math.round((found * bytes) / looked);
