// Shows people the difference between two texts: one run of changed lines with some context.

const CONTEXT = 3;

/**
 * Editing one entry changes adjacent lines, so it is enough to find the lines that both texts share at the start and
 * the end.
 */
export function lineDiff(before: string, after: string): string {
  const [old, now] = [linesOf(before), linesOf(after)];
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  return [
    ...old.slice(Math.max(0, head - CONTEXT), head).map((line) => `  ${line}`),
    ...old.slice(head, old.length - tail).map((line) => `- ${line}`),
    ...now.slice(head, now.length - tail).map((line) => `+ ${line}`),
    ...old.slice(old.length - tail, old.length - tail + CONTEXT).map((line) => `  ${line}`),
  ].join("\n");
}

const linesOf = (text: string): string[] => (text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/));
