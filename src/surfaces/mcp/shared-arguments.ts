// Argument definitions that several tools share.

/** The one description that may repeat (F-02). */
export const CONNECTION = { type: "string", description: "one connection, from schema" };

export const FILTER = {
  type: "object",
  minProperties: 1,
  additionalProperties: {
    anyOf: [
      { type: ["string", "number", "boolean"] },
      {
        type: "object",
        properties: { gte: {}, gt: {}, lte: {}, lt: {} },
        minProperties: 1,
        additionalProperties: false,
      },
    ],
  },
};

export const NAMES = { type: "array", items: { type: "string" }, minItems: 1 };

export const EXPAND_LIMIT = { type: "object", additionalProperties: { type: "integer", minimum: 1 } };
