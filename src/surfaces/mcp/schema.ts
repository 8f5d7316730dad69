// The schema tool: from an index of everything to all queries that one stream supports.
import { z } from "zod";
import { schemaQuery } from "../../contract/read.ts";
import type { SchemaDocument } from "../../contract/schema-document.ts";
import { parseArguments } from "./arguments.ts";
import { BUDGET, resultBytes } from "./budgets.ts";
import { ToolError } from "./next-step.ts";
import { plainData } from "./plain.ts";
import { pageOf } from "./schema-cursor.ts";
import { fullSchema } from "./schema-full.ts";
import { schemaIndex } from "./schema-index.ts";
import { HOW, type SchemaStream, summariesOf, summaryText } from "./schema-stream.ts";
import { CONNECTION } from "./shared-arguments.ts";
import { callText, type Tool, type ToolResult } from "./tool.ts";

const argumentsSchema = z.strictObject({
  stream: schemaQuery.shape.stream,
  connection_id: schemaQuery.shape.connection_id,
  detail: schemaQuery.shape.detail,
  cursor: z.string().min(1).max(100).optional(),
});

export const schema: Tool = {
  definition: {
    name: "schema",
    title: "Discover streams and fields",
    description:
      "Discover what the grant reads (GET /v1/schema, read-only). Without arguments: every source, connection and stream. With stream: fields, filters, sorts, aggregations, relations. detail full adds raw JSON Schema of one stream.",
    inputSchema: {
      type: "object",
      properties: {
        stream: { type: "string" },
        connection_id: CONNECTION,
        detail: { enum: ["compact", "full"] },
        cursor: { type: "string", description: "next_cursor of the same call" },
      },
      additionalProperties: false,
    },
  },
  async run({ client }, args) {
    const { stream, connection_id, detail, cursor } = parseArguments("schema", argumentsSchema, args);
    if (stream === undefined) {
      if (detail === "full") throw fullNeedsStream(connection_id);
      const [document, connections] = await Promise.all([client.schema({ connection_id }), client.connections()]);
      return schemaIndex(document, connections.data, { connection_id, cursor });
    }
    const asked = { stream, connection_id, cursor };
    if (detail === "full") return fullSchema(await client.schema({ stream, connection_id, detail }), asked);
    return streamSchema(await client.schema({ stream, connection_id }), asked);
  },
};

/** Thrown before anything is read (E-09). */
function fullNeedsStream(connection_id: string | undefined): ToolError {
  const scope = connection_id === undefined ? {} : { connection_id };
  const then = callText("schema", { stream: "STREAM", connection_id: connection_id ?? "CONNECTION", detail: "full" });
  return new ToolError("invalid_request", "detail full needs a stream", {
    param: "stream",
    next_step: `${callText("schema", scope)} lists the streams; then ${then}.`,
  });
}

/** With several sets, each omits facts that differ between them. */
const MORE = " With connection_id also views and order.";

function streamSchema(
  document: SchemaDocument,
  asked: { stream: string; connection_id?: string; cursor?: string },
): ToolResult {
  const rows = summariesOf(document);
  const connections = new Set(rows.flatMap((row) => row.connection_ids)).size;
  const isOnly = document.connectors.length === 1 && document.connectors[0]!.streams.length === 1;
  const render = (shown: SchemaStream[], page: { next?: string }): ToolResult => {
    const head = `${rows.length === 1 ? "1 set" : `${rows.length} sets`} of capabilities for ${asked.stream}, in ${connections} connection${connections === 1 ? "" : "s"}.${isOnly ? "" : MORE}`;
    const tail = page.next === undefined ? [] : [`next_cursor: ${page.next} (the other sets: schema with this cursor)`];
    const connectors = [...Map.groupBy(shown, (row) => row.connector_key)].map(([connector_key, streams]) => ({
      connector_key,
      streams: streams.map(({ connector_key: _key, ...row }) => row),
    }));
    return {
      text: [head, HOW, ...shown.map(summaryText), ...tail].join("\n\n"),
      structured: {
        data: {
          object: "schema",
          detail: "stream",
          connectors: plainData(connectors),
          stream_count: rows.length,
          connection_count: connections,
          ...(page.next === undefined ? {} : { next_cursor: page.next }),
        },
      },
    };
  };
  return pageOf(rows, { tool: "stream", ...asked }, render, (result) => resultBytes(result) <= BUDGET.page);
}
