// Indexing the same tokens with SQLite's FTS5 gives the same matches for thousands of random queries.
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { parseQuery } from "../../../core/search/parse-query.ts";
import { wordsOf } from "../../../core/search/words.ts";
import { EVERY_WORD } from "./hit-sink.ts";
import { compileScope } from "./scope.ts";
import { World } from "./world.fixture.ts";

/** A small seeded generator, so that failures are repeatable. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const SYLLABLES = ["ka", "lo", "mi", "ter", "sun", "Brä", "fen", "東京", "по", "x"];

it("AND, phrases, prefixes, NOT and fields match the same documents as in FTS5", async () => {
  const below = numbers(20260714);
  // Frequent words are short, as in any language.
  const word = () =>
    Array.from({ length: 1 + below(2) + below(2) }, () => SYLLABLES[Math.min(below(10), below(10))]).join("");
  const world = new World();
  world.shapes.set(1, {
    fields: [
      { name: "title", weight: 2 },
      { name: "body", weight: 1 },
    ],
  });
  const database = new DatabaseSync(":memory:");
  database.exec(
    "create virtual table texts using fts5(title, body, tokenize = \"unicode61 remove_diacritics 0 categories 'L* N* M* S*'\")",
  );
  const insert = database.prepare("insert into texts(rowid, title, body) values (?, ?, ?)");
  const joined = (text: string) =>
    wordsOf(text)
      .map(({ term }) => term)
      .join(" ");
  const index = world.index();
  for (let number = 1; number <= 1500; number++) {
    const [title, body] = [2 + below(3), below(30)].map((count) => Array.from({ length: count }, word).join(" ")) as [
      string,
      string,
    ];
    world.put(1, String(number), { title, body });
    insert.run(number, joined(title), joined(body));
    if (number % 100 === 0) await index.at(world.version);
  }
  await index.flush();
  const again = world.index();
  const scope = compileScope([{ streamNo: 1, key: "k", fields: null }]);
  const matching = database.prepare("select rowid from texts where texts match ? order by rowid");
  const term = (text: string) => `"${joined(text)}"`;
  let nonEmpty = 0;
  for (let round = 0; round < 3000; round++) {
    const [a, b, c] = [word(), word(), word()];
    const forms: [string, string][] = [
      [a, term(a)],
      [`${a} ${b}`, `${term(a)} AND ${term(b)}`],
      [`${a} ${b} ${c}`, `${term(a)} AND ${term(b)} AND ${term(c)}`],
      [`"${a} ${b}"`, term(`${a} ${b}`)],
      [`"${a} ${b} ${c}"`, term(`${a} ${b} ${c}`)],
      [`"${a} ${b}"*`, `${term(`${a} ${b}`)} *`],
      [`${a}*`, `${term(a)} *`],
      [`${a}* ${b}`, `${term(a)} * AND ${term(b)}`],
      [`${a} -${b}`, `${term(a)} NOT ${term(b)}`],
      [`"${a} ${b}" -${c}*`, `${term(`${a} ${b}`)} NOT ${term(c)} *`],
      [`title:${a} ${b}`, `title : ${term(a)} AND ${term(b)}`],
      [`${a} -body:${b}`, `${term(a)} NOT body : ${term(b)}`],
    ];
    const [ours, theirs] = forms[(round >> 1) % forms.length]!;
    const parsed = parseQuery(ours, new Set(["title", "body"]));
    // FTS5 has no inflected forms here, so they are removed.
    const query = { ...parsed, clauses: parsed.clauses.map(({ inflected: _inflected, stop: _stop, ...rest }) => rest) };
    // Alternates between an index that grew, and one that was merged, written and read.
    const answer = await (round % 2 ? index : again).search(
      { query, scope, limit: 2000, order: "relevance" },
      world.version,
    );
    const every = answer.plan.relaxation === "none" ? answer.hits.filter((hit) => hit.score >= EVERY_WORD) : [];
    const found = every.map((hit) => Number(hit.id)).sort((one, other) => one - other);
    expect(answer.plan.relaxation === "none" ? answer.all : 0, ours).toBe(found.length);
    const expected = matching.all(theirs).map((row) => Number(row.rowid));
    expect(found, `${ours} | ${theirs}`).toEqual(expected);
    if (expected.length > 0) nonEmpty++;
  }
  expect(nonEmpty).toBeGreaterThan(1000);
});
