// Validators are compiled once per schema, and do not accumulate.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { compileSchema } from "./record-schema.ts";

const schemaOf = (name: string) => ({ type: "object", properties: { [name]: { type: "string" } } }) as const;

it("O-09 a schema that was parsed again is not compiled again", () => {
  const first = compileSchema(schemaOf("title"));
  expect(compileSchema(schemaOf("title"))).toBe(first);
  expect(first({ title: 1 })).toBe(false);
  expect(first({ title: "ferry" })).toBe(true);
});

it("O-09 validators of schemas that are no longer used are released", async () => {
  const first = new WeakRef(compileSchema(schemaOf("first")));
  for (let number = 0; number < 1200; number++) compileSchema(schemaOf(`field${number}`));
  setFlagsFromString("--expose-gc");
  // A WeakRef keeps its target until the current turn of the event loop ends.
  await new Promise(setImmediate);
  (runInNewContext("gc") as () => void)();
  expect(first.deref()).toBeUndefined();
});
