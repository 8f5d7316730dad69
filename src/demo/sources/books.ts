// Books that Nora has read, is reading and wants to read, as a Goodreads export.
import { csvOf } from "../formats/csv.ts";
import type { DemoExport } from "../home.ts";
import { finished, reading, wanted } from "../text/book-list.ts";

const HEADER = ["Book Id", "Title", "Author", "My Rating", "Date Read", "Date Added", "Exclusive Shelf", "My Review"];
const ADDED = "2026/05/03";

export function booksExport(): DemoExport {
  return {
    key: "books",
    display_name: "Bookshelf",
    *files() {
      const rows = [
        ...finished.map(([title, author, stars, readOn, review = ""]) => {
          const day = readOn.replaceAll("-", "/");
          return [title, author, stars, day, day, "read", review];
        }),
        ...reading.map(([title, author]) => [title, author, 0, "", ADDED, "currently-reading", ""]),
        ...wanted.map(([title, author]) => [title, author, 0, "", ADDED, "to-read", ""]),
      ];
      yield {
        path: "goodreads_library_export.csv",
        content: csvOf([HEADER, ...rows.map((row, index) => [index + 1, ...row])]),
      };
    },
  };
}
