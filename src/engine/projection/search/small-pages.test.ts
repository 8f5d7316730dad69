// For a small page, most documents are not scored, but its hits and counts are the same as in the whole list.
import { expect, it } from "vitest";
import { parseQuery } from "../../../core/search/parse-query.ts";
import { compileScope } from "./scope.ts";
import type { SearchHit } from "./types.ts";
import { World, withoutVersion } from "./world.fixture.ts";

const STREAMS = 4;
const DOCUMENTS = 600;
/** From frequent to rare; `invoices` and `taxes` are forms of other words. */
const WORDS = "tax note invoice taxes plan lake invoices stone bread river cloud paper train glass apple ticket".split(
  " ",
);

/** A small seeded generator, so that failures are repeatable. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

it("R-02 R-07 a small page has the hits and counts of the whole list, for wide and narrow Scopes", async () => {
  const random = numbers(20261118);
  const word = () => WORDS[Math.floor(WORDS.length ** random() - 0.999)]!;
  const textOf = (words: number) => Array.from({ length: words }, word).join(" ");
  const world = new World();
  for (let streamNo = 1; streamNo <= STREAMS; streamNo++)
    world.shapes.set(streamNo, { fields: [{ name: "text", weight: 1 }] });
  const index = world.index();
  for (let number = 0; number < DOCUMENTS; number++) {
    world.put(1 + Math.floor(random() * STREAMS), `r${number}`, { text: textOf(1 + Math.floor(random() * 12)) });
    // Segments that are too large to be merged before a search returns, so that the first ones fill the page.
    if (number % 120 === 119) await index.at(world.version);
  }
  const texts = async (hits: readonly SearchHit[]) =>
    hits.map(({ streamNo, id }) => [String(JSON.parse(world.rows.get(`${streamNo}/${id}`)!.data!).text)]);
  const scopes = [STREAMS, STREAMS - 1, 1].map((streams) =>
    compileScope(Array.from({ length: streams }, (_, at) => ({ streamNo: at + 1, key: `k${at}`, fields: null }))),
  );
  for (let round = 0; round < 120; round++) {
    const query = parseQuery(textOf(1 + (round % 6)), new Set(["text"]));
    const request = { query, scope: scopes[round % scopes.length]!, order: "relevance" as const, texts };
    const whole = await index.search({ ...request, limit: DOCUMENTS }, world.version);
    const limit = 1 + Math.floor(random() * 5);
    const page = await index.search({ ...request, limit }, world.version);
    expect(page.hits.map(withoutVersion)).toEqual(whole.hits.slice(0, limit).map(withoutVersion));
    expect([page.total, page.all, page.perStream]).toEqual([whole.total, whole.all, whole.perStream]);
  }
});
