// OpenAPI 3.1, generated from the route tables and the contract's schemas.
import { PROTOCOL_VERSION } from "../../contract/limits.ts";
import type { Route } from "../../contract/route.ts";
import { type CallRoute, ROUTES } from "../../engine/calls/calls.ts";
import { FILE_ROUTES } from "../files/routes.ts";
import { routeAnswer } from "./answer-schemas.ts";
import { componentSchemas, referTo } from "./component-schemas.ts";
import { fileOperation } from "./openapi-files.ts";
import {
  BYTES,
  header,
  jsonContent,
  type OperationParts,
  placed,
  rangedBytes,
  VERSION_HEADER,
} from "./openapi-parts.ts";
import { PROBE_PATHS, probeOperation } from "./openapi-probes.ts";

export function openApiDocument(): object {
  const paths: Record<string, Record<string, object>> = {};
  const tell = ({ path, method }: { path: string; method: string }, operation: object): void => {
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
  };
  for (const route of ROUTES) tell(route, operation(route));
  for (const route of FILE_ROUTES) tell(route, fileOperation(route));
  for (const path of PROBE_PATHS) tell({ path, method: "GET" }, probeOperation(path));
  return {
    openapi: "3.1.0",
    info: { title: "Postern", version: PROTOCOL_VERSION, description: "Personal data under grants, over PDPP." },
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
      responses: {
        error: {
          description: "What went wrong and what to do next",
          content: jsonContent(referTo("Error")),
        },
      },
      schemas: componentSchemas(),
    },
  };
}

const ACCESS: Record<Route["access"], string> = {
  owner: "Owner token.",
  app: "Owner token or grant token.",
  anyone: "No token is needed.",
};

function operation(route: CallRoute): object {
  const place = placed(route);
  return {
    operationId: route.streams ?? route.call,
    summary: route.summary,
    description: ACCESS[route.access],
    ...(route.access === "anyone" ? { security: [] } : {}),
    parameters: [
      ...place.parameters,
      ...(route.streams === "import-upload"
        ? [{ name: "Upload-Offset", in: "header", required: true, schema: { type: "integer", minimum: 0 } }]
        : []),
      VERSION_HEADER,
    ],
    ...requestBody(route, place),
    responses: { ...success(route), default: { $ref: "#/components/responses/error" } },
  };
}

function success(route: CallRoute): Record<string, object> {
  const status = String(route.status ?? 200);
  const name = routeAnswer(route);
  if (route.streams === "import-upload") {
    const headers = {
      "Upload-Offset": header("How much of the file has arrived"),
      "Upload-Length": header("The size of the whole file"),
    };
    return { [status]: { description: "Accepted; there is no body", headers } };
  }
  if (name === "nothing") return { [status]: { description: "Done; there is no body" } };
  if (name !== "bytes") return { [status]: { description: "The result", content: jsonContent(referTo(name)) } };
  if (route.streams === "export") {
    const disposition = { "Content-Disposition": header("A name for the file") };
    return {
      [status]: {
        description: "The file; an interrupted transfer is incomplete",
        headers: disposition,
        content: BYTES,
      },
    };
  }
  return rangedBytes(status, {
    all: "All bytes, in the type they were stored with",
    etag: "The SHA-256 of all bytes",
  });
}

function requestBody(route: Route, { schema, inBody }: OperationParts): object {
  if (route.streams === "ingest")
    return { requestBody: { required: true, content: { "application/x-ndjson": { schema: LINES } } } };
  if (route.streams === "blob-upload" || route.streams === "import-upload")
    return { requestBody: { required: true, content: BYTES } };
  if (route.body === undefined) return {};
  if (route.body !== "merge")
    return { requestBody: { required: true, content: jsonContent(referTo("SourceDeclaration")) } };
  const properties = Object.fromEntries(inBody.map((name) => [name, schema.properties![name]!]));
  const required = inBody.filter((name) => schema.required?.includes(name));
  return { requestBody: { required: true, content: jsonContent({ type: "object", properties, required }) } };
}

/** One record per line. */
const LINES = {
  type: "string",
  contentMediaType: "application/x-ndjson",
  contentSchema: referTo("RecordInput"),
  description: "One RecordInput per line",
};
