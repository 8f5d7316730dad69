// Argument definitions that several tools share.

/** The one description that may repeat (F-02). */
export const CONNECTION = { type: "string", description: "one connection, from schema" };

/** Of the tools that read all connections of a stream together (K-05). */
export const CONNECTION_OR_ALL = { type: "string", description: 'one, from schema, or "all"' };

/** Told in words: the schema of a condition would cost more than all that is said of the tool. */
export const FILTER = { type: "object", minProperties: 1 };

export const NAMES = { type: "array", items: { type: "string" }, minItems: 1 };

export const FIELDS = { ...NAMES, description: "these, and always the primary key" };

export const EXPAND_LIMIT = { type: "object", additionalProperties: { type: "integer", minimum: 1 } };
