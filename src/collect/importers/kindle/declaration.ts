// Declares the stream of a Kindle: clippings.
import { declareSource, field, recordSchema } from "../../../core/declare.ts";

export const kindleDeclaration = declareSource("kindle", "Kindle", [
  {
    name: "clippings",
    description: "Highlights, notes and bookmarks in books.",
    display: { label: "Clippings", detail: "What you highlighted and noted in books" },
    kind: "note",
    roles: { title: "book", text: "text" },
    schema: recordSchema("Clipping", {
      id: field.text("Id", "Made from the book, the place, the time and the text."),
      book: field.text("Book", "Its title."),
      author: field.text("Author", "As the device shows it."),
      kind: field.choice("Kind", "What it is.", ["highlight", "note", "bookmark"]),
      text: field.text("Text", "What was highlighted or written; a bookmark has none."),
      page: field.text("Page", "In the book, where it has pages."),
      location: field.text("Location", "In the book, as the device counts."),
      added_at: field.instant("Added", "When it was made."),
    }),
    time: "added_at",
    views: [{ id: "books", label: "Which books and when, no text", fields: ["id", "book", "author", "added_at"] }],
    search: ["book", "author", "text"],
    aggregations: { group_by: ["book", "author", "kind"] },
  },
]);
