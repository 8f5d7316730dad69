// Argument definitions that several tools share.

/** The one description that may repeat (F-02). */
export const CONNECTION = { type: "string", description: "one connection, from schema" };

/** One type each: some hosts know no lists of types, and warn their users of them. */
const BOUND = { anyOf: [{ type: "string" }, { type: "number" }] };

export const FILTER = {
  type: "object",
  minProperties: 1,
  additionalProperties: {
    anyOf: [
      { type: "string" },
      { type: "number" },
      { type: "boolean" },
      {
        type: "object",
        properties: { gte: BOUND, gt: BOUND, lte: BOUND, lt: BOUND },
        minProperties: 1,
        additionalProperties: false,
      },
    ],
  },
};

export const NAMES = { type: "array", items: { type: "string" }, minItems: 1 };

export const FIELDS = { ...NAMES, description: "these, and always the primary key" };

export const EXPAND_LIMIT = { type: "object", additionalProperties: { type: "integer", minimum: 1 } };
