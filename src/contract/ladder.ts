// The evidence ladder: five rungs, each with the same name on every surface and in all documentation (L-08).

export interface Rung {
  name: string;
  says: string;
  /** The call on each surface; words in capitals are placeholders. */
  mcp: string;
  rest: string;
  cli: string;
}

export const LADDER: readonly Rung[] = [
  {
    name: "discover",
    says: "what can be read, and how it can be queried",
    mcp: 'schema({}), then schema({"stream":"STREAM","connection_id":"CONNECTION"})',
    rest: "GET /v1/schema, then GET /v1/schema?stream=STREAM&connection_id=CONNECTION",
    cli: "pdpp schema, then pdpp schema STREAM",
  },
  {
    name: "preview",
    says: "records found or listed, with long text shortened and marked",
    mcp: 'search({"query":"WORDS"}), query_records({"stream":"STREAM"}), aggregate({"stream":"STREAM","metric":"count"})',
    rest: "GET /v1/search?q=WORDS, GET /v1/streams/STREAM/records, GET /v1/streams/STREAM/aggregate?metric=count",
    cli: "pdpp search WORDS, pdpp query STREAM, pdpp aggregate STREAM count",
  },
  {
    name: "window",
    says: "a piece of a long field, with its range, the total length and the next call",
    mcp: 'fetch({"id":"pdpp://field-window/…"})',
    rest: "GET /v1/streams/STREAM/records/ID/field-window?field=FIELD",
    cli: "pdpp read CONNECTION/STREAM:ID --field FIELD",
  },
  {
    name: "fetch",
    says: "one whole record, with its long fields as windows",
    mcp: 'fetch({"id":"CONNECTION/STREAM:ID"})',
    rest: "GET /v1/streams/STREAM/records/ID",
    cli: "pdpp fetch CONNECTION/STREAM:ID",
  },
  {
    name: "export",
    says: "a whole result as a file, never inline",
    mcp: 'fetch({"id":"pdpp://export/…"}) for count, size, formats and address',
    rest: "GET /v1/export?stream=STREAM&format=jsonl",
    cli: "pdpp export STREAM --output FILE",
  },
];

/** Advice for when a step shows too little. Every surface uses this sentence. */
export const NOT_ENOUGH = "When a preview is not enough, take the next step with the id it gives.";
