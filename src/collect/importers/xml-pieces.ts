// XML read piece by piece: what the handlers of a parser make is passed on as soon as its piece was read.
import type { SaxesParser } from "saxes";

/** `ready` is where the handlers put what they have made. A parser that gives up ends it with a problem. */
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
