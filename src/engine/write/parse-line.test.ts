// P-01: a line's key is what its data says, and not what JavaScript would make of what is missing.
import { expect, it } from "vitest";
import type { StreamDeclaration } from "../../contract/declaration.ts";
import { fieldsOf } from "../../core/fields.ts";
import type { StreamShape } from "../../core/scope.ts";
import { parseLine } from "./parse-line.ts";

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
  blobFields: new Set(),
};
const parse = (key: unknown, data: unknown) =>
  parseLine(JSON.stringify({ key, data, emitted_at: "2024-01-01T00:00:00Z" }), stream);

it("P-01 a text or a number in the data may be the key", () => {
  expect(parse("a", { id: "a" }).id).toBe("a");
  expect(parse("12", { id: 12 }).id).toBe("12");
  expect(parse(["a"], { id: "a" }).id).toBe("a");
});

it.each([
  ["undefined", {}],
  ["null", { id: null }],
  ["1", { id: "01" }],
  ["12.0", { id: 12 }],
])("P-01 the key %j does not stand for %j", (key, data) => {
  expect(() => parse(key, data)).toThrow(expect.objectContaining({ code: "invalid_record" }));
});
