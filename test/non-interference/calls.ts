// Random calls under a grant, mostly about data that it shows and sometimes about data that it hides. `$0` and `$1`
// stand for the connection ids.
import fc from "fast-check";
import { CLOCK, FIELDS, IDS, TIMES, WORDS, type WorldGrant } from "./world.ts";

export type Call =
  | { kind: "records"; query: Record<string, unknown> }
  | { kind: "changes"; query: Record<string, unknown> }
  | { kind: "record"; query: Record<string, unknown> }
  | { kind: "window"; query: Record<string, unknown> }
  | { kind: "aggregate"; query: Record<string, unknown> }
  | { kind: "search"; query: Record<string, unknown> }
  | { kind: "exportInfo"; query: Record<string, unknown> }
  | { kind: "schema"; query: Record<string, unknown> }
  | { kind: "timeline"; query: Record<string, unknown> }
  | { kind: "timelineCounts"; query: Record<string, unknown> }
  | { kind: "people"; query: Record<string, unknown> }
  | { kind: "streams"; query: Record<string, unknown> }
  | { kind: "connections"; query: Record<string, unknown> };

const sometimes = <T>(arbitrary: fc.Arbitrary<T>, oneIn: number) =>
  fc.oneof({ weight: oneIn - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
const mostly = <T>(usual: fc.Arbitrary<T>, strange: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: strange });

const CONDITIONS: [string, unknown][] = [
  ["kind", "red"],
  ["kind", "nowhere"],
  ["flag", true],
  ["flag", false],
  ["title", "β"],
  ["title", ""],
  ["parent_id", "a"],
  ["amount", 2.5],
  ["at", "2024-02-01T00:00:00Z"],
  ["amount", { gte: 0.1, lt: 100 }],
  ["amount", { gt: 1 }],
  ["amount", { lte: 1 }],
  ["at", { gte: TIMES[1] }],
  ["at", { lt: TIMES[3] }],
  ["kind", { gte: "green" }],
  ["kind", { in: ["red", "nowhere", "green"] }],
  ["kind", { ne: "red" }],
  ["kind", { exists: false }],
  ["title", { ne: "β" }],
  ["flag", { exists: true }],
  ["flag", { in: [true] }],
  ["amount", { in: [2.5, 0.1] }],
  ["amount", { ne: 2.5, gte: 0 }],
  ["amount", { exists: false }],
  ["at", { exists: true }],
  ["at", { in: [TIMES[1], TIMES[2]] }],
  ["parent_id", { exists: true, ne: "a" }],
  ["tags", { contains: "red" }],
  ["tags", { ne: "red" }],
  ["people.name", { contains: "alpha" }],
  ["people.name", { in: ["short", "note"] }],
  ["people.name", { exists: false }],
  ["lead.name", { contains: "alpha" }],
  ["lead.name", { exists: false }],
  ["shelf", "north"],
  ["shelf", { in: ["south", "cellar"] }],
  ["shelf", { ne: "attic" }],
];
const STRANGE_CONDITIONS: [string, unknown][] = [
  ["notes", "short"],
  ["extra", "x"],
  ["no_such_field", "x"],
  ["title", { gte: "a" }],
  ["notes", { exists: true }],
  ["people.role", { contains: "x" }],
  ["tags", "red"],
  ["extra", { in: ["x"] }],
  ["no_such_field", { ne: "x" }],
];
/** Times on the worlds' clock. */
const TICKS = [1004, 1010, 1020, 5005, 5020].map((tick) => new Date(CLOCK + 1000 * tick).toISOString());
const SORTABLE = ["id", "title", "amount", "flag", "kind", "at", "parent_id", "shelf"];
const METRICS: [metric: string, field?: string][] = [
  ["count"],
  ["count"],
  ["sum", "amount"],
  ["avg", "amount"],
  ["min", "amount"],
  ["max", "kind"],
  ["min", "at"],
  ["count_distinct", "kind"],
  ["count_distinct", "title"],
  ["count_distinct", "people.name"],
];
const GROUPS: Record<string, unknown>[] = [
  {},
  { group_by: "kind" },
  { group_by: "flag" },
  { group_by: "title" },
  { group_by: "parent_id" },
  { group_by: "tags" },
  { group_by: "people.name" },
  { group_by: "lead.name" },
  { group_by: "shelf" },
  { group_by_time: "at", granularity: "month" },
  { group_by_time: "at", granularity: "week", time_zone: "Asia/Kathmandu" },
  { group_by_time: "at" },
];

/** Search filters: sources, kinds, people in a role, and fields by name and label. */
const FILTERS = [
  "in:items",
  "-in:parents",
  "in:world",
  "in:nowhere",
  "kind:transaction",
  "-kind:event",
  "kind:red",
  "colour:red",
  "currency:green",
  "amount:2.5",
  "flag:yes",
  "-flag:no",
  "title:beta",
  "tags:red",
  "people:alpha",
  "counterparty:alpha",
  "-counterparty:zoe@x.de",
  "from:alpha",
  "extra:x",
  "shelf:north",
  "-category:south",
];

/** Generates one call under this grant. */
export function callUnder(grant: WorldGrant): fc.Arbitrary<Call> {
  return fc.constantFrom(...grant.selections).chain((selection) => {
    const shown = new Set(selection.fields);
    const anyField = fc.constantFrom("id", ...FIELDS, "no_such_field");
    const field = mostly(fc.constantFrom(...selection.fields), anyField);
    const granted = (names: readonly string[]) => names.filter((name) => shown.has(name));
    const place = fc.oneof(
      { weight: 12, arbitrary: fc.constant({ stream: selection.stream, connection_id: `$${selection.connection}` }) },
      { weight: 1, arbitrary: fc.constant({ stream: selection.stream }) },
      { weight: 3, arbitrary: fc.constant({ stream: selection.stream, connection_id: "all" }) },
      {
        weight: 1,
        arbitrary: fc.record({
          stream: fc.constantFrom("items", "parents", "secrets"),
          connection_id: fc.constantFrom("$0", "$1", "cin_nowhere"),
        }),
      },
    );
    const shows = (name: string) => shown.has(name.split(".")[0]!);
    const usual = CONDITIONS.filter(([name]) => shows(name));
    const condition = mostly(
      fc.constantFrom(...(usual.length > 0 ? usual : CONDITIONS)),
      fc.constantFrom(...CONDITIONS, ...STRANGE_CONDITIONS),
    );
    const filter = fc.array(condition, { minLength: 1, maxLength: 2 }).map((pairs) => Object.fromEntries(pairs));
    const sortField = mostly(fc.constantFrom(...granted(SORTABLE)), anyField);
    const some = fc.uniqueArray(field, { minLength: 1, maxLength: 3 });
    const projection = fc.oneof(
      { weight: 6, arbitrary: fc.constant({}) },
      { weight: 3, arbitrary: fc.record({ fields: some }) },
      { weight: 1, arbitrary: fc.constantFrom({ view: "short" }, { view: "none" }) },
    );
    const order = fc.oneof(
      { weight: 4, arbitrary: fc.constant({}) },
      { weight: 1, arbitrary: fc.constantFrom({ order: "asc" }, { order: "desc" }) },
      {
        weight: 3,
        arbitrary: fc.tuple(fc.constantFrom("", "-"), sortField).map(([sign, name]) => ({ sort: sign + name })),
      },
    );
    const expand = sometimes(
      mostly(fc.subarray(["parent", "children"], { minLength: 1 }), fc.constant<string[]>(["ghosts"])),
      7,
    );
    const id = fc.constantFrom(...IDS, "never");

    const records = fc
      .tuple(
        place,
        projection,
        order,
        fc.record({
          filter: sometimes(filter, 2),
          limit: fc.constantFrom(1, 2, 3, 25),
          count: sometimes(fc.constantFrom("exact", "estimated", "none"), 3),
          expand,
        }),
      )
      .map(merged);
    const since = fc.record({
      limit: fc.constantFrom(1, 2, 25),
      changes_since: sometimes(fc.constantFrom("now", "1970-01-01", ...TICKS, "1970-99-99"), 2),
    });
    const everywhere = fc.constantFrom({ stream: "all" }, { stream: "all", connection_id: `$${selection.connection}` });
    const changes = fc.oneof(fc.tuple(place, projection, since), fc.tuple(everywhere, since)).map(merged);
    const record = fc.tuple(place, fc.record({ id, fields: sometimes(some, 3), expand })).map(merged);
    const window = fc
      .tuple(
        place,
        fc.record({
          id,
          field,
          limit_chars: sometimes(fc.constantFrom(1, 5), 3),
          q: sometimes(fc.constantFrom("note", "NOTE", "a"), 3),
          offset_chars: sometimes(fc.constantFrom(1, 4), 3),
        }),
      )
      .map(merged);
    const metrics = METRICS.filter(([, name]) => name === undefined || shows(name));
    const groups = GROUPS.filter((group) =>
      [group.group_by, group.group_by_time].every((name) => name === undefined || shows(name as string)),
    );
    const aggregate = fc
      .tuple(
        place,
        mostly(fc.constantFrom(...metrics), fc.constantFrom(...METRICS)).map(([metric, name]) => ({
          metric,
          ...(name === undefined ? {} : { field: name }),
        })),
        mostly(fc.constantFrom(...groups), fc.constantFrom(...GROUPS, { group_by: "notes" })),
        fc.record({
          filter: sometimes(filter, 2),
          limit: sometimes(fc.constantFrom(1, 2, 100), 3),
          order_by: sometimes(fc.constantFrom("value", "-value", "key", "-key", "count", "-count"), 3),
        }),
      )
      .map(merged);

    const word = fc.constantFrom(
      ...WORDS,
      "beta",
      "nowhere",
      "note*",
      "-short",
      '"longer note"',
      "notes:alpha",
      "title:alpha",
      "shrot",
      "after:2024-02",
      "with:alpha",
      "with:ada@x.de",
      ...FILTERS,
    );
    const search = fc
      .tuple(
        fc.oneof(
          { weight: 1, arbitrary: fc.constant({}) },
          { weight: 1, arbitrary: place.map(({ stream, ...rest }) => ({ streams: [stream], ...rest })) },
        ),
        fc.record({
          q: fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(" ")),
          order: sometimes(fc.constantFrom("relevance", "newest"), 3),
          limit: fc.constantFrom(1, 2, 25),
          facets: sometimes(fc.constant(true), 3),
          cursors: sometimes(fc.constant("each"), 6),
          filter: sometimes(filter, 6),
        }),
      )
      .map(merged);

    return fc.oneof(
      { weight: 6, arbitrary: search.map((query): Call => ({ kind: "search", query })) },
      { weight: 8, arbitrary: records.map((query): Call => ({ kind: "records", query })) },
      { weight: 4, arbitrary: changes.map((query): Call => ({ kind: "changes", query })) },
      { weight: 2, arbitrary: record.map((query): Call => ({ kind: "record", query })) },
      { weight: 2, arbitrary: window.map((query): Call => ({ kind: "window", query })) },
      { weight: 5, arbitrary: aggregate.map((query): Call => ({ kind: "aggregate", query })) },
      {
        weight: 2,
        arbitrary: records.map(
          ({ limit: _limit, count: _count, expand: _expand, ...query }): Call => ({ kind: "exportInfo", query }),
        ),
      },
      { weight: 1, arbitrary: place.map((query): Call => ({ kind: "schema", query })) },
      {
        weight: 2,
        arbitrary: fc
          .record({ limit: fc.constantFrom(1, 25), q: sometimes(fc.constantFrom("alpha", "zoe@x.de", "no"), 2) })
          .map((query): Call => ({ kind: "people", query: merged([query]) })),
      },
      {
        weight: 3,
        arbitrary: fc
          .record({
            limit: fc.constantFrom(1, 25),
            since: sometimes(fc.constantFrom("2024-01-15", "2024-02-01"), 2),
            with: sometimes(fc.constantFrom("alpha", "zoe@x.de", "no"), 3),
            order: sometimes(fc.constantFrom("asc", "desc"), 2),
          })
          .map((query): Call => ({ kind: "timeline", query: merged([query]) })),
      },
      {
        weight: 1,
        arbitrary: fc
          .record({
            granularity: fc.constantFrom("day", "month", "year"),
            with: sometimes(fc.constantFrom("alpha", "zoe@x.de", "no"), 2),
          })
          .map((query): Call => ({ kind: "timelineCounts", query: merged([query]) })),
      },
      { weight: 1, arbitrary: fc.constant<Call>({ kind: "streams", query: {} }) },
      { weight: 1, arbitrary: fc.constant<Call>({ kind: "connections", query: {} }) },
    );
  });
}

function merged(parts: readonly object[]): Record<string, unknown> {
  const all = Object.assign({}, ...parts) as Record<string, unknown>;
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
