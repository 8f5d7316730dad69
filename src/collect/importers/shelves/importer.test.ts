// Books and films: parsing and identifying rows, and truncated or damaged files.
import { expect, it } from "vitest";
import { parseDeclaration } from "../../../core/declaration-check.ts";
import { collect, memoryEntry, recognised, recordsOf, refusals } from "../../importer.fixture.ts";
import { hostile, repeatsAndResumes } from "../hostile.fixture.ts";
import { shelvesDeclaration } from "./declaration.ts";
import { shelvesImporter } from "./importer.ts";

const GOODREADS = (rating: number) =>
  `Book Id,Title,Author,ISBN13,My Rating,Date Read,Date Added,Bookshelves,Exclusive Shelf,My Review,Binding\n42,Gideon,Tamsyn Muir,"=""9781250313195""",${rating},2020/10/25,2020/10/21,"sf, necromancy",read,"Good, ""very""",Hardcover\n`;
const DIARY = `Date,Name,Year,Letterboxd URI,Rating,Rewatch,Tags,Watched Date\n2026-01-15,Heart Eyes,2025,https://boxd.it/def,★★½,Yes,friday,2025-12-15\n2026-01-15,,2025,https://boxd.it/x,1,No,,\n`;

it("I-06 I-04 a book is identified by its Goodreads number, so a changed rating updates it; other columns are kept", async () => {
  parseDeclaration(shelvesDeclaration);
  const one = async (rating: number) =>
    recordsOf(await collect(shelvesImporter, [memoryEntry("goodreads.csv", GOODREADS(rating))]))[0]!;
  const [first, second] = [await one(3), await one(5)];
  expect(first.data).toEqual({
    id: "42",
    title: "Gideon",
    author: "Tamsyn Muir",
    isbn: "9781250313195",
    shelf: "read",
    rating: 3,
    read_on: "2020-10-25",
    added_on: "2020-10-21",
    review: 'Good, "very"',
    tags: ["sf", "necromancy"],
    other_columns: [{ heading: "Binding", value: "Hardcover" }],
  });
  expect([second.key, second.data.rating]).toEqual(["42", 5]);
});

it("I-06 films keep their list and date; a row without a title causes one error", async () => {
  const events = await collect(shelvesImporter, [memoryEntry("diary.csv", DIARY)]);
  expect(recordsOf(events).map(({ data }) => data)).toMatchObject([
    { title: "Heart Eyes", list: "diary", watched_on: "2025-12-15", rating: 2.5, is_rewatch: true, tags: ["friday"] },
  ]);
  expect(events.filter(({ kind }) => kind === "error")).toMatchObject([{ message: "it has no title" }]);
  const entries = [memoryEntry("diary.csv", DIARY)];
  await repeatsAndResumes(shelvesImporter, entries);
  expect(await refusals(shelvesImporter, entries)).toEqual([]);
  expect(recognised(shelvesImporter, "x.csv", DIARY)?.reason).toBe("Letterboxd export");
  expect(recognised(shelvesImporter, "x.csv", "Title,Author\n")).toBeUndefined();
});

it("SECURITY row 16: truncated and damaged lists never crash the parser", async () => {
  await hostile(shelvesImporter, "diary.csv", Buffer.from(DIARY));
  await hostile(shelvesImporter, "goodreads.csv", Buffer.from(GOODREADS(4)));
});
