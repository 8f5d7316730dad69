// I-06: Kindle clippings in the languages of the devices. The tests in test/samples read real files.
import { expect, it } from "vitest";
import { collect, memoryEntry, recognised, recordsOf, refusals } from "../../importer.fixture.ts";
import { hostile, repeatsAndResumes } from "../hostile.fixture.ts";
import { kindleImporter } from "./importer.ts";

const CLIPPINGS = [
  "\ufeffThinking (Second Edition) (Kahneman, Daniel)\r\n- Your Highlight on page 301 | Location 3050-3052 | Added on Sunday, September 13, 2026 9:14:05 PM\r\n\r\nTwo\r\nlines\r\n",
  "\ufeffBuch\r\n- Ihre Notiz bei Position 12 | Hinzugefügt am Freitag, 19. Dezember 2014 08:52:50\r\n\r\nmeins\r\n",
  "书 (知乎)\r\n- 我的书签 在 第 65 页 | 添加于2013年12月18日星期三 下午04:55:44\r\n\r\n\r\n",
  "Limited (X)\r\n- Your Highlight on Location 5 | Added on Monday, September 14, 2026 8:00:00 AM\r\n\r\n <You have reached the clipping limit for this item>\r\n",
  "HTML (Y)\r\n- Your Highlight on Location 6 | Added on Monday, September 14, 2026 8:00:00 AM\r\n\r\n<div limit=1>text</div>\r\n",
  "Odd\r\n- who knows\r\n\r\nx\r\n",
].join("==========\r\n");

it("I-06 clippings have their book, location and time, in the chosen time zone", async () => {
  const entries = [memoryEntry("My Clippings.txt", `${CLIPPINGS}==========\r\ncut off`)];
  const answers = { time_zone: "Europe/Berlin" };
  const events = await collect(kindleImporter, entries, { answers });
  expect(recordsOf(events).map(({ data }) => data)).toMatchObject([
    {
      book: "Thinking (Second Edition)",
      author: "Kahneman, Daniel",
      kind: "highlight",
      text: "Two\nlines",
      page: "301",
      location: "3050-3052",
      added_at: "2026-09-13T19:14:05.000Z",
    },
    { book: "Buch", kind: "note", text: "meins", location: "12", added_at: "2014-12-19T07:52:50.000Z" },
    { book: "书", author: "知乎", kind: "bookmark", page: "65", added_at: "2013-12-18T15:55:44.000Z" },
    { book: "HTML", author: "Y", kind: "highlight", text: "<div limit=1>text</div>", location: "6" },
  ]);
  expect(
    events.flatMap((event) => (event.kind === "skip" ? [event.reason] : event.kind === "error" ? [event.message] : [])),
  ).toEqual([
    "the book's limit for clippings was reached, so the device stored no text",
    "the second line does not state the kind of clipping",
    "the file ends inside a clipping",
  ]);
  expect(await refusals(kindleImporter, entries, answers)).toEqual([]);
  await repeatsAndResumes(kindleImporter, entries, answers);
  expect(recognised(kindleImporter, "x.txt", CLIPPINGS)?.group).toBe("Kindle");
  expect(recognised(kindleImporter, "x.txt", "hello\n- a | b\n")).toBeUndefined();
  await hostile(kindleImporter, "My Clippings.txt", Buffer.from(CLIPPINGS));
});
