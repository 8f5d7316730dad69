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

it.each([
  { texts: "one text each", fields: [{ name: "text", weight: 1 }], copies: 0 },
  {
    texts: "titles and texts, many of them equal",
    fields: [
      { name: "title", weight: 3 },
      { name: "text", weight: 1 },
    ],
    copies: 0.5,
  },
])("R-02 R-05 R-07 a small page has the hits and counts of the whole list: $texts", async ({ fields, copies }) => {
  const random = numbers(20261118);
  const word = () => WORDS[Math.floor(WORDS.length ** random() - 0.999)]!;
  const textOf = (words: number) => Array.from({ length: words }, word).join(" ");
  const world = new World();
  for (let streamNo = 1; streamNo <= STREAMS; streamNo++) world.shapes.set(streamNo, { fields });
  const put: { title: string; text: string }[] = [];
  const recordOf = () => {
    if (random() < copies && put.length > 0) return put[Math.floor(random() * put.length)]!;
    return { title: textOf(2), text: textOf(1 + Math.floor(random() * 12)) };
  };
  const index = world.index();
  for (let number = 0; number < DOCUMENTS; number++) {
    put.push(recordOf());
    world.put(1 + Math.floor(random() * STREAMS), `r${number}`, put.at(-1)!);
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

it("R-05 a page is full although two short titles turn out to belong to equal records", async () => {
  const world = new World();
  const fields = [
    { name: "title", weight: 3 },
    { name: "text", weight: 1 },
  ];
  world.shapes.set(1, { fields });
  const put = (id: string, title: string, text: string) => world.put(1, id, { title, text });
  for (const id of ["copy1", "copy2"]) put(id, "receipt zebra", "thank you for the payment today friend");
  for (let number = 0; number < 60; number++)
    put(`other${number}`, `letter ${number}`, `a payment of ${number} coins was due`);
  for (let number = 0; number < 200; number++) put(`rest${number}`, `note ${number}`, "nothing to see");
  const scope = compileScope([{ streamNo: 1, key: "k", fields: null }]);
  const request = {
    query: parseQuery("zebra payment", new Set(["title", "text"])),
    scope,
    order: "relevance" as const,
  };
  const { hits } = await world.index().search({ ...request, limit: 2 }, world.version);
  expect(hits.map(({ id, repeats }) => [id.replace(/\d+$/, ""), repeats?.count ?? 0])).toEqual([
    ["copy", 1],
    ["other", 0],
  ]);
});
