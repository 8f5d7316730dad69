// The /api operations in the OpenAPI document.
import type { FileRoute } from "../files/route.ts";
import type { FileRouteCall } from "../files/routes.ts";
import { FILE_ANSWERS } from "./answer-schemas.ts";
import { referTo } from "./component-schemas.ts";
import {
  BYTES,
  header,
  jsonContent,
  type OperationParts,
  placed,
  rangedBytes,
  VERSION_HEADER,
} from "./openapi-parts.ts";

const WHO: Record<FileRoute["needs"], string> = {
  owner: "Owner token.",
  navigate: "Owner token, or a files token.",
  index: "Owner token, or a files token that may index there.",
  curate: "Owner token, or a files token that may curate there.",
  download: "Owner token, or a files token that may download there.",
};

export function fileOperation(route: FileRoute): object {
  const place = placed(route);
  return {
    operationId: route.call,
    summary: route.summary,
    description: WHO[route.needs],
    parameters: [...place.parameters, VERSION_HEADER],
    ...requestBody(route, place),
    responses: { ...success(route), default: { $ref: "#/components/responses/error" } },
  };
}

function requestBody({ body }: FileRoute, { schema, inBody }: OperationParts): object {
  if (body === undefined) return {};
  const properties = inBody.map((name) => [
    name,
    name === "filter" ? referTo("FileFilter") : schema.properties![name]!,
  ]);
  const required = inBody.filter((name) => schema.required?.includes(name));
  const content = jsonContent({ type: "object", properties: Object.fromEntries(properties), required });
  return { requestBody: { required: body === "needed", content } };
}

function success({ call, status = 200, rows, explain }: FileRoute): Record<string, object> {
  const name = FILE_ANSWERS[call as FileRouteCall];
  if (name === "bytes")
    return rangedBytes(String(status), {
      all: "All bytes, as an attachment",
      etag: "The ETag of the current version of the file",
    });
  const files = rows === undefined ? {} : { "text/csv": BYTES["*/*"], "application/x-ndjson": BYTES["*/*"] };
  const answer = referTo(name);
  const explained = { description: "With format=explain", content: jsonContent(referTo("FileExplanation")) };
  // An explanation always has status 200. If the normal response has status 200 too, the schema allows either.
  const other: Record<string, object> = explain !== undefined && status !== 200 ? { 200: explained } : {};
  const schema = explain !== undefined && status === 200 ? { anyOf: [answer, referTo("FileExplanation")] } : answer;
  const headers = rows === undefined ? {} : { headers: { "Content-Disposition": header("For a file: its name") } };
  return {
    [status]: { description: "The result", ...headers, content: { ...jsonContent(schema), ...files } },
    ...other,
  };
}
