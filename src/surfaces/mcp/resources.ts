// Resources: the same handles, for hosts that read resources. Scope and bounded documents are the same as for fetch.
import {
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type ResourceTemplateType,
} from "@modelcontextprotocol/server";
import { type ErrorBody, PdppError } from "../../contract/errors.ts";
import { parseHandle } from "../../contract/handle.ts";
import { plainLine } from "../../core/unsafe-characters.ts";
import { failureBody, failureText } from "./failure.ts";
import { readDocument } from "./fetch.ts";
import type { ToolContext } from "./tool.ts";

const JSON_TYPE = "application/json";

/** The number of characters of the requested URI that an error repeats. */
const URI_SHOWN = 500;

export const TEMPLATES: readonly ResourceTemplateType[] = [
  {
    name: "record",
    title: "Record",
    uriTemplate: "pdpp://record/{connection_id}/{stream}/{id}",
    description: "A record as a document, long fields as windows; the same as fetch(id).",
    mimeType: JSON_TYPE,
  },
  {
    name: "field-window",
    title: "Window of a field",
    uriTemplate: "pdpp://field-window/{connection_id}/{stream}/{id}{?field,pointer,offset,limit,revision,q}",
    description: "A bounded piece of one field, with range, total and next_id; the same as fetch(id).",
    mimeType: JSON_TYPE,
  },
  {
    name: "stream",
    title: "Stream",
    uriTemplate: "pdpp://stream/{connection_id}/{stream}",
    description: "A stream's fields and how they can be queried; the same as schema(stream, connection_id).",
    mimeType: JSON_TYPE,
  },
];

export async function readResource(context: ToolContext, uri: string): Promise<ReadResourceResult> {
  try {
    const document = await readDocument(context, parseHandle(uri));
    return { contents: [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(document) }] };
  } catch (error) {
    if (!(error instanceof PdppError)) throw error;
    const { origin, requestId } = context;
    throw resourceFailure(uri, failureBody(error, { tool: "fetch", args: { id: uri }, origin, requestId }));
  }
}

/** Reports a resource that cannot be read, in the same way for both MCP servers. */
export const resourceFailure = (uri: string, body: ErrorBody): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, failureText(body), {
    uri: plainLine(uri, URI_SHOWN),
    error: body,
  });
