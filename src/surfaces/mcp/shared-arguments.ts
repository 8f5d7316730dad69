// Argument definitions that several tools share.

/** The only description that may repeat (F-02). */
export const CONNECTION = { type: "string", description: "one connection, from schema" };

/** For tools that read all connections of a stream together (K-05). */
export const CONNECTION_OR_ALL = { type: "string", description: 'one, from schema, or "all"' };

/** Conditions are described in words, because their schema would be longer than the rest of the tool's description. */
export const FILTER = { type: "object", minProperties: 1 };

export const NAMES = { type: "array", items: { type: "string" }, minItems: 1 };

export const FIELDS = { ...NAMES, description: "these, and always the primary key" };

export const EXPAND_LIMIT = { type: "object", additionalProperties: { type: "integer", minimum: 1 } };
