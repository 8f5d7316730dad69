// /mcp over HTTP: who calls, then one exchange with a server of its own. No session is made or asked for.
import {
  createMcpHandler,
  isJsonContentType,
  isLegacyRequest,
  type McpServerFactory,
  PROTOCOL_VERSION_META_KEY,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { Bearer } from "../../contract/answers.ts";
import { PdppError } from "../../contract/errors.ts";
import { TOKEN_PREFIX } from "../../contract/ids.ts";
import { type EngineHost, engineClient } from "../../engine/host.ts";
import { readJson } from "../http/body.ts";
import { credentialOf, inFlightLimit } from "../http/credential.ts";
import { baseHeaders, type Exchange, problem } from "../http/respond.ts";
import { knownTokens, watchedHost } from "./admission.ts";
import { gate } from "./gate.ts";
import { serverFactory } from "./server.ts";
import type { ToolContext } from "./tool.ts";

/** Nothing here changes under a listener; the few that listen anyway must not hold every socket. */
const LISTENERS_MAX = 64;

/** A body so small costs less than asking who sends it. */
const SMALL_BODY = 64 * 1024;

export interface McpHandlerOptions {
  host: EngineHost;
  log: (text: string) => void;
}

export function mcpHandler({ host, log }: McpHandlerOptions): (exchange: Exchange) => Promise<Response> {
  const limited = inFlightLimit();
  const make = serverFactory(
    gate((error, { requestId }) => log(`${requestId} ${error instanceof Error ? error.stack : String(error)}`)),
  );
  const factory: McpServerFactory = ({ authInfo }) => make(authInfo!.extra as unknown as ToolContext);
  const modern = createMcpHandler(factory, { legacy: "reject", maxSubscriptions: LISTENERS_MAX });

  /** What kind a token is never changes. */
  const known = knownTokens();

  /** 2025-era: the same server, answered as one JSON body. */
  async function legacy(request: Request, parsedBody: unknown, context: ToolContext): Promise<Response> {
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

  async function serve(exchange: Exchange, parsedBody: unknown, client: EngineHost): Promise<Response> {
    const { request, requestId, origin } = exchange;
    const credential = credentialOf(request);
    const context: ToolContext = { client: engineClient(client, credential, requestId), origin, requestId };
    const isLegacy = !claimsModern(parsedBody) && (await isLegacyRequest(request, parsedBody));
    const response = isLegacy
      ? await legacy(request, parsedBody, context)
      : await modern.fetch(request, {
          parsedBody,
          authInfo: { token: "", clientId: "", scopes: [], extra: context as unknown as Record<string, unknown> },
        });
    for (const [name, value] of Object.entries(baseHeaders(requestId))) response.headers.set(name, value);
    return response;
  }

  return async (exchange) => {
    const { request, requestId, origin } = exchange;
    const credential = credentialOf(request);
    const token = "token" in credential ? credential.token : "";
    if (token.startsWith(TOKEN_PREFIX.owner)) throw ownerRejected(origin);
    const admit = async () => {
      const { kind } = JSON.parse(await host.call("admit", { owner: false }, credential, requestId)) as Bearer;
      if (kind === "owner") throw ownerRejected(origin);
      known.add(token);
    };
    return limited(credential, async () => {
      // Before a body is read and before a method is refused: who is this? Of a token that was a grant's before, the call
      // itself tells whether it still is one.
      const quick = request.method === "POST" && known.has(token) && isSmall(request);
      if (!quick) await admit();
      if (request.method !== "POST") return problem(exchange, notAPost(), { Allow: "POST" });
      requireJson(request);
      const parsedBody = await readJson(request);
      if (!quick) return serve(exchange, parsedBody, host);
      const watched = watchedHost(host);
      const response = await serve(exchange, parsedBody, watched.host);
      if (watched.refusal() !== undefined) throw watched.refusal();
      if (!watched.wasAsked()) await admit();
      return response;
    });
  };
}

/** A request that names its revision in its envelope is never of the older kind: nothing more to look at. */
function claimsModern(body: unknown): boolean {
  const { params } = (body ?? {}) as { params?: { _meta?: Record<string, unknown> } };
  return typeof params?._meta?.[PROTOCOL_VERSION_META_KEY] === "string";
}

const BOTH_KINDS = "application/json, text/event-stream";

/** The answer is JSON whatever is asked for; who asks for anything, or for JSON alone, is not sent away. */
function acceptingJson(request: Request): Request {
  const accept = request.headers.get("accept") ?? "*/*";
  if (accept.includes("text/event-stream") || !/\*\/\*|application\/(?:json|\*)/.test(accept)) return request;
  const headers = new Headers(request.headers);
  headers.set("accept", BOTH_KINDS);
  return new Request(request.url, { method: request.method, headers });
}

const notAPost = (): PdppError =>
  new PdppError("method_not_allowed", "/mcp takes POST; it keeps no session and pushes nothing");

function requireJson(request: Request): void {
  if (!isJsonContentType(request.headers.get("content-type")))
    throw new PdppError("invalid_request", "the Content-Type must be application/json", { param: "Content-Type" });
}

const isSmall = (request: Request): boolean => {
  const length = request.headers.get("content-length");
  return length !== null && Number(length) <= SMALL_BODY;
};

function ownerRejected(origin: string): PdppError {
  return new PdppError("owner_token_rejected", "/mcp takes grant tokens; this is an owner's", {
    next_step: `Get a grant: \`pdpp connect ${origin}\`.`,
  });
}
