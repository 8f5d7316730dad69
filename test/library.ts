// A small source for tests, with every column kind, free text, JSON, blobs, relations, a compound key and a stream
// without order.
import type { SourceDeclaration, StreamDeclaration } from "../src/contract/declaration.ts";
import type { Client, Line } from "./harness.ts";

const text = { type: ["string", "null"] };
const every = ["gte", "gt", "lte", "lt"] as const;

const books: StreamDeclaration = {
  name: "books",
  display: { label: "Books" },
  semantics: "mutable_state",
  primary_key: ["id"],
  cursor_field: "published_at",
  consent_time_field: "published_at",
  selection: { fields: true, resources: true },
  schema: {
    type: "object",
    required: ["id"],
    properties: {
      id: { type: "string" },
      title: text,
      genre: text,
      pages: { type: ["integer", "null"] },
      price: { type: ["number", "null"] },
      lent: { type: ["boolean", "null"] },
      bought_on: { type: ["string", "null"], format: "date" },
      published_at: { type: ["string", "null"], format: "date-time" },
      author_id: text,
      notes: text,
      extra: { type: ["object", "null"] },
      cover: { type: ["object", "null"], properties: { blob_id: { type: "string" } } },
      secret: text,
    },
  },
  views: [{ id: "card", label: "Card", fields: ["title", "genre"] }],
  relationships: [
    { name: "author", stream: "authors", foreign_key: "author_id", cardinality: "has_one" },
    { name: "loans", stream: "loans", foreign_key: "book_id", cardinality: "has_many" },
    { name: "unoffered", stream: "loans", foreign_key: "book_id", cardinality: "has_many" },
  ],
  query: {
    range_filters: {
      title: [...every],
      pages: [...every],
      price: ["gte", "lt"],
      bought_on: [...every],
      published_at: [...every],
    },
    expand: [{ name: "author" }, { name: "loans", default_limit: 2, max_limit: 3 }],
    search: { lexical_fields: ["notes", "title"] },
    aggregations: {
      group_by: ["genre", "lent", "bought_on"],
      group_by_time: ["published_at", "bought_on"],
      sum: ["pages", "price"],
      min: ["pages", "price", "published_at", "bought_on", "title"],
      max: ["pages", "price", "published_at", "bought_on", "title"],
      avg: ["price"],
      count_distinct: ["genre", "pages"],
    },
  },
};

const authors: StreamDeclaration = {
  name: "authors",
  semantics: "mutable_state",
  primary_key: ["id"],
  schema: {
    type: "object",
    required: ["id"],
    properties: { id: { type: "string" }, name: text, born: { type: ["integer", "null"] } },
  },
};

const loans: StreamDeclaration = {
  name: "loans",
  semantics: "append_only",
  primary_key: ["book_id", "day"],
  cursor_field: "day",
  consent_time_field: "day",
  schema: {
    type: "object",
    required: ["book_id", "day"],
    properties: { book_id: { type: "string" }, day: { type: "string", format: "date" }, to: text },
  },
};

export const library: SourceDeclaration = {
  protocol_version: "0.1.0",
  source: { kind: "connector", id: "https://test.example/library" },
  declaration_version: "1",
  publisher: { id: "test" },
  display: { name: "Library" },
  streams: [books, authors, loans],
};

/** The same declaration under another name, which makes another source with the same streams. */
export const sourceLike = (name: string): SourceDeclaration => ({
  ...library,
  source: { kind: "connector", id: `https://test.example/${name}` },
  display: { name },
});

export const book = (id: string, data: Record<string, unknown> = {}): Line => ({ key: id, data: { id, ...data } });

/** Twelve books with ties, nulls and every kind of value. The default order is by published_at, then id. */
export const BOOKS: Line[] = [
  book("b01", {
    title: "Äther",
    genre: "poem",
    pages: 90,
    price: 9.5,
    lent: true,
    bought_on: "2024-01-05",
    published_at: "2024-01-01T00:00:00Z",
    author_id: "a1",
    notes: "thin but dense",
  }),
  book("b02", {
    title: "alpha",
    genre: "novel",
    pages: 320,
    price: 20,
    lent: false,
    bought_on: "2024-01-05",
    published_at: "2024-01-01T00:00:00Z",
    author_id: "a2",
  }),
  book("b03", {
    title: "Beta",
    genre: "novel",
    pages: 320,
    price: 12.25,
    lent: null,
    bought_on: null,
    published_at: "2024-02-01T12:00:00+02:00",
    author_id: "a1",
  }),
  book("b04", {
    title: "beta",
    genre: null,
    pages: null,
    price: null,
    lent: true,
    bought_on: "2024-03-31",
    published_at: "2024-03-31T00:30:00Z",
  }),
  book("b05", {
    title: "gamma",
    genre: "essay",
    pages: 0,
    price: 0,
    lent: false,
    bought_on: "2024-04-01",
    published_at: "2024-03-31T01:30:00Z",
    author_id: "nobody",
  }),
  book("b06", {
    title: "𝒳-ray",
    genre: "essay",
    pages: 1200,
    price: 0.1,
    lent: true,
    bought_on: "2023-12-31",
    published_at: "2023-12-31T23:30:00-05:00",
  }),
  book("b07", {
    title: "ﬀ",
    genre: "poem",
    pages: 7,
    price: 0.2,
    lent: true,
    bought_on: "2024-10-27",
    published_at: "2024-10-27T00:30:00Z",
  }),
  book("b08", {
    title: "",
    genre: "",
    pages: 12,
    price: -3,
    lent: false,
    bought_on: "2024-10-27",
    published_at: "2024-10-27T01:30:00Z",
  }),
  book("b09", { title: null, genre: "novel", pages: 44, price: 1e9, lent: false, bought_on: null, published_at: null }),
  book("b10", { genre: "novel", published_at: null }),
  book("b11", { title: "omega", genre: "novel", pages: 500, price: 30, published_at: "2025-01-01T00:00:00.500Z" }),
  book("b12", { title: "omega", genre: "atlas", pages: 501, price: 30, published_at: "2025-01-01T00:00:00.250Z" }),
];

export const AUTHORS: Line[] = [
  { key: "a1", data: { id: "a1", name: "Ada", born: 1815 } },
  { key: "a2", data: { id: "a2", name: "Émile", born: 1840 } },
];

export const LOANS: Line[] = ["2024-05-01", "2024-05-02", "2024-05-03", "2024-05-04"].map((day) => ({
  key: ["b01", day],
  data: { book_id: "b01", day, to: "Kim" },
}));

/** Uploads a cover for a book as a blob, and returns the blob's id. */
export async function uploadCover(client: Client, connection: string, content: string): Promise<string> {
  const query = { stream: "books", connection_id: connection };
  const { body } = await client.call("POST", "/v1/blobs", {
    query,
    body: content,
    headers: { "Content-Type": "text/plain" },
  });
  await client.ingest("books", connection, [book(`cover-${content.length}`, { cover: { blob_id: body.blob_id } })]);
  return body.blob_id;
}
