// OpenAPI 3.1, generated from the route table and the contract's schemas.
import { z } from "zod";
import { PROTOCOL_VERSION } from "../../contract/limits.ts";
import { ANSWERS } from "./answer-schemas.ts";
import { componentSchemas, referTo } from "./components.ts";
import type { Route } from "./route.ts";
import { ROUTES, type RouteCall } from "./routes.ts";

interface Schema {
  properties?: Record<string, object>;
  required?: string[];
  [keyword: string]: unknown;
}

export function openApiDocument(): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of ROUTES) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route) };
  }
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

function operation(route: Route): object {
  const schema = z.toJSONSchema(route.schema, { io: "input", unrepresentable: "any" }) as Schema;
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
  const inQuery = Object.keys(route.parameters);
  const inBody = Object.keys(schema.properties ?? {}).filter(
    (name) => !inPath.includes(name) && !inQuery.includes(name),
  );
  return {
    operationId: route.streams ?? route.call,
    summary: route.summary,
    description: route.access === "owner" ? "Owner token." : "Owner token or grant token.",
    parameters: [
      ...inPath.map((name) => ({ name, in: "path", required: true, schema: { type: "string" } })),
      ...inQuery.map((name) => ({
        name,
        in: "query",
        required: schema.required?.includes(name) ?? false,
        ...(route.parameters[name] === "filter" || route.parameters[name] === "expand_limit"
          ? { style: "deepObject", explode: true }
          : {}),
        schema: schema.properties?.[name] ?? {},
      })),
      ...(route.streams === "import-upload"
        ? [{ name: "Upload-Offset", in: "header", required: true, schema: { type: "integer", minimum: 0 } }]
        : []),
      { name: "PDPP-Version", in: "header", schema: { type: "string", const: PROTOCOL_VERSION } },
    ],
    ...requestBody(route, schema, inBody),
    responses: { ...success(route), default: { $ref: "#/components/responses/error" } },
  };
}

function success(route: Route): Record<string, object> {
  const status = String(route.status ?? 200);
  const name = ANSWERS[route.call as RouteCall];
  if (route.streams === "import-upload") {
    const headers = { "Upload-Offset": header("How much of the file is here"), "Upload-Length": header("Of how much") };
    return { [status]: { description: "Taken; there is no body", headers } };
  }
  if (name === "nothing") return { [status]: { description: "Done; there is no body" } };
  if (name !== "bytes") return { [status]: { description: "The answer", content: jsonContent(referTo(name)) } };
  if (route.streams === "export") {
    const disposition = { "Content-Disposition": header("A name for the file") };
    return {
      [status]: { description: "The file; a transfer cut short is not complete", headers: disposition, content: BYTES },
    };
  }
  const headers = { ETag: header("The SHA-256 of all bytes"), "Accept-Ranges": header("bytes") };
  const range = { "Content-Range": header("Which bytes, of how many") };
  return {
    [status]: { description: "All bytes, in the type they were stored with", headers, content: BYTES },
    206: { description: "The bytes of the Range asked for", headers: { ...headers, ...range }, content: BYTES },
    416: { description: "The Range lies outside; there is no body", headers: { ...headers, ...range } },
  };
}

function requestBody(route: Route, schema: Schema, inBody: readonly string[]): object {
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

/** One record a line. */
const LINES = {
  type: "string",
  contentMediaType: "application/x-ndjson",
  contentSchema: referTo("RecordInput"),
  description: "One RecordInput a line",
};
/** OpenAPI 3.1 would take no schema at all for bytes; by this one every generator knows them. */
const BYTES = { "*/*": { schema: { type: "string", format: "binary" } } };
const header = (description: string) => ({ description, schema: { type: "string" } });
const jsonContent = (schema: object) => ({ "application/json": { schema } });
