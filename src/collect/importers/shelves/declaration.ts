// The declaration of lists of books and films: Goodreads, StoryGraph, Letterboxd.
import { declareSource, field, recordSchema } from "../../../core/declare.ts";

const tags = field.texts("Tags", "Shelves and tags of your own.");
const other = field.list(
  "Other columns",
  "Columns of the export that have no field here.",
  field.object({
    heading: field.text("Heading", "As the export has it."),
    value: field.text("Value", "As the export has it."),
  }),
);

export const shelvesDeclaration = declareSource("shelves", "Books and films", [
  {
    name: "books",
    description: "Books that were read, are being read or are to be read.",
    display: { label: "Books", detail: "Your books, with dates, ratings and reviews" },
    kind: "book",
    roles: { title: "title", creator: "author", time: "read_on", rating: "rating", text: "review" },
    schema: recordSchema("Book", {
      id: field.text("Id", "The service's own number, or made from title and author."),
      title: field.text("Title", "Of the book."),
      author: field.text("Author", "Who wrote it."),
      isbn: field.text("ISBN", "Of the edition."),
      shelf: field.text("Shelf", "read, currently-reading, to-read or one of your own."),
      rating: field.number("Rating", "Yours, of 5."),
      read_on: field.date("Read", "When you finished it, the last time."),
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
    description: "Films that were watched, rated, or put on a list.",
    display: { label: "Films", detail: "Films you watched or rated, with dates" },
    kind: "play",
    roles: { time: "watched_on", title: "title" },
    schema: recordSchema("Film", {
      id: field.text("Id", "Made from the film, the list and the day."),
      title: field.text("Title", "Of the film."),
      year: field.count("Year", "When it came out."),
      list: field.text("List", "diary, watched, ratings, watchlist …: the file it is in."),
      watched_on: field.date("Watched", "The day it was watched, or put on the list."),
      rating: field.number("Rating", "Yours, of 5."),
      url: field.text("Address", "At Letterboxd."),
      is_rewatch: field.flag("Watched again", "Not for the first time."),
      tags,
      other_columns: other,
    }),
    cursor_field: "watched_on",
    ranges: ["watched_on", "rating", "year"],
    search: ["title"],
    aggregations: { group_by: ["list", "year", "rating", "tags"], group_by_time: ["watched_on"], avg: ["rating"] },
  },
]);
