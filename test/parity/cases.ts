// One table of cases, with the arguments of the tools. Each surface translates them into its own requests.
import type { World } from "./world.ts";

export type Rung = "discover" | "preview" | "window" | "fetch" | "export";
export type Call = "schema" | "query_records" | "aggregate" | "search" | "fetch";
export type Args = Record<string, unknown>;

export interface Case {
  rung: Rung;
  name: string;
  call: Call;
  args: (world: World) => Args;
}

export interface ErrorCase {
  code: string;
  name: string;
  call: Call;
  args: (world: World) => Args;
  /**
   * A surface where the case is not possible. In REST, the route identifies the connection, so a handle cannot
   * contradict it.
   */
  notOn?: string;
}

const home = ({ home: connection_id }: World) => ({ stream: "books", connection_id });
const cabin = ({ cabin: connection_id }: World) => ({ stream: "books", connection_id });
const windowOf = (world: World, query: string) => `pdpp://field-window/${world.cabin}/books/c01?field=notes${query}`;

export const CASES: readonly Case[] = [
  { rung: "discover", name: "everything", call: "schema", args: () => ({}) },
  { rung: "discover", name: "a stream in two connections", call: "schema", args: () => ({ stream: "books" }) },
  { rung: "discover", name: "a stream in one connection", call: "schema", args: home },
  {
    rung: "discover",
    name: "the full schema of a stream",
    call: "schema",
    args: (world) => ({ ...home(world), detail: "full" }),
  },
  {
    rung: "preview",
    name: "a page with a count",
    call: "query_records",
    args: (world) => ({ ...home(world), limit: 4, count: "exact" }),
  },
  {
    rung: "preview",
    name: "a filtered, sorted, projected page",
    call: "query_records",
    args: (world) => ({
      ...home(world),
      filter: { pages: { gte: 10, lt: 600 } },
      sort: "-pages",
      fields: ["title", "pages"],
      limit: 3,
    }),
  },
  {
    rung: "preview",
    name: "an exact filter without a match",
    call: "query_records",
    args: (world) => ({ ...home(world), filter: { genre: "cookery" } }),
  },
  {
    rung: "preview",
    name: "K-03 one of several values",
    call: "query_records",
    args: (world) => ({ ...home(world), filter: { genre: { in: ["poem", "novel"] } }, count: "exact" }),
  },
  {
    rung: "preview",
    name: "K-03 any other value, or no value",
    call: "query_records",
    args: (world) => ({ ...home(world), filter: { genre: { ne: "novel" }, pages: { gte: 1 } }, count: "exact" }),
  },
  {
    rung: "preview",
    name: "K-03 records without a value",
    call: "query_records",
    args: (world) => ({ ...home(world), filter: { price: { exists: false }, title: { exists: true } } }),
  },
  {
    rung: "preview",
    name: "K-03 a count over a set of values",
    call: "aggregate",
    args: (world) => ({ ...home(world), metric: "count", filter: { pages: { in: [90, 320], ne: 90 } } }),
  },
  {
    rung: "preview",
    name: "K-04 records whose list has a value",
    call: "query_records",
    args: () => ({ stream: "mails", filter: { "to.address": { contains: "ada@example.com" } }, count: "exact" }),
  },
  {
    rung: "preview",
    name: "K-04 groups by a field inside a list",
    call: "aggregate",
    args: () => ({ stream: "mails", metric: "count", group_by: "to.address", limit: 2 }),
  },
  { rung: "discover", name: "K-04 a stream with lists", call: "schema", args: () => ({ stream: "mails" }) },
  { rung: "preview", name: "a page with a long field", call: "query_records", args: cabin },
  {
    rung: "preview",
    name: "oldest first",
    call: "query_records",
    args: () => ({ stream: "loans", order: "asc", limit: 2 }),
  },
  {
    rung: "preview",
    name: "relations",
    call: "query_records",
    args: (world) => ({ ...home(world), filter: { genre: "poem" }, expand: ["author", "loans"] }),
  },
  {
    rung: "preview",
    name: "changes",
    call: "query_records",
    args: (world) => ({ ...home(world), changes_since: "beginning", limit: 5 }),
  },
  {
    rung: "preview",
    name: "K-07 changes since a day",
    call: "query_records",
    args: (world) => ({ ...home(world), changes_since: "2020-02-29", limit: 5 }),
  },
  {
    rung: "preview",
    name: "K-07 changes in all streams",
    call: "query_records",
    args: () => ({ stream: "all", changes_since: "2020-02-29", limit: 5 }),
  },
  {
    rung: "preview",
    name: "K-05 a page across all connections",
    call: "query_records",
    args: () => ({ stream: "books", connection_id: "all", sort: "title", limit: 4, count: "exact" }),
  },
  {
    rung: "preview",
    name: "K-05 groups across all connections",
    call: "aggregate",
    args: () => ({ stream: "books", connection_id: "all", metric: "sum", field: "pages", group_by: "genre", limit: 3 }),
  },
  {
    rung: "preview",
    name: "a number",
    call: "aggregate",
    args: (world) => ({ ...home(world), metric: "sum", field: "pages" }),
  },
  {
    rung: "preview",
    name: "groups beyond the limit",
    call: "aggregate",
    args: (world) => ({ ...home(world), metric: "count", group_by: "genre", limit: 2 }),
  },
  {
    rung: "preview",
    name: "K-09 the smallest sums, and the sum of the others",
    call: "aggregate",
    args: (world) => ({
      ...home(world),
      metric: "sum",
      field: "pages",
      group_by: "genre",
      order_by: "value",
      limit: 2,
    }),
  },
  {
    rung: "preview",
    name: "a time series in a time zone",
    call: "aggregate",
    args: (world) => ({
      ...home(world),
      metric: "count",
      group_by_time: "published_at",
      granularity: "month",
      time_zone: "Europe/Dublin",
    }),
  },
  { rung: "preview", name: "hits in all connections", call: "search", args: () => ({ query: "heron OR omega" }) },
  { rung: "preview", name: "hits in pages", call: "search", args: () => ({ query: "heron", limit: 1 }) },
  {
    rung: "preview",
    name: "hits in one connection, newest first",
    call: "search",
    args: ({ cabin: connection_id }) => ({ query: "heron", connection_id, order: "newest" }),
  },
  { rung: "preview", name: "K-12 hits with a person", call: "search", args: () => ({ query: 'with:"Ada Byron"' }) },
  { rung: "preview", name: "no hits", call: "search", args: () => ({ query: "xylophone" }) },
  { rung: "window", name: "the beginning", call: "fetch", args: (world) => ({ id: windowOf(world, "") }) },
  {
    rung: "window",
    name: "a piece",
    call: "fetch",
    args: (world) => ({ id: windowOf(world, "&offset=1000&limit=500") }),
  },
  {
    rung: "window",
    name: "a piece of a given revision",
    call: "fetch",
    args: (world) => ({ id: windowOf(world, `&offset=1000&limit=500&revision=${world.revision}`) }),
  },
  {
    rung: "window",
    name: "the text around a match",
    call: "fetch",
    args: (world) => ({ id: windowOf(world, "&offset=0&q=day+137") }),
  },
  {
    rung: "window",
    name: "K-10 the text around the nearest match, ignoring case",
    call: "fetch",
    args: (world) => ({ id: windowOf(world, "&offset=2000&q=HERON") }),
  },
  {
    rung: "window",
    name: "inside JSON",
    call: "fetch",
    args: (world) => ({ id: `pdpp://field-window/${world.cabin}/books/c03?field=extra&pointer=%2Fa%2F0%2Fb` }),
  },
  { rung: "fetch", name: "a record", call: "fetch", args: (world) => ({ id: `${world.home}/books:b01` }) },
  {
    rung: "fetch",
    name: "a record by its URI",
    call: "fetch",
    args: (world) => ({ id: `pdpp://record/${world.home}/books/b03` }),
  },
  { rung: "fetch", name: "a record without its connection", call: "fetch", args: () => ({ id: "authors:a1" }) },
  {
    rung: "fetch",
    name: "a compound key",
    call: "fetch",
    args: (world) => ({ id: `${world.home}/loans:${encodeURIComponent('["b01","2024-05-01"]')}` }),
  },
  {
    rung: "fetch",
    name: "some fields",
    call: "fetch",
    args: (world) => ({ id: `${world.home}/books:b01`, fields: ["title", "pages"] }),
  },
  {
    rung: "fetch",
    name: "relations",
    call: "fetch",
    args: (world) => ({ id: `${world.home}/books:b01`, expand: ["author", "loans"] }),
  },
  { rung: "fetch", name: "a long record", call: "fetch", args: (world) => ({ id: `${world.cabin}/books:c01` }) },
  {
    rung: "fetch",
    name: "a blob",
    call: "fetch",
    args: (world) => ({ id: `pdpp://blob/${world.cabin}/${world.blobId}` }),
  },
  { rung: "fetch", name: "a stream", call: "fetch", args: (world) => ({ id: `pdpp://stream/${world.home}/books` }) },
  { rung: "export", name: "all the books at home", call: "fetch", args: (world) => ({ id: world.exportHandle }) },
];

export const ERRORS: readonly ErrorCase[] = [
  {
    code: "ambiguous_connection",
    name: "a list of a stream in two connections",
    call: "query_records",
    args: () => ({ stream: "books" }),
  },
  {
    code: "ambiguous_connection",
    name: "a count of a stream in two connections",
    call: "aggregate",
    args: () => ({ stream: "books", metric: "count" }),
  },
  {
    code: "ambiguous_connection",
    name: "the full schema of a stream in two connections",
    call: "schema",
    args: () => ({ stream: "books", detail: "full" }),
  },
  {
    code: "ambiguous_connection",
    name: "a record in one of two connections",
    call: "fetch",
    args: () => ({ id: "books:b01" }),
  },
  {
    code: "grant_stream_not_allowed",
    name: "a stream outside the grant",
    call: "query_records",
    args: () => ({ stream: "diaries" }),
  },
  {
    code: "connection_not_found",
    name: "a connection outside the grant",
    call: "query_records",
    args: () => ({ stream: "books", connection_id: "cin_nowhere" }),
  },
  {
    code: "field_not_granted",
    name: "showing a hidden field",
    call: "query_records",
    args: (world) => ({ ...home(world), fields: ["secret"] }),
  },
  {
    code: "field_not_granted",
    name: "filtering by a hidden field",
    call: "query_records",
    args: (world) => ({ ...home(world), filter: { secret: "x" } }),
  },
  {
    code: "invalid_filter",
    name: "a range filter on a field that allows only equality",
    call: "query_records",
    args: (world) => ({ ...home(world), filter: { genre: { gte: "a" } } }),
  },
  {
    code: "invalid_filter",
    name: "K-04 an exact filter on a list",
    call: "query_records",
    args: () => ({ stream: "mails", filter: { labels: "inbox" } }),
  },
  {
    code: "invalid_filter",
    name: "K-03 a set filter on a field that allows no filter",
    call: "query_records",
    args: (world) => ({ ...home(world), filter: { extra: { in: ["a", "b"] } } }),
  },
  {
    code: "invalid_filter",
    name: "K-03 more values than a filter allows",
    call: "query_records",
    args: (world) => ({
      ...home(world),
      filter: { genre: { in: Array.from({ length: 101 }, (_, index) => `g${index}`) } },
    }),
  },
  {
    code: "invalid_sort",
    name: "sorting by a JSON field",
    call: "query_records",
    args: (world) => ({ ...home(world), sort: "extra" }),
  },
  {
    code: "invalid_expand",
    name: "an unknown relation",
    call: "query_records",
    args: (world) => ({ ...home(world), expand: ["unoffered"] }),
  },
  {
    code: "grant_time_range_exceeded",
    name: "a time before the granted range",
    call: "query_records",
    args: (world) => ({ ...home(world), filter: { published_at: { lt: "2020-01-01T00:00:00Z" } } }),
  },
  {
    code: "invalid_cursor",
    name: "a made-up list cursor",
    call: "query_records",
    args: (world) => ({ ...home(world), cursor: "AAAA" }),
  },
  {
    code: "invalid_cursor",
    name: "a made-up search cursor",
    call: "search",
    args: () => ({ query: "heron", cursor: "AAAA" }),
  },
  {
    code: "not_found",
    name: "a missing record",
    call: "fetch",
    args: (world) => ({ id: `${world.home}/books:b99` }),
  },
  {
    code: "not_found",
    name: "a window of a missing record",
    call: "fetch",
    args: (world) => ({ id: `pdpp://field-window/${world.home}/books/b99?field=notes` }),
  },
  {
    code: "field_not_found",
    name: "a window of a missing field",
    call: "fetch",
    args: (world) => ({ id: `pdpp://field-window/${world.cabin}/books/c02?field=extra` }),
  },
  {
    code: "field_not_text",
    name: "a window of a number",
    call: "fetch",
    args: (world) => ({ id: `pdpp://field-window/${world.home}/books/b01?field=pages` }),
  },
  {
    code: "field_not_granted",
    name: "a window of a hidden field",
    call: "fetch",
    args: (world) => ({ id: `pdpp://field-window/${world.home}/books/b01?field=secret` }),
  },
  {
    code: "stale_handle",
    name: "a window of a text that has changed",
    call: "fetch",
    args: (world) => ({ id: windowOf(world, "&offset=5&revision=old") }),
  },
  {
    code: "invalid_window",
    name: "a window beyond the end",
    call: "fetch",
    args: (world) => ({ id: windowOf(world, "&offset=9999999") }),
  },
  {
    code: "blob_not_found",
    name: "a missing blob",
    call: "fetch",
    args: (world) => ({ id: `pdpp://blob/${world.cabin}/blob_nowhere` }),
  },
  {
    code: "invalid_request",
    name: "an export handle that the server did not seal",
    call: "fetch",
    args: () => ({ id: "pdpp://export/AAAA" }),
  },
  {
    code: "invalid_request",
    name: "a metric without its field",
    call: "aggregate",
    args: (world) => ({ ...home(world), metric: "sum" }),
  },
  {
    code: "invalid_request",
    name: "a handle with another connection's id",
    call: "fetch",
    args: (world) => ({ id: `${world.home}/books:b01`, connection_id: world.cabin }),
    notOn: "REST",
  },
];
