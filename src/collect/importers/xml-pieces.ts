// Reads XML in chunks: the results of a parser's handlers are passed on as soon as their chunk has been read.
import type { SaxesParser } from "saxes";

/** The handlers put their results into `ready`. If the parser gives up, the last result is a problem. */
export async function* parsedPieces<T>(
  parser: SaxesParser,
  pieces: AsyncIterable<string>,
  ready: T[],
): AsyncGenerator<T | { problem: string; offset: number }> {
  try {
    for await (const piece of pieces) {
      parser.write(piece);
      yield* ready.splice(0);
    }
    parser.close();
  } catch (error) {
    yield* ready;
    yield { problem: (error as Error).message, offset: parser.position };
    return;
  }
  yield* ready;
}
