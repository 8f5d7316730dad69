// Keeps the shell's responses small, no matter how long names and paths are. Lists are cut short, and only the two ends
// of a long path are shown.
import type { Crumb } from "../../contract/file-shell.ts";

/** Limits for both halves of a response together, text and JSON (S-20). */
const CD_BYTES = 3500;
const LIST_BYTES = 3000;
/** The limit for one half, in responses that are not lists. */
const HALF_BYTES = 5700;
const PATH_BYTES = 800;
const TARGET_BYTES = 500;
const BREADCRUMB_BYTES = 900;
const CUT = "…";
/**
 * The fixed part of a response, without its items and its path: `base`, headings, the link pattern and the next call.
 */
const HEAD_BYTES = 210;
const JOB_BYTES = 120;
/** The fixed part of a text line, without names and handles: a size, a bound, counts and spaces. */
const LINE_BYTES = { entry: 9, row: 30, card: 70 } as const;

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value)) + 1;

export const fitsAnswer = (answer: object): boolean => bytesOf(answer) <= HALF_BYTES;

/** A list item. Its text line repeats these fields. */
interface ListItem {
  nodeId?: string;
  selectionId?: string;
  queryId?: string;
  name: string;
  path?: string;
  note?: string;
  filterSummary?: string;
}

type Ask<T> = (count: number) => T | Promise<T>;
type Items<T, Item> = (answer: T) => readonly Item[];

/** For `cd` and its entries. */
export const fittedEntries = <T extends object>(limit: number, items: Items<T, ListItem>, ask: Ask<T>): Promise<T> =>
  fitted({ limit, most: CD_BYTES, line: LINE_BYTES.entry }, items, ask);

/** For the rows of a selection. */
export const fittedRows = <T extends object>(limit: number, items: Items<T, ListItem>, ask: Ask<T>): Promise<T> =>
  fitted({ limit, most: LIST_BYTES, line: LINE_BYTES.row }, items, ask);

/** For lists of selections and queries. */
export const fittedCards = <T extends object>(limit: number, items: Items<T, ListItem>, ask: Ask<T>): Promise<T> =>
  fitted({ limit, most: LIST_BYTES, line: LINE_BYTES.card }, items, ask);

/** Reduces the number of items until the response and its text fit. At least one item always remains. */
async function fitted<T extends object>(
  { limit, most, line }: { limit: number; most: number; line: number },
  items: Items<T, ListItem>,
  ask: Ask<T>,
): Promise<T> {
  const words = ({ nodeId, selectionId, queryId, name, path, note, filterSummary }: ListItem): number =>
    line + bytesOf([nodeId ?? selectionId ?? queryId, path ?? name, note, filterSummary].join(""));
  for (let count = limit; ; ) {
    const answer = await ask(count);
    const listed = items(answer);
    const { cwd, nextCursor, hint, job } = answer as Record<string, unknown>;
    const head = HEAD_BYTES + (job === undefined ? 0 : JOB_BYTES) + bytesOf([cwd, nextCursor, hint].join(""));
    let over = bytesOf(answer) + head + listed.reduce((sum, item) => sum + words(item), 0) - most;
    if (over <= 0 || listed.length <= 1) return answer;
    let last = listed.length;
    while (over > 0 && last > 1) {
      const item = listed[--last]!;
      over -= bytesOf(item) + words(item);
    }
    count = last;
  }
}

/** Keeps the first and last names. The full path is available over HTTP. */
export const shortPath = (path: string): string => shortened(path, PATH_BYTES);
export const shortTarget = (path: string): string => shortened(path, TARGET_BYTES);

function shortened(path: string, most: number): string {
  if (bytesOf(path) <= most) return path;
  const points = [...path];
  let [head, tail] = ["", ""];
  // The end of a path says more than its beginning.
  for (const point of points) {
    if (bytesOf(head + point) > most / 4) break;
    head += point;
  }
  for (let at = points.length - 1; at >= 0 && bytesOf(points[at] + tail) <= (most * 3) / 4 - 8; at--)
    tail = points[at] + tail;
  return `${head}${CUT}${tail}`;
}

/**
 * Keeps the root and the nearest directories. A crumb named "…" replaces the directories between them and leads to the
 * lowest of those.
 */
export function shortBreadcrumb(crumbs: readonly Crumb[]): Crumb[] {
  if (bytesOf(crumbs) <= BREADCRUMB_BYTES) return [...crumbs];
  const [root] = crumbs;
  let left = BREADCRUMB_BYTES - bytesOf(root);
  let from = crumbs.length;
  for (; from > 2; from--) {
    left -= bytesOf(crumbs[from - 1]);
    if (left < 0) break;
  }
  return [root!, { nodeId: crumbs[from - 1]!.nodeId, name: CUT }, ...crumbs.slice(from)];
}
