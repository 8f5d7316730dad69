// P-01: a line's key matches its data, its numbers are unchanged, and an importer's record is treated like a line.
import { describe, expect, it } from "vitest";
import type { StreamDeclaration } from "../../contract/declaration.ts";
import { JSON_DEPTH_MAX } from "../../contract/limits.ts";
import { fieldsOf } from "../../core/fields.ts";
import type { StreamShape } from "../../core/scope.ts";
import { parseFound, parseLine } from "./parse-line.ts";

const declaration: StreamDeclaration = {
  name: "things",
  semantics: "mutable_state",
  primary_key: ["id"],
  schema: { type: "object", properties: { id: { type: ["string", "integer", "null"] } } },
};
const stream: StreamShape = {
  streamNo: 1,
  name: "things",
  connectionId: "cin_1",
  connectorKey: "things",
  displayName: "Things",
  source: { kind: "connector", id: "https://test.example/things" },
  sourceName: "Things",
  declaration,
  fields: fieldsOf(declaration),
  lists: new Map(),
  blobFields: new Set(),
};
const NOW = Date.parse("2026-05-01T12:00:00Z");
const parse = (key: unknown, data: unknown) =>
  parseLine(JSON.stringify({ key, data, emitted_at: "2024-01-01T00:00:00Z" }), stream, NOW);

it("P-01 a string or a number in the data can be the key", () => {
  expect(parse("a", { id: "a" }).id).toBe("a");
  expect(parse("12", { id: 12 }).id).toBe("12");
  expect(parse(["a"], { id: "a" }).id).toBe("a");
});

it.each([
  ["undefined", {}],
  ["null", { id: null }],
  ["1", { id: "01" }],
  ["12.0", { id: 12 }],
])("P-01 the key %j does not match %j", (key, data) => {
  expect(() => parse(key, data)).toThrow(expect.objectContaining({ code: "invalid_record" }));
});

const line = (data: string, provenance = "{}") =>
  `{"key":"a","data":{"id":"a","value":${data}},"emitted_at":"2024-01-01T00:00:00Z","provenance":${provenance}}`;

const foundWith = (data: string) => ({
  key: "a",
  text: `{"id":"a","value":${data}}`,
  origin: "{}",
});

it.each([
  ["9007199254740993", "more digits"],
  ["-9007199254740993", "more digits"],
  ["[12345678901234567890]", "more digits"],
  ["1e400", "too large"],
  ["-12.5E+309", "too large"],
  [`1${"0".repeat(400)}`, "too large"],
])("P-01 %s is refused, because a double would alter it", (data, why) => {
  expect(() => parseLine(line(data), stream, NOW)).toThrow(why);
  expect(() => parseFound(foundWith(data), stream, NOW)).toThrow(why);
});

it.each([
  "9007199254740992",
  "-9007199254740994",
  "10000000000000000000000",
  "1e22",
  "1e300",
  "1.5e-400",
  "0.1234567890123456789",
  '"9007199254740993"',
  '"1e400 and 12345678901234567890"',
])("P-01 %s is accepted, because a double represents it exactly, or because it is not an integer", (data) => {
  const digest = `{"digest":"sha256:9e123${"1234567890".repeat(5)}e999"}`;
  expect(JSON.parse(parseLine(line(data, digest), stream, NOW).data!).value).toEqual(JSON.parse(data));
  expect(JSON.parse(parseFound(foundWith(data), stream, NOW).data!).value).toEqual(JSON.parse(data));
});

it("P-01 JSON that is nested too deeply is refused from every caller", () => {
  const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
  expect(parseLine(line(nested(JSON_DEPTH_MAX - 2)), stream, NOW).id).toBe("a");
  expect(parseFound(foundWith(nested(JSON_DEPTH_MAX - 2)), stream, NOW).id).toBe("a");
  for (const refused of [nested(JSON_DEPTH_MAX - 1), nested(5000)]) {
    expect(() => parseLine(line(refused), stream, NOW)).toThrow("nested more than");
    expect(() => parseFound(foundWith(refused), stream, NOW)).toThrow("nested more than");
  }
});

it("P-01 an importer's record is stored unchanged, with its origin", () => {
  const found = { key: "a", text: '{"id":"a","n":1e+21}', origin: '{"file":"x"}' };
  const { key, text, origin } = found;
  const sent = `{"key":"${key}","data":${text},"emitted_at":"${new Date(NOW).toISOString()}","provenance":${origin}}`;
  expect(parseFound(found, stream, NOW)).toEqual(parseLine(sent, stream, NOW));
  expect(parseFound(found, stream, NOW)).toMatchObject({ id: "a", data: text, origin, emittedAt: NOW });
  for (const wrong of [{ key: "b" }, { text: "[]" }, { origin: "x".repeat(5000) }]) {
    expect(() => parseFound({ ...found, ...wrong }, stream, NOW)).toThrow(
      expect.objectContaining({ code: "invalid_record" }),
    );
  }
});

describe("G-02 emitted_at", () => {
  const emitted = (emitted_at: string, data: object) =>
    parseLine(JSON.stringify({ key: "a", data: { id: "a", ...data }, emitted_at }), stream, NOW).emittedAt;

  it("G-02 is the time given by the producer", () => {
    const said = "2026-04-30T08:00:00.250Z";
    expect(emitted(said, { at: "2026-04-30T07:59:00Z", n: 4711, text: "2026-04-30T08:00 we met" })).toBe(
      Date.parse(said),
    );
  });

  it.each([
    ["the same text", "2024-03-01T09:00:00Z", "2024-03-01T09:00:00Z"],
    ["another offset", "2024-03-01T09:00:00Z", "2024-03-01T11:00:00+02:00"],
    ["an offset without a colon", "2024-03-01T09:00:00Z", "2024-03-01 11:00:00 +0200"],
    ["no offset", "2024-03-01T09:00:00Z", "2024-03-01 09:00"],
    ["a fraction dropped", "2024-03-01T09:00:00Z", "2024-03-01T09:00:00.999Z"],
    ["a day", "2024-03-01T00:00:00Z", "2024-03-01"],
    ["seconds since 1970", "2024-03-01T09:00:00Z", 1_709_283_600],
    ["milliseconds since 1970", "2024-03-01T09:00:00.123Z", 1_709_283_600_123],
    ["inside a list", "2024-03-01T09:00:00Z", [{ deep: ["2024-03-01T09:00:00Z"] }]],
  ])("G-02 is the arrival time if it would repeat a field: %s", (_name, said, value) => {
    expect(emitted(said, { value })).toBe(NOW);
  });

  it("G-02 is never 1970-01-01", () => {
    expect(emitted("1970-01-01T00:00:00Z", {})).toBe(NOW);
    expect(emitted("1970-01-01T01:00:00+01:00", {})).toBe(NOW);
  });
});
