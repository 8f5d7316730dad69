// How far long work is, for a person who waits.

const PROGRESS_MS = 200;

/** One line that renews itself, for a person who waits; undefined ends it. */
export function progress(): (line: string | undefined) => void {
  let last = 0;
  let shown = false;
  return (line) => {
    if (!process.stderr.isTTY) return;
    if (line === undefined) {
      if (shown) process.stderr.write("\r\x1b[K");
    } else if (Date.now() - last > PROGRESS_MS) {
      last = Date.now();
      shown = true;
      process.stderr.write(`\r\x1b[K${line} …`);
    }
  };
}
