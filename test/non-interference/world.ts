// Random worlds: declarations, change histories, grants, and the world in which the hidden data does not exist.
import { createHash } from "node:crypto";
import fc from "fast-check";
import type { SourceDeclaration } from "../../src/contract/declaration.ts";
import type { JsonObject, Provenance } from "../../src/contract/record.ts";
import { parseInstant } from "../../src/core/instant.ts";

export const FIELDS = [
  "title",
  "amount",
  "flag",
  "kind",
  "at",
  "parent_id",
  "notes",
  "extra",
  "tags",
  "people",
  "lead",
  "shelf",
] as const;

/** Two streams that refer to each other, with every column kind, a nested field and free text. */
export const declaration: SourceDeclaration = {
  protocol_version: "0.1.0",
  source: { kind: "connector", id: "https://test.example/world" },
  declaration_version: "1",
  publisher: { id: "test" },
  display: { name: "World" },
  streams: ["items", "parents"].map((name) => ({
    name,
    semantics: "mutable_state",
    primary_key: ["id"],
    cursor_field: "at",
    consent_time_field: "at",
    selection: { fields: true, resources: true },
    schema: {
      type: "object",
      "x-kind": "transaction",
      required: ["id"],
      properties: {
        id: { type: "string" },
        title: { type: ["string", "null"], "x-role": "title" },
        amount: { type: ["number", "null"], "x-role": "amount" },
        flag: { type: ["boolean", "null"] },
        kind: { type: ["string", "null"], title: "Colour", "x-role": "currency" },
        at: { type: ["string", "null"], format: "date-time", "x-role": "time" },
        parent_id: { type: ["string", "null"] },
        notes: { type: ["string", "null"] },
        extra: { type: ["object", "null"] },
        tags: { type: ["array", "null"], items: { type: "string" } },
        people: {
          type: ["array", "null"],
          items: {
            type: "object",
            properties: { name: { type: "string" }, address: { type: "string", "x-role": "address" } },
          },
          "x-role": "counterparty",
        },
        lead: {
          type: ["object", "null"],
          properties: { name: { type: "string" } },
          "x-role": "counterparty",
        },
        shelf: { type: ["string", "null"], "x-role": "category" },
      },
    },
    views: [{ id: "short", fields: ["title", "amount", "at"] }],
    relationships: [
      { name: "parent", stream: "parents", foreign_key: "parent_id", cardinality: "has_one" },
      { name: "children", stream: "items", foreign_key: "parent_id", cardinality: "has_many" },
    ],
    query: {
      range_filters: { amount: ["gte", "gt", "lte", "lt"], at: ["gte", "lt"], kind: ["gte", "lt"] },
      expand: [{ name: "parent" }, { name: "children", default_limit: 2 }],
      search: { lexical_fields: ["title", "notes", "people.name", "lead.name"] },
      aggregations: {
        group_by: ["kind", "flag", "title", "parent_id", "tags", "people.name", "lead.name", "shelf"],
        group_by_time: ["at"],
        sum: ["amount"],
        min: ["amount", "at", "kind"],
        max: ["amount", "at", "kind"],
        count_distinct: ["kind", "title", "amount", "people.name"],
      },
    },
  })),
};

export interface Step {
  connection: number;
  stream: string;
  id: string;
  /** null deletes the record. */
  data: JsonObject | null;
  /** The time at which the record is ingested. */
  tick: number;
  /** The emission time that the source claims, which is not always true. */
  emittedAt: number;
  provenance: Provenance;
}

/** The start of the worlds' clock, later than every time in their data. */
export const CLOCK = Date.UTC(2026, 0, 1);
/** An honest source emits a record this long before it is ingested. */
const ON_ITS_WAY = 40_000;

export interface World {
  connections: number;
  before: Step[];
  after: Step[];
}

export interface WorldGrant {
  selections: {
    connection: number;
    stream: string;
    fields: string[];
    since?: string;
    until?: string;
    record_filter?: { field: string; values: string[] } | undefined;
    resources?: string[];
  }[];
}

export const IDS = ["a", "b", "c", "d", "e", "ü/1", "𝒳", "ﬀ"];
const TITLES = ["alpha", "beta", "β", "𝒳y", "ﬀy", ""];
export const WORDS = ["short", "longer", "note", "noted", "words", "alpha", "straße", "𝒳𝒳", "2024", "a@b.de"];
const KINDS = ["red", "green", "blue"];
const SHELVES = ["north", "south", "attic", "\ud800"];
export const TIMES = [
  "2024-01-01T00:00:00Z",
  "2024-01-15T12:00:00+02:00",
  "2024-02-01T00:00:00Z",
  "2024-02-20T23:30:00-05:00",
  "2024-03-31T01:30:00Z",
];

const nullable = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { freq: 5, nil: null });

const person = fc.record(
  { name: fc.constantFrom(...WORDS), address: fc.constantFrom("ada@x.de", "Ada@x.de", "zoe@x.de") },
  { requiredKeys: ["name"] },
);

const data = fc.record({
  title: nullable(fc.constantFrom(...TITLES)),
  amount: nullable(fc.constantFrom(0, 1, 2.5, -3, 0.1, 0.2, 1e9)),
  flag: nullable(fc.boolean()),
  kind: nullable(fc.constantFrom(...KINDS)),
  at: nullable(fc.constantFrom(...TIMES)),
  parent_id: nullable(fc.constantFrom(...IDS)),
  notes: nullable(fc.array(fc.constantFrom(...WORDS), { maxLength: 12 }).map((words) => words.join(" "))),
  tags: nullable(fc.array(fc.constantFrom(...KINDS), { maxLength: 3 })),
  people: nullable(fc.array(person, { maxLength: 3 })),
  lead: nullable(fc.record({ name: fc.constantFrom(...WORDS) })),
  shelf: nullable(fc.constantFrom(...SHELVES)),
  extra: nullable(fc.constantFrom({ deep: { list: [1, "two", { three: 3 }] } }, {})),
  // The declaration does not contain these fields, so no grant shows them. One is named like a field inside a list.
  stray: nullable(fc.constantFrom(...WORDS)),
  "people.name": nullable(fc.constantFrom(...WORDS)),
});

const step = fc.record({
  connection: fc.constantFrom(0, 0, 1),
  stream: fc.constantFrom("items", "items", "items", "parents"),
  id: fc.constantFrom(...IDS),
  data: fc.option(data, { freq: 6, nil: null }),
  /** How the source dates the record: by the clock, by repeating the field `at`, or not at all, which means 1970. */
  dated: fc.constantFrom("clock", "clock", "field", "field", "never"),
  /**
   * Seconds between the start of the write and this record. All records of a write get its start time, even if later
   * writes have happened since.
   */
  late: fc.constantFrom(0, 0, 0, 12),
  /** Fields that keep their values, because a hidden change usually affects only a few fields. */
  keeps: fc.oneof(fc.constant<string[]>([]), fc.subarray<string>([...FIELDS], { minLength: 5 })),
});

function emission(dated: string, data: JsonObject | null, tick: number): number {
  if (dated === "never") return 0;
  const at = dated === "field" ? data?.at : undefined;
  return typeof at === "string" ? parseInstant(at)! : tick - ON_ITS_WAY;
}

/** Returns provenance as importers write it: names, offsets and a digest of the whole record. */
function madeFrom(data: JsonObject | null, index: number): Provenance {
  const text = JSON.stringify(data);
  const digest = createHash("sha256").update(text).digest("hex");
  return { run_id: `run ${index}`, file: `${digest}.zip`, entry: `${index}.mbox`, offset: index * text.length, digest };
}

/** The two halves of a world's history. */
const history = fc
  .tuple(...[1000, 5000].map(() => fc.array(step, { minLength: 12, maxLength: 40, size: "max" })))
  .map((halves) => {
    const last = new Map<string, JsonObject | null>();
    return halves.map((half, part) =>
      half.map(({ keeps, dated, late, ...raw }, index): Step => {
        const key = `${raw.connection}/${raw.stream}/${raw.id}`;
        const before = last.get(key);
        const kept = before ? Object.fromEntries(keeps.map((name) => [name, before[name] ?? null])) : {};
        const after = raw.data && ({ id: raw.id, ...raw.data, ...kept } as JsonObject);
        last.set(key, after);
        const tick = CLOCK + 1000 * (1000 + part * 4000 + Math.max(0, index - late));
        return {
          ...raw,
          data: after,
          tick,
          emittedAt: emission(dated, after, tick),
          provenance: madeFrom(after, index),
        };
      }),
    );
  });

export const world: fc.Arbitrary<World> = history.map(([before, after]) => ({
  connections: 2,
  before: before!,
  after: after!,
}));

const shelves = fc.record({
  field: fc.constant("shelf"),
  values: fc.subarray([...SHELVES, "cellar"], { minLength: 2 }),
});

export const worldGrant: fc.Arbitrary<WorldGrant> = fc
  .uniqueArray(
    fc.record(
      {
        connection: fc.constantFrom(0, 0, 1),
        stream: fc.constantFrom("items", "items", "parents"),
        fields: fc
          .oneof(fc.subarray([...FIELDS]), fc.subarray([...FIELDS], { minLength: 5 }))
          .map((fields) => ["id", ...fields]),
        since: fc.constantFrom(...TIMES.slice(0, 3)),
        until: fc.constantFrom(...TIMES.slice(3)),
        // Only some selections have a filter, because together with the other limits it leaves few records.
        record_filter: fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: shelves }),
        resources: fc.subarray(IDS, { minLength: 3 }),
      },
      { requiredKeys: ["connection", "stream", "fields"] },
    ),
    { minLength: 1, maxLength: 4, selector: (selection) => `${selection.connection}/${selection.stream}` },
  )
  .map((selections) => ({ selections }));

/** Returns the history of the world in which only the visible data exists. */
export function visibleSteps(steps: readonly Step[], grant: WorldGrant): Step[] {
  const shown: Step[] = [];
  for (const one of steps) {
    const selection = grant.selections.find((row) => row.connection === one.connection && row.stream === one.stream);
    if (selection === undefined) continue;
    if (selection.resources && !selection.resources.includes(one.id)) continue;
    const inside =
      one.data !== null && insideTime(selection, one.data.at as string | null) && insideFilter(selection, one.data);
    const fields = new Set(selection.fields);
    const data = inside ? Object.fromEntries(Object.entries(one.data!).filter(([name]) => fields.has(name))) : null;
    // Without the hidden data, the source would have different files. Half of the records claim the same emission time
    // in both worlds, even if it equals a hidden field in one of them. The others claim another time, as if it were
    // derived from a hidden field.
    const emittedAt = shown.length % 2 === 0 ? one.emittedAt : one.emittedAt + 86_400_000 + shown.length;
    shown.push({
      ...one,
      data,
      emittedAt,
      provenance: { run_id: "another", file: "visible.json", offset: shown.length },
    });
  }
  return shown;
}

function insideFilter({ record_filter }: WorldGrant["selections"][number], data: JsonObject): boolean {
  const shelf = data.shelf;
  return record_filter === undefined || (typeof shelf === "string" && record_filter.values.includes(shelf));
}

function insideTime(selection: WorldGrant["selections"][number], at: string | null): boolean {
  if (selection.since === undefined && selection.until === undefined) return true;
  if (at === null) return false;
  const time = parseInstant(at)!;
  if (selection.since !== undefined && time < parseInstant(selection.since)!) return false;
  return selection.until === undefined || time < parseInstant(selection.until)!;
}

/** In the visible world the grant needs no time range, filter or record list, because everything is within them. */
export function openGrant(grant: WorldGrant): WorldGrant {
  return { selections: grant.selections.map(({ connection, stream, fields }) => ({ connection, stream, fields })) };
}
