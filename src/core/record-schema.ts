// JSON Schema validators for record data.
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { JsonSchema } from "../contract/declaration.ts";
import { parseDay, parseInstant } from "./instant.ts";

/** A record's data is checked against this; `errors` of the function say what is wrong. */
export function compileSchema(schema: JsonSchema): ValidateFunction {
  const ajv = new Ajv2020({
    strict: false,
    logger: false,
    addUsedSchema: false,
    formats: {
      "date-time": (text: string) => parseInstant(text) !== undefined,
      date: (text: string) => parseDay(text) !== undefined,
    },
  });
  // A regular expression out of a declaration could hang the writer; patterns are documentation here.
  ajv.removeKeyword("pattern");
  ajv.removeKeyword("patternProperties");
  return ajv.compile({ $schema: "https://json-schema.org/draft/2020-12/schema", ...schema });
}
