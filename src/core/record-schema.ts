// JSON Schema validators for record data.
import { createRequire } from "node:module";
import type { Ajv2020, ValidateFunction } from "ajv/dist/2020.js";
import type { JsonSchema } from "../contract/declaration.ts";
import { parseDay, parseInstant } from "./instant.ts";

const require = createRequire(import.meta.url);

function newAjv(ownProperties = false): Ajv2020 {
  // Loaded on first use, so that threads and commands that only read save 50 ms.
  const { Ajv2020 } = require("ajv/dist/2020.js") as typeof import("ajv/dist/2020.js");
  const ajv = new Ajv2020({
    strict: false,
    logger: false,
    addUsedSchema: false,
    ownProperties,
    formats: {
      "date-time": (text: string) => parseInstant(text) !== undefined,
      date: (text: string) => parseDay(text) !== undefined,
    },
  });
  // A regular expression in a declaration could hang the writer, so patterns serve only as documentation.
  ajv.removeKeyword("pattern");
  ajv.removeKeyword("patternProperties");
  return ajv;
}

/**
 * Validators by the text of their schema, the least recently used first. Declarations are parsed again whenever grants
 * or sources change, so the object of a schema does not identify it.
 */
const compiled = new Map<string, ValidateFunction>();
/** Each validator takes 15 kB. */
const COMPILED_MAX = 500;

/**
 * A new instance first compiles the meta-schema, which takes 18 ms. A stream's schema takes 0.5 ms in an instance that
 * has already compiled the meta-schema. An instance never releases a validator, so it is replaced after COMPILED_MAX.
 */
let shared: { ajv: Ajv2020; validators: number } | undefined;

/** Schemas with their own id could clash with others of the same id. */
const HAS_OWN_ID = /"\$(id|anchor|dynamicAnchor|recursiveAnchor)"/;

/**
 * If a field has the name of a property that every object inherits, the validator must consider only the record's own
 * value. That check slows down every field, so it is used only for schemas with such a field.
 */
const INHERITED = new RegExp(`"(?:${Object.getOwnPropertyNames(Object.prototype).join("|")})":`);

/** Compiles a validator for record data; the validator's `errors` say what is wrong. */
export function compileSchema(schema: JsonSchema): ValidateFunction {
  const text = JSON.stringify(schema);
  const validate = compiled.get(text) ?? compile(schema, text);
  compiled.delete(text);
  compiled.set(text, validate);
  if (compiled.size > COMPILED_MAX) compiled.delete(compiled.keys().next().value!);
  return validate;
}

function compile(schema: JsonSchema, text: string): ValidateFunction {
  const whole = { $schema: "https://json-schema.org/draft/2020-12/schema", ...schema };
  if (INHERITED.test(text)) return newAjv(true).compile(whole);
  if (HAS_OWN_ID.test(text)) return newAjv().compile(whole);
  if (shared === undefined || shared.validators === COMPILED_MAX) shared = { ajv: newAjv(), validators: 0 };
  shared.validators++;
  const { ajv } = shared;
  try {
    return ajv.compile(whole);
  } finally {
    ajv.removeSchema(whole);
  }
}
