// Progress of long work, for a person who is waiting.

const PROGRESS_MS = 200;
/** In a log that nobody watches, an occasional line is enough. */
const LINE_MS = 5000;
const BAR = 20;

/** Redraws one line; undefined clears it. Without a terminal it prints nothing, or with `lines` an occasional line. */
export function progress({ lines = false } = {}): (line: string | undefined) => void {
  const { isTTY } = process.stderr;
  // Work that ends quickly needs no line in a log.
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

/** Draws a share between 0 and 1 as a bar. Empty without a terminal. */
export function bar(share: number): string {
  if (!process.stderr.isTTY) return "";
  const full = Math.round(Math.min(1, Math.max(0, share)) * BAR);
  return `[${"#".repeat(full)}${"-".repeat(BAR - full)}] `;
}
