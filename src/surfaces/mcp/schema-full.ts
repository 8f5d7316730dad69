// schema(stream, detail full): the summary of one stream and its raw JSON Schema, in pages. Either half is complete on
// its own (C-10).
import type { JsonObject } from "../../contract/record.ts";
import type { SchemaDocument, StreamMetadata } from "../../contract/schema-document.ts";
import { BUDGET, bytesOf, resultBytes } from "./budgets.ts";
import { plainData } from "./plain.ts";
import { pageOf, type SchemaPage } from "./schema-cursor.ts";
import { HOW, type SchemaStream, summariesOf, summaryText } from "./schema-stream.ts";
import type { ToolResult } from "./tool.ts";

/** The content of a page: first the summary, in parts if it is long, then the schema of each field. */
type Item = { summary: SchemaStream } | { keywords: JsonObject } | { field: string; schema: unknown };

interface FullSchemaRequest {
  stream: string;
  connection_id?: string;
  cursor?: string;
}

/** A field schema larger than this would fill a page, so it is available only over REST. */
const ONE_FIELD_MAX = 5_000;

export function fullSchema(document: SchemaDocument, asked: FullSchemaRequest): ToolResult {
  const [{ connector_key, streams }] = document.connectors as [SchemaDocument["connectors"][number]];
  const row = streams[0] as StreamMetadata;
  const { connection_id } = row.granted_connections[0]!;
  const route = `GET /v1/schema?stream=${encodeURIComponent(asked.stream)}&connection_id=${encodeURIComponent(connection_id)}&detail=full`;
  const items = plainData(itemsOf(document, row, route));
  const fields = items.filter((item) => "field" in item).length;
  const render = (shown: Item[], { next }: SchemaPage<Item>): ToolResult => {
    const summaries = shown.flatMap((item) => ("summary" in item ? [item.summary] : []));
    const schema = schemaOf(shown, row);
    const count = Object.keys((schema?.properties ?? {}) as object).length;
    return {
      text: [
        `${asked.stream} in full, connection_id ${connection_id}: JSON Schema of ${count} of ${fields} fields.`,
        ...(next === undefined ? [] : [`next_cursor: ${next} (the other fields: schema with this cursor)`]),
        ...(summaries.length === 0 ? [] : [HOW, ...summaries.map(summaryText)]),
        ...(schema === undefined ? [] : [`JSON Schema: ${JSON.stringify(schema)}`]),
      ].join("\n\n"),
      structured: {
        data: {
          object: "schema",
          detail: "full",
          ...(next === undefined ? {} : { next_cursor: next }),
          connectors: [{ connector_key, streams: rowsOf(asked.stream, connection_id, summaries, schema) }],
          stream_count: 1,
          field_count: fields,
        },
      },
    };
  };
  return pageOf(items, { tool: "full", ...asked }, render, (result) => resultBytes(result) <= BUDGET.page);
}

function itemsOf(document: SchemaDocument, row: StreamMetadata, route: string): Item[] {
  const { properties = {}, required: _required, ...keywords } = (row.schema ?? {}) as JsonObject;
  const bounded = (value: unknown): unknown =>
    bytesOf(value) <= ONE_FIELD_MAX ? value : { $comment: `${bytesOf(value)} bytes; ${route}` };
  return [
    ...summariesOf(document).map((summary) => ({ summary })),
    { keywords: bounded(keywords) as JsonObject },
    ...Object.entries(properties as JsonObject).map(([field, schema]) => ({ field, schema: bounded(schema) })),
  ];
}

/** Returns the part of the JSON Schema that is on this page, which is itself a JSON Schema. */
function schemaOf(shown: readonly Item[], row: StreamMetadata): JsonObject | undefined {
  const keywords = shown.find((item) => "keywords" in item)?.keywords;
  const properties = Object.fromEntries(
    shown.flatMap((item) => ("field" in item ? [[item.field, item.schema] as const] : [])),
  );
  if (keywords === undefined && Object.keys(properties).length === 0) return undefined;
  const { required = [] } = (row.schema ?? {}) as { required?: string[] };
  const here = plainData(required).filter((name) => Object.hasOwn(properties, name));
  return { ...keywords, ...(here.length === 0 ? {} : { required: here }), properties: properties as JsonObject };
}

/** Returns one row, unless the summary itself is in parts. */
function rowsOf(name: string, connection_id: string, summaries: readonly SchemaStream[], schema?: JsonObject) {
  const rows: object[] = summaries.map(({ connector_key: _key, ...row }) => row);
  const [first = { name, connection_ids: [connection_id] }, ...others] = rows;
  return [{ ...first, ...(schema === undefined ? {} : { schema }) }, ...others];
}
