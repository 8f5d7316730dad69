// /mcp over HTTP: authorizes the caller, then handles one exchange.
import { PdppError } from "../../contract/errors.ts";
import { TOKEN_PREFIX } from "../../contract/ids.ts";
import { type EngineHost, engineClient } from "../../engine/host.ts";
import { readJson } from "../http/body.ts";
import { credentialOf, inFlightLimit } from "../http/credential.ts";
import { type Exchange, problem } from "../http/respond.ts";
import { knownTokens, watchedHost } from "./admission.ts";
import { mcpExchange, requireJson } from "./exchange.ts";
import { gate } from "./gate.ts";
import { serverFactory } from "./server.ts";

/** Reading a body this small costs less than a separate check of the caller. */
const SMALL_BODY = 64 * 1024;

export interface McpHandlerOptions {
  host: EngineHost;
  log: (text: string) => void;
}

export function mcpHandler({ host, log }: McpHandlerOptions): (exchange: Exchange) => Promise<Response> {
  const limited = inFlightLimit();
  const answer = mcpExchange(
    serverFactory(
      gate((error, { requestId }) => log(`${requestId} ${error instanceof Error ? error.stack : String(error)}`)),
    ),
  );

  /** A token's kind never changes, so it can be remembered. */
  const known = knownTokens();

  const serve = (exchange: Exchange, parsedBody: unknown, client: EngineHost): Promise<Response> => {
    const { request, requestId, origin } = exchange;
    return answer(exchange, parsedBody, {
      client: engineClient(client, credentialOf(request), requestId),
      origin,
      requestId,
    });
  };

  return async (exchange) => {
    const { request, requestId, origin } = exchange;
    const credential = credentialOf(request);
    const token = "token" in credential ? credential.token : "";
    if (token.startsWith(TOKEN_PREFIX.owner)) throw ownerRejected(origin);
    const admit = async () => {
      const { kind } = await host.call("admit", { owner: false }, credential, requestId);
      if (kind === "owner") throw ownerRejected(origin);
      known.add(token);
    };
    return limited(credential, async () => {
      // The caller is checked before a body is read and before a method is refused. If the token is known to belong to
      // a grant, the call itself shows whether it is still valid.
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

const notAPost = (): PdppError =>
  new PdppError("method_not_allowed", "/mcp accepts only POST; it has no sessions and no event stream");

const isSmall = (request: Request): boolean => {
  const length = request.headers.get("content-length");
  return length !== null && Number(length) <= SMALL_BODY;
};

function ownerRejected(origin: string): PdppError {
  return new PdppError("owner_token_rejected", "/mcp accepts grant tokens; this is an owner token", {
    next_step: `Get a grant: \`pdpp connect ${origin}\`.`,
  });
}
