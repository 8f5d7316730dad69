// Tests how the address of a table is parsed, and the notes about invalid parts.
import { expect, it } from "vitest";
import type { FieldCapability } from "../../../../contract/answers.ts";
import type { StreamMetadata } from "../../../../contract/schema-document.ts";
import { stateOf } from "./stream-state.ts";

const none = {
  count_distinct: false,
  group_by: false,
  group_by_time: false,
  sum: false,
  min: false,
  max: false,
  avg: false,
};

const can = (type: string, rest: Partial<FieldCapability> = {}): FieldCapability => ({
  type,
  granted: true,
  exact_filter: true,
  range_filter: [],
  set_filter: ["in", "ne", "exists"],
  sort: true,
  lexical_search: false,
  semantic_search: false,
  aggregation: none,
  ...rest,
});

const metadata: StreamMetadata = {
  object: "stream_metadata",
  name: "books",
  connector_key: "library",
  semantics: "mutable_state",
  primary_key: ["id"],
  cursor_field: "published_at",
  selection: { fields: true, resources: true },
  views: [],
  relationships: [],
  expand_capabilities: [],
  granted_connections: [],
  aggregations: { count: true },
  field_capabilities: {
    id: can("string"),
    title: can("string", { exact_filter: false, set_filter: [], sort: false, lexical_search: true }),
    "a,b": can("string"),
    pages: can("integer", { range_filter: ["gte", "lte"] }),
    lent: can("boolean"),
    bought_on: can("string", { format: "date", range_filter: ["gt", "lte"] }),
    published_at: can("string", { format: "date-time", range_filter: ["gte", "lt"] }),
    extra: can("object", { exact_filter: false, sort: false }),
  },
};

const read = (query: string, zone = "UTC") => stateOf(new URLSearchParams(query), metadata, zone);

it("converts filter values to their types, and ignores empty form fields", () => {
  const { filter, notes, pairs } = read(
    "filter[pages][gte]=10&filter[pages][lte]=&filter[lent]=true&filter[a,b]=&sort=-pages",
  );
  expect(filter).toEqual({ pages: { gte: 10 }, lent: true });
  expect(pairs).toEqual([
    ["filter[pages][gte]", "10"],
    ["filter[lent]", "true"],
    ["sort", "-pages"],
  ]);
  expect(notes).toEqual([]);
});

it("K-03 parses sets from the address and from a form, and writes them in short form", () => {
  const form = read("how[id]=ne&filter[id]=x&how[a,b]=in&filter[a,b]=p, q&how[lent]=missing&filter[lent]=&how[pages]=");
  expect(form.filter).toEqual({ id: { ne: "x" }, "a,b": { in: ["p", "q"] }, lent: { exists: false } });
  expect(form.notes).toEqual([]);
  expect(form.pairs).toEqual([
    ["filter[lent][exists]", "false"],
    ["filter[id][ne]", "x"],
    ["filter[a,b][in]", "p,q"],
  ]);
  expect(read(String(new URLSearchParams(form.pairs as [string, string][]))).filter).toEqual(form.filter);
  const ticked = read("filter[id][in][]=a,b&filter[id][in][]=c&filter[pages][in]=1,2");
  expect(ticked.filter).toEqual({ id: { in: ["a,b", "c"] }, pages: { in: [1, 2] } });
  expect(ticked.pairs).toEqual([
    ["filter[id][in][]", "a,b"],
    ["filter[id][in][]", "c"],
    ["filter[pages][in]", "1,2"],
  ]);
  expect(read("filter[pages][in]=1,many").notes).toEqual(["Pages needs a number, not “many”."]);
  expect(read("filter[title][exists]=false").notes).toEqual(["Title cannot be filtered this way."]);
});

it("interprets days as whole days in the owner's zone, with the operators of the field", () => {
  const { filter } = read("since[published_at]=2024-03-10&until[published_at]=2024-03-10", "America/New_York");
  expect(filter).toEqual({ published_at: { gte: "2024-03-10T05:00:00.000Z", lt: "2024-03-11T04:00:00.000Z" } });
  expect(read("since[bought_on]=2024-03-10&until[bought_on]=2024-03-12").filter).toEqual({
    bought_on: { gt: "2024-03-09", lte: "2024-03-12" },
  });
});

it("uses the narrower of a day and an instant", () => {
  const query = "since[published_at]=2024-03-10&filter[published_at][gte]=";
  expect(read(`${query}2024-03-10T09:00:00Z`).filter).toEqual({ published_at: { gte: "2024-03-10T09:00:00Z" } });
  expect(read(`${query}2023-01-01T00:00:00Z`).filter).toEqual({ published_at: { gte: "2024-03-10T00:00:00.000Z" } });
});

it("reports invalid parts, and applies the others", () => {
  const { filter, notes, sort, limit } = read(
    "filter[pages][gte]=many&filter[nope]=1&filter[title]=x&filter[pages][gt]=3&filter[lent]=perhaps&since[published_at]=2024-02-30&since[title]=2024-01-01&sort=extra&limit=7&filter[lent]=false&filter[lent]=true&other=1",
  );
  expect(filter).toEqual({ lent: false });
  expect([sort, limit]).toEqual([undefined, 50]);
  expect(notes).toHaveLength(9);
  expect(notes[0]).toBe("Pages needs a number, not “many”.");
});

it("shows a few short fields unless columns are chosen, and does not split names at commas", () => {
  expect(read("").columns).toEqual(["title", "published_at", "a,b", "pages", "lent"]);
  expect(read("fields=pages,title,nope,pages").columns).toEqual(["pages", "title"]);
  const chosen = read("fields[]=a,b&fields[]=pages");
  expect(chosen.columns).toEqual(["a,b", "pages"]);
  expect(chosen.pairs).toEqual([
    ["fields[]", "a,b"],
    ["fields[]", "pages"],
  ]);
});

it("filters only by the stream's own fields", () => {
  const { filter, notes } = read("filter[__proto__]=1&filter[constructor]=1&sort=__proto__&fields=toString");
  expect(filter).toEqual({});
  expect(notes).toHaveLength(3);
});
