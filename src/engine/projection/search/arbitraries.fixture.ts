// Random homes, scopes and queries for property tests, with few words, so that they often match.
import fc from "fast-check";
import type { JsonObject } from "../../../contract/record.ts";
import type { SearchScopeRow, SearchShape } from "./types.ts";

const VOCABULARY = [
  "tax",
  "taxes",
  "taxi",
  "report",
  "reports",
  "müller",
  "Ümit",
  "東京",
  "大学",
  "parseTax2",
  "a",
  "b-c",
  "x@tax.de",
  "2024",
  "🎉",
];

export const SHAPES: Record<number, SearchShape> = {
  1: {
    fields: [
      { name: "subject", weight: 3 },
      { name: "body", weight: 1 },
      { name: "secret", weight: 2 },
    ],
    timeField: "sent_at",
  },
  2: { fields: [{ name: "text", weight: 1 }], timeField: "at", consentTimeField: "seen_at" },
  3: {
    fields: [
      { name: "subject", weight: 2 },
      { name: "tags", weight: 1 },
    ],
  },
};

const word = fc.constantFrom(...VOCABULARY);
const text = fc.oneof(
  fc.array(word, { maxLength: 8 }).map((words) => words.join(" ")),
  fc.array(word, { maxLength: 3 }).map((words) => words.join("-")),
);
const date = fc.integer({ min: 0, max: 40 }).map((day) => new Date(Date.UTC(2024, 0, 1 + day)).toISOString());

const record = (streamNo: number): fc.Arbitrary<JsonObject> => {
  if (streamNo === 1)
    return fc.record(
      { subject: text, body: text, secret: text, sent_at: date },
      { requiredKeys: [] },
    ) as fc.Arbitrary<JsonObject>;
  if (streamNo === 2)
    return fc.record({ text, at: date, seen_at: date }, { requiredKeys: ["text"] }) as fc.Arbitrary<JsonObject>;
  return fc.record(
    { subject: text, tags: fc.array(text, { maxLength: 3 }) },
    { requiredKeys: [] },
  ) as fc.Arbitrary<JsonObject>;
};

export type IndexChange =
  | { kind: "put"; streamNo: number; id: string; data: JsonObject | null }
  | { kind: "flush" | "tidy" | "reload" | "catchUp" | "at" };

const id = fc.integer({ min: 0, max: 7 }).map((number) => `r${number}`);
export const put: fc.Arbitrary<IndexChange> = fc.constantFrom(1, 2, 3).chain((streamNo) =>
  fc.record({
    kind: fc.constant("put" as const),
    streamNo: fc.constant(streamNo),
    id,
    data: fc.oneof({ weight: 5, arbitrary: record(streamNo) }, { weight: 1, arbitrary: fc.constant(null) }),
  }),
);

/** One step of a history: mostly writes. */
export const change: fc.Arbitrary<IndexChange> = fc.oneof(
  { weight: 4, arbitrary: put },
  {
    weight: 1,
    arbitrary: fc.constantFrom<IndexChange>(
      { kind: "flush" },
      { kind: "tidy" },
      { kind: "reload" },
      { kind: "catchUp" },
      { kind: "at" },
    ),
  },
);

const day = fc.integer({ min: 0, max: 40 }).map((number) => Date.UTC(2024, 0, 1 + number));
const granted = (names: string[]) =>
  fc.option(
    fc.subarray(names).map((list) => new Set(list)),
    { nil: null },
  );
const FIELDS: Record<number, string[]> = {
  1: ["subject", "body", "secret", "sent_at"],
  2: ["text", "at", "seen_at"],
  3: ["subject", "tags"],
};

const scopeRow = fc.constantFrom(1, 2, 3).chain((streamNo) =>
  fc
    .record({
      fields: granted(FIELDS[streamNo]!),
      time: fc.option(fc.record({ since: day, until: day }, { requiredKeys: [] }), { nil: undefined, freq: 3 }),
      ids: fc.option(
        fc.array(id).map((ids) => new Set(ids)),
        { nil: undefined, freq: 6 },
      ),
    })
    .map(
      ({ fields, time, ids }): SearchScopeRow => ({
        streamNo,
        key: `k${4 - streamNo}`,
        fields,
        ...(time ? { time } : {}),
        ...(ids ? { ids } : {}),
      }),
    ),
);
export const scope = fc.array(scopeRow, { maxLength: 5 });

const term = fc.oneof(
  word,
  fc.constantFrom(
    "tax*",
    "re*",
    "subject:tax",
    "secret:report",
    '"tax report"',
    '"x tax"*',
    "subject:re*",
    "after:2024-01-10",
    "before:2024-01-20",
    "repotr",
    "大*",
  ),
);
const piece = fc.tuple(fc.boolean(), fc.boolean(), term).map(([one, two, text]) => (one && two ? `-${text}` : text));
export const queryText = fc.oneof(
  fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(" ")),
  fc.array(word, { minLength: 2, maxLength: 3 }).map((words) => `"${words.join(" ")}"`),
);
