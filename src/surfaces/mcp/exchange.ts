// One MCP exchange over HTTP, in either protocol era, with its own server. No session is created or required.
import {
  createMcpHandler,
  isJsonContentType,
  isLegacyRequest,
  type McpServerFactory,
  PROTOCOL_VERSION_META_KEY,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { PdppError } from "../../contract/errors.ts";
import { baseHeaders, type Exchange } from "../http/respond.ts";

/** Nothing here changes while a client listens. The few clients that listen anyway must not use up all sockets. */
const LISTENERS_MAX = 64;

export function mcpExchange<C extends object>(
  make: (context: C) => Server,
): (exchange: Exchange, parsedBody: unknown, context: C) => Promise<Response> {
  const factory: McpServerFactory = ({ authInfo }) => make(authInfo!.extra as unknown as C);
  const modern = createMcpHandler(factory, { legacy: "reject", maxSubscriptions: LISTENERS_MAX });

  /** 2025 era: the same server responds with one JSON body. */
  async function legacy(request: Request, parsedBody: unknown, context: C): Promise<Response> {
    const server = make(context);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: undefined,
      enableJsonResponse: true,
    });
    await server.connect(transport);
    try {
      return await transport.handleRequest(acceptingJson(request), { parsedBody });
    } finally {
      await server.close();
    }
  }

  return async ({ request, requestId }, parsedBody, context) => {
    const isLegacy = !claimsModern(parsedBody) && (await isLegacyRequest(request, parsedBody));
    const response = isLegacy
      ? await legacy(request, parsedBody, context)
      : await modern.fetch(request, {
          parsedBody,
          authInfo: { token: "", clientId: "", scopes: [], extra: context as unknown as Record<string, unknown> },
        });
    for (const [name, value] of Object.entries(baseHeaders(requestId))) response.headers.set(name, value);
    return response;
  };
}

/** A request whose envelope contains its revision is never a legacy request, so no further check is needed. */
function claimsModern(body: unknown): boolean {
  const { params } = (body ?? {}) as { params?: { _meta?: Record<string, unknown> } };
  return typeof params?._meta?.[PROTOCOL_VERSION_META_KEY] === "string";
}

const BOTH_KINDS = "application/json, text/event-stream";

/** The response is always JSON, so a client that accepts anything, or only JSON, is not refused. */
function acceptingJson(request: Request): Request {
  const accept = request.headers.get("accept") ?? "*/*";
  if (accept.includes("text/event-stream") || !/\*\/\*|application\/(?:json|\*)/.test(accept)) return request;
  const headers = new Headers(request.headers);
  headers.set("accept", BOTH_KINDS);
  return new Request(request.url, { method: request.method, headers });
}

export function requireJson(request: Request): void {
  if (!isJsonContentType(request.headers.get("content-type")))
    throw new PdppError("invalid_request", "the Content-Type must be application/json", { param: "Content-Type" });
}
