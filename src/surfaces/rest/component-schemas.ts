// The schemas of the OpenAPI document. Each appears once, and they refer to one another by name.
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { COMPONENTS, type ComponentName } from "../../contract/components.ts";

export const referTo = (name: ComponentName) => ({ $ref: `#/components/schemas/${name}` });

export function componentSchemas(): Record<string, object> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(COMPONENTS)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    uri: (id) => `#/components/schemas/${id}`,
    unrepresentable: "any",
    override({ jsonSchema }) {
      // These constraints hold for every integer and every name in JSON, so they tell a reader nothing.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (isDeepStrictEqual(jsonSchema.propertyNames, { type: "string" })) delete jsonSchema.propertyNames;
    },
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _dialect, $id: _id, ...schema }]) => [name, schema]),
  );
}
