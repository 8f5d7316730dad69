// Declares the streams of book and film lists: Goodreads, StoryGraph, Letterboxd.
import { declareSource, field, recordSchema } from "../../../core/declare.ts";

const tags = field.texts("Tags", "Your shelves and tags.");
const other = field.list(
  "Other columns",
  "Columns of the export that no other field covers.",
  field.object({
    heading: field.text("Heading", "Heading of the column, as in the export."),
    value: field.text("Value", "Value of the cell, as in the export."),
  }),
);

export const shelvesDeclaration = declareSource("shelves", "Books and films", [
  {
    name: "books",
    description: "Books you have read, are reading or want to read.",
    display: { label: "Books", detail: "Your books, with dates, ratings and reviews" },
    kind: "book",
    roles: { title: "title", creator: "author", time: "read_on", rating: "rating", text: "review" },
    schema: recordSchema("Book", {
      id: field.text("Id", "The service's own id; otherwise derived from the title and the author."),
      title: field.text("Title", "Title of the book."),
      author: field.text("Author", "Author of the book."),
      isbn: field.text("ISBN", "ISBN of the edition."),
      shelf: field.text("Shelf", "read, currently-reading, to-read or a shelf of your own."),
      rating: field.number("Rating", "Your rating, out of 5."),
      read_on: field.date("Read", "When you last finished it."),
      added_on: field.date("Added", "When you added it."),
      review: field.text("Review", "What you wrote about it."),
      tags,
      other_columns: other,
    }),
    cursor_field: "read_on",
    ranges: ["read_on", "added_on", "rating"],
    search: ["title", "author", "review"],
    aggregations: {
      group_by: ["author", "shelf", "rating", "tags"],
      group_by_time: ["read_on", "added_on"],
      avg: ["rating"],
    },
  },
  {
    name: "films",
    description: "Films that were watched, rated or put on a list.",
    display: { label: "Films", detail: "Films you watched or rated, with dates" },
    kind: "play",
    roles: { time: "watched_on", title: "title" },
    schema: recordSchema("Film", {
      id: field.text("Id", "Derived from the film, the list and the day."),
      title: field.text("Title", "Title of the film."),
      year: field.count("Year", "Year of release."),
      list: field.text("List", "The file it is in: diary, watched, ratings, watchlist …"),
      watched_on: field.date("Watched", "Date on which it was watched or put on the list."),
      rating: field.number("Rating", "Your rating, out of 5."),
      url: field.text("Address", "Address on Letterboxd."),
      is_rewatch: field.flag("Watched again", "Whether it was a repeat viewing."),
      tags,
      other_columns: other,
    }),
    cursor_field: "watched_on",
    ranges: ["watched_on", "rating", "year"],
    search: ["title"],
    aggregations: { group_by: ["list", "year", "rating", "tags"], group_by_time: ["watched_on"], avg: ["rating"] },
  },
]);
