// Declares the stream of Kindle clippings.
import { declareSource, field, recordSchema } from "../../../core/declare.ts";

export const kindleDeclaration = declareSource("kindle", "Kindle", [
  {
    name: "clippings",
    description: "Highlights, notes and bookmarks in books.",
    display: { label: "Clippings", detail: "What you highlighted and noted in books" },
    kind: "note",
    roles: { title: "book", text: "text" },
    schema: recordSchema("Clipping", {
      id: field.text("Id", "Derived from the book, the position, the time and the text."),
      book: field.text("Book", "Title of the book."),
      author: field.text("Author", "Author of the book, as the device shows it."),
      kind: field.choice("Kind", "Highlight, note or bookmark.", ["highlight", "note", "bookmark"]),
      text: field.text("Text", "The highlighted passage or the note; absent for a bookmark."),
      page: field.text("Page", "Page in the book, if it has pages."),
      location: field.text("Location", "Location in the book, as numbered by the device."),
      added_at: field.instant("Added", "When it was created."),
    }),
    time: "added_at",
    views: [{ id: "books", label: "Which books and when, no text", fields: ["id", "book", "author", "added_at"] }],
    search: ["book", "author", "text"],
    aggregations: { group_by: ["book", "author", "kind"] },
  },
]);
