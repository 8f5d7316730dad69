// Answers of the shell stay small, whatever names and paths are like: lists end earlier, long ways are told by both their ends.
import type { Crumb } from "../../contract/file-shell.ts";

/** Of one answer; a result has 6 KB for each half (docs/files.md), and its words are no longer than its data. */
const ANSWER_BYTES = 5700;
const PATH_BYTES = 800;
const TARGET_BYTES = 500;
const WAY_BYTES = 900;
const CUT = "…";

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value)) + 1;

export const fitsAnswer = (answer: object): boolean => bytesOf(answer) <= ANSWER_BYTES;

/** Asks for fewer until the answer fits; one is always told. */
export async function fitted<T extends object, Item>(
  limit: number,
  items: (answer: T) => readonly Item[],
  ask: (count: number) => T | Promise<T>,
): Promise<T> {
  for (let count = limit; ; ) {
    const answer = await ask(count);
    const listed = items(answer);
    let over = bytesOf(answer) - ANSWER_BYTES;
    if (over <= 0 || listed.length <= 1) return answer;
    let last = listed.length;
    while (over > 0 && last > 1) over -= bytesOf(listed[--last]);
    count = last;
  }
}

/** Its first and its last names; whole it is found over HTTP. */
export const shortPath = (path: string): string => shortened(path, PATH_BYTES);
export const shortTarget = (path: string): string => shortened(path, TARGET_BYTES);

function shortened(path: string, most: number): string {
  if (bytesOf(path) <= most) return path;
  const points = [...path];
  let [head, tail] = ["", ""];
  // The end says more than the beginning.
  for (const point of points) {
    if (bytesOf(head + point) > most / 4) break;
    head += point;
  }
  for (let at = points.length - 1; at >= 0 && bytesOf(points[at] + tail) <= (most * 3) / 4 - 8; at--)
    tail = points[at] + tail;
  return `${head}${CUT}${tail}`;
}

/** The root, and the nearest directories; what is left out between them is one crumb without a name, the lowest of them. */
export function shortWay(way: readonly Crumb[]): Crumb[] {
  if (bytesOf(way) <= WAY_BYTES) return [...way];
  const [root] = way;
  let left = WAY_BYTES - bytesOf(root);
  let from = way.length;
  for (; from > 2; from--) {
    left -= bytesOf(way[from - 1]);
    if (left < 0) break;
  }
  return [root!, { nodeId: way[from - 1]!.nodeId, name: CUT }, ...way.slice(from)];
}
