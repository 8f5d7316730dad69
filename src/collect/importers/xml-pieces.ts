// XML read piece by piece: the results of a parser's handlers are passed on as soon as their piece was read.
import type { SaxesParser } from "saxes";

/** `ready` is where the handlers put their results. A parser that gives up ends it with a problem. */
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
