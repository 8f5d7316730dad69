// Reads a connector's output line by line: bounded, and no faster than it is processed.

const NEWLINE = 10;

export interface OutputLine {
  /** Counted from 1. */
  number: number;
  bytes: Buffer;
}

export class OutputTooLong extends Error {
  readonly line: number;
  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

/**
 * Yields the lines of each chunk together, because most lines are processed synchronously and there are millions of
 * them.
 */
export async function* outputLines(
  source: AsyncIterable<Buffer>,
  { lineBytes, totalBytes }: { lineBytes: number; totalBytes: number },
): AsyncGenerator<OutputLine[]> {
  let number = 1;
  let total = 0;
  let begun: Buffer[] = [];
  let begunBytes = 0;
  for await (const piece of source) {
    total += piece.length;
    if (total > totalBytes) throw new OutputTooLong(`it wrote more than ${totalBytes} bytes`, number);
    const lines: OutputLine[] = [];
    let start = 0;
    for (let end = piece.indexOf(NEWLINE); end !== -1; end = piece.indexOf(NEWLINE, start)) {
      const rest = piece.subarray(start, end);
      if (begunBytes + rest.length > lineBytes) throw tooLong(lineBytes, number);
      lines.push({ number: number++, bytes: begun.length === 0 ? rest : Buffer.concat([...begun, rest]) });
      begun = [];
      begunBytes = 0;
      start = end + 1;
    }
    if (start < piece.length) {
      begun.push(piece.subarray(start));
      begunBytes += piece.length - start;
      if (begunBytes > lineBytes) throw tooLong(lineBytes, number);
    }
    if (lines.length > 0) yield lines;
  }
  if (begunBytes > 0) yield [{ number, bytes: Buffer.concat(begun) }];
}

const tooLong = (lineBytes: number, line: number): OutputTooLong =>
  new OutputTooLong(`a line is longer than ${lineBytes} bytes`, line);
