// /mcp over HTTP: who calls, then one exchange with a server of its own. No session is made or asked for.
import {
  createMcpHandler,
  isJsonContentType,
  isLegacyRequest,
  type McpServerFactory,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { Bearer } from "../../contract/answers.ts";
import { PdppError } from "../../contract/errors.ts";
import { TOKEN_PREFIX } from "../../contract/ids.ts";
import { type EngineHost, engineClient } from "../../engine/host.ts";
import { readJson } from "../http/body.ts";
import { credentialOf, inFlightLimit } from "../http/credential.ts";
import { baseHeaders, type Exchange, problem } from "../http/respond.ts";
import { gate } from "./gate.ts";
import { serverFactory } from "./server.ts";
import type { ToolContext } from "./tool.ts";

/** Nothing here changes under a listener; the few that listen anyway must not hold every socket. */
const LISTENERS_MAX = 64;

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

  /** 2025-era: the same server, answered as one JSON body. */
  async function legacy(request: Request, parsedBody: unknown, context: ToolContext): Promise<Response> {
    const server = make(context);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: undefined,
      enableJsonResponse: true,
    });
    await server.connect(transport);
    try {
      return await transport.handleRequest(request, { parsedBody });
    } finally {
      await server.close();
    }
  }

  return async (exchange) => {
    const { request, requestId, origin } = exchange;
    const credential = credentialOf(request);
    if ("token" in credential && credential.token.startsWith(TOKEN_PREFIX.owner)) throw ownerRejected(origin);
    return limited(credential, async () => {
      // Before a byte of the body is read, and before a method is refused: who is this?
      const { kind } = JSON.parse(await host.call("admit", { owner: false }, credential, requestId)) as Bearer;
      if (kind === "owner") throw ownerRejected(origin);
      if (request.method !== "POST") {
        return problem(
          exchange,
          new PdppError("method_not_allowed", "/mcp takes POST; it keeps no session and pushes nothing"),
          {
            Allow: "POST",
          },
        );
      }
      if (!isJsonContentType(request.headers.get("content-type"))) {
        throw new PdppError("invalid_request", "the Content-Type must be application/json", { param: "Content-Type" });
      }
      const parsedBody = await readJson(request);
      const context: ToolContext = { client: engineClient(host, credential, requestId), origin, requestId };
      const response = (await isLegacyRequest(request, parsedBody))
        ? await legacy(request, parsedBody, context)
        : await modern.fetch(request, {
            parsedBody,
            authInfo: { token: "", clientId: "", scopes: [], extra: context as unknown as Record<string, unknown> },
          });
      for (const [name, value] of Object.entries(baseHeaders(requestId))) response.headers.set(name, value);
      return response;
    });
  };
}

function ownerRejected(origin: string): PdppError {
  return new PdppError("owner_token_rejected", "/mcp takes grant tokens; this is an owner's", {
    next_step: `Get a grant: \`pdpp connect ${origin}\`.`,
  });
}
