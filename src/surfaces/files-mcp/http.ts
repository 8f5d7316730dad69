// /files/mcp over HTTP: who calls on the files lens, then one exchange.
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
  shellFor(caller: { credential: Credential; requestId: string; origin: string; admitted: FilesBearer }): FileShell;
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
      // Before a body is read and before a method is refused: who is this?
      const admitted = await host.call("filesBearer", { action: "enter" }, credential, requestId);
      if (request.method !== "POST") {
        const error = new PdppError("method_not_allowed", "/files/mcp takes POST; it pushes nothing");
        return problem(exchange, error, { Allow: "POST" });
      }
      requireJson(request);
      const body = await readJson(request);
      return answer(exchange, body, {
        shell: shellFor({ credential, requestId, origin, admitted }),
        origin,
        requestId,
      });
    });
  };
}

function ownerRejected(): PdppError {
  return new PdppError("owner_token_rejected", "/files/mcp takes grant tokens; this is an owner's", {
    next_step: "Get a grant: `pdpp grants issue --files`, or sign in from the app.",
  });
}
