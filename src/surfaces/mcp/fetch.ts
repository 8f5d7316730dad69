// The fetch tool: returns one document for every id that appears in a result.
import { z } from "zod";
import { type Handle, parseHandle } from "../../contract/handle.ts";
import { recordQuery } from "../../contract/read.ts";
import { parseArguments } from "./arguments.ts";
import { type Document, documentResult, handlesFirst } from "./document.ts";
import { ToolError } from "./next-step.ts";
import { blobDocument, exportDocument, streamDocument, windowDocument } from "./other-documents.ts";
import { type DocumentProjection, recordDocument } from "./record-document.ts";
import { CONNECTION, EXPAND_LIMIT, FIELDS, NAMES } from "./shared-arguments.ts";
import { callText, type Tool, type ToolContext } from "./tool.ts";

const { id, connection_id, fields, expand, expand_limit } = recordQuery.shape;
const argumentsSchema = z.strictObject({ id, connection_id, fields, expand, expand_limit });

export const fetch: Tool = {
  definition: {
    name: "fetch",
    title: "Read one thing",
    description:
      "Read the item behind an id (GET /v1/streams/{stream}/records/{id} or its field-window, read-only): a record, a window of a long field, a blob's metadata, an export's size and URL. If text continues, metadata has next_id. schema lists fields and relations.",
    inputSchema: {
      type: "object",
      properties: {
        id: { type: "string", description: "id from a result, as given" },
        connection_id: CONNECTION,
        fields: FIELDS,
        expand: NAMES,
        expand_limit: EXPAND_LIMIT,
      },
      required: ["id"],
      additionalProperties: false,
    },
  },
  async run(context, args) {
    const { id, connection_id, ...projection } = parseArguments("fetch", argumentsSchema, args);
    const handle = parseHandle(id);
    refuseContradiction(handle, id, connection_id, projection);
    const place =
      handle.kind === "record" ? { ...handle, connection_id: handle.connection_id ?? connection_id } : handle;
    return documentResult(await readDocument(context, place, projection));
  },
};

export async function readDocument(
  context: ToolContext,
  handle: Handle,
  projection: DocumentProjection = {},
): Promise<Document> {
  return handlesFirst(await documentOf(context, handle, projection));
}

function documentOf(context: ToolContext, handle: Handle, projection: DocumentProjection): Promise<Document> {
  switch (handle.kind) {
    case "record":
      return recordDocument(context, handle, projection);
    case "field-window":
      return windowDocument(context, handle);
    case "blob":
      return blobDocument(context, handle);
    case "stream":
      return streamDocument(context, handle);
    case "export":
      return exportDocument(context, handle);
  }
}

function refuseContradiction(
  handle: Handle,
  id: string,
  connection: string | undefined,
  projection: DocumentProjection,
): void {
  const named = "connection_id" in handle ? handle.connection_id : undefined;
  if (connection !== undefined && named !== undefined && named !== connection) {
    throw new ToolError(
      "invalid_request",
      `the id belongs to connection ${JSON.stringify(named)}, but connection_id names another`,
      {
        param: "connection_id",
        next_step: `${callText("fetch", { id })} reads the item behind the id.`,
      },
    );
  }
  const extra = Object.entries(projection).find(([, value]) => value !== undefined)?.[0];
  if (handle.kind !== "record" && extra !== undefined) {
    throw new ToolError("invalid_request", `${extra} is for records; this id refers to a ${handle.kind}`, {
      param: extra,
      next_step: `${callText("fetch", { id })} reads it.`,
    });
  }
}
