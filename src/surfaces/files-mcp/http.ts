// /files/mcp over HTTP: authorizes the caller for the files lens, then handles one exchange.
import { randomUUID } from "node:crypto";
import { PdppError } from "../../contract/errors.ts";
import type { FilesBearer } from "../../contract/file-calls.ts";
import type { FileShell } from "../../contract/file-shell.ts";
import { TOKEN_PREFIX } from "../../contract/ids.ts";
import type { Credential } from "../../engine/caller.ts";
import type { EngineHost } from "../../engine/host.ts";
import { readJson } from "../http/body.ts";
import { credentialOf, inFlightLimit } from "../http/credential.ts";
import { type Exchange, problem } from "../http/respond.ts";
import { mcpExchange, requireJson } from "../mcp/exchange.ts";
import { serverFactory } from "../mcp/server.ts";
import { shellGate } from "./gate.ts";

export interface FilesMcpOptions {
  host: EngineHost;
  shellFor(caller: {
    credential: Credential;
    requestId: string;
    origin: string;
    admitted: FilesBearer;
    chat?: string;
  }): FileShell;
  log: (text: string) => void;
}

export function filesMcpHandler({ host, shellFor, log }: FilesMcpOptions): (exchange: Exchange) => Promise<Response> {
  const limited = inFlightLimit();
  const answer = mcpExchange(
    serverFactory(
      shellGate((error, { requestId }) => log(`${requestId} ${error instanceof Error ? error.stack : String(error)}`)),
    ),
  );
  return async (exchange) => {
    const { request, requestId, origin } = exchange;
    const credential = credentialOf(request);
    if ("token" in credential && credential.token.startsWith(TOKEN_PREFIX.owner)) throw ownerRejected();
    return limited(credential, async () => {
      // The caller is checked before a body is read and before a method is refused.
      const admitted = await host.call("filesBearer", { action: "enter" }, credential, requestId);
      if (request.method !== "POST") {
        const error = new PdppError("method_not_allowed", "/files/mcp accepts only POST; it has no event stream");
        return problem(exchange, error, { Allow: "POST" });
      }
      requireJson(request);
      const body = await readJson(request);
      const chat = chatOf(request, body);
      const response = await answer(exchange, body, {
        shell: shellFor({ credential, requestId, origin, admitted, ...(chat === undefined ? {} : { chat }) }),
        origin,
        requestId,
      });
      // A client of the older protocol returns this header with every call, so each connection is its own chat.
      if (isInitialize(body) && response.ok) response.headers.set(SESSION_HEADER, randomUUID());
      return response;
    });
  };
}

const SESSION_HEADER = "Mcp-Session-Id";
/** ChatGPT sends the conversation id here. */
const SESSION_META = "openai/session";
const CHAT_MAX = 500;

const isInitialize = (body: unknown): boolean => (body as { method?: unknown } | null)?.method === "initialize";

/** Returns the client's id for its chat, or undefined if it sends no id. */
function chatOf(request: Request, body: unknown): string | undefined {
  const { params } = (body ?? {}) as { params?: { _meta?: Record<string, unknown> } };
  const named = params?._meta?.[SESSION_META] ?? request.headers.get(SESSION_HEADER);
  return typeof named === "string" && named !== "" && named.length <= CHAT_MAX ? named : undefined;
}

function ownerRejected(): PdppError {
  return new PdppError("owner_token_rejected", "/files/mcp accepts grant tokens; this is an owner token", {
    next_step: "Get a grant: `pdpp grants issue --files`, or sign in from the app.",
  });
}
