// How far long work is, for a person who waits.

const PROGRESS_MS = 200;
/** In a log that nobody watches, a line now and then is enough. */
const LINE_MS = 5000;
const BAR = 20;

/** One line that renews itself; undefined ends it. In a pipe nothing, or with `lines` a line now and then. */
export function progress({ lines = false } = {}): (line: string | undefined) => void {
  const { isTTY } = process.stderr;
  // A log has nothing to gain from work that is over at once.
  let last = isTTY ? 0 : Date.now();
  let shown = false;
  return (line) => {
    if (!isTTY && !lines) return;
    if (line === undefined) {
      if (shown && isTTY) process.stderr.write("\r\x1b[K");
      shown = false;
    } else if (Date.now() - last > (isTTY ? PROGRESS_MS : LINE_MS)) {
      last = Date.now();
      shown = true;
      process.stderr.write(isTTY ? `\r\x1b[K${line} …` : `${line}\n`);
    }
  };
}

/** A share between 0 and 1 as a bar; nothing where nobody looks. */
export function bar(share: number): string {
  if (!process.stderr.isTTY) return "";
  const full = Math.round(Math.min(1, Math.max(0, share)) * BAR);
  return `[${"#".repeat(full)}${"-".repeat(BAR - full)}] `;
}
