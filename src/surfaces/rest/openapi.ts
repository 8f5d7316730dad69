// OpenAPI 3.1, generated from the route table and the contract's schemas.
import { z } from "zod";
import { ERRORS } from "../../contract/errors.ts";
import { PROTOCOL_VERSION } from "../../contract/limits.ts";
import { ROUTES, type Route } from "./routes.ts";

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
          content: jsonContent({ $ref: "#/components/schemas/error" }),
        },
      },
      schemas: { error: errorSchema() },
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
      { name: "PDPP-Version", in: "header", schema: { type: "string", const: PROTOCOL_VERSION } },
    ],
    ...requestBody(route, schema, inBody),
    responses: {
      [String(route.status ?? 200)]: {
        description: "The answer",
        ...(route.status === 204 ? {} : { content: jsonContent({ type: "object" }) }),
      },
      default: { $ref: "#/components/responses/error" },
    },
  };
}

function requestBody(route: Route, schema: Schema, inBody: readonly string[]): object {
  if (route.streams === "ingest")
    return { requestBody: { required: true, content: { "application/x-ndjson": { schema: { type: "string" } } } } };
  if (route.streams === "blob-upload")
    return { requestBody: { required: true, content: { "*/*": { schema: { type: "string", format: "binary" } } } } };
  if (route.body === undefined) return {};
  if (route.body !== "merge") return { requestBody: { required: true, content: jsonContent({ type: "object" }) } };
  const properties = Object.fromEntries(inBody.map((name) => [name, schema.properties![name]!]));
  const required = inBody.filter((name) => schema.required?.includes(name));
  return { requestBody: { required: true, content: jsonContent({ type: "object", properties, required }) } };
}

const jsonContent = (schema: object) => ({ "application/json": { schema } });

function errorSchema(): object {
  return {
    type: "object",
    required: ["error"],
    properties: {
      error: {
        type: "object",
        required: ["type", "code", "message", "request_id", "next_step", "doc_url"],
        properties: {
          type: { type: "string" },
          code: { type: "string", enum: Object.keys(ERRORS) },
          message: { type: "string" },
          param: { type: "string" },
          request_id: { type: "string" },
          retry_with: { type: "string" },
          available_connections: { type: "array", items: { type: "object" } },
          available_connections_total: { type: "integer" },
          available_connections_truncated: { type: "boolean" },
          why: { type: "string" },
          next_step: { type: "string" },
          doc_url: { type: "string" },
        },
      },
    },
  };
}
