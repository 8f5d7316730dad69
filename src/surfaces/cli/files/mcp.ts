// pdpp files mcp: serves the file tools on stdin and stdout, always under a file grant, on a home or a running server.
import { randomUUID } from "node:crypto";
import { PdppError } from "../../../contract/errors.ts";
import { servingAddress } from "../../../engine/home-address.ts";
import { newRequestId } from "../../../engine/host.ts";
import { shellFor } from "../../../files/shell/shell.ts";
import { type CommandContext, text } from "../command.ts";
import { storedCredential } from "../credentials.ts";
import { DEFAULT_ORIGIN } from "../default-address.ts";
import { originOf } from "../oauth/discover.ts";
import { refuseOwnerCredentials } from "../refuse-owner.ts";
import { currentToken, noCredential, renewedToken } from "../stored-token.ts";
import { withLens } from "./lens.ts";
import { relayFiles } from "./remote-mcp.ts";

export async function mcp(context: CommandContext): Promise<number> {
  refuseOwnerCredentials(process.env, context.values, "Remove it, then get a grant: `pdpp grants issue --files`.");
  const token = text(context.values, "token") ?? process.env.PDPP_ACCESS_TOKEN;
  const server = text(context.values, "server");
  if (server !== undefined) return ofServer(originOf(server), token);
  if (token === undefined) {
    throw new PdppError("authentication_error", "not connected: there is no file grant on this machine", {
      next_step:
        "Get one: `pdpp grants issue --files`, and set PDPP_ACCESS_TOKEN to its token. For a running server: `pdpp connect ORIGIN --files`, then --server ORIGIN.",
    });
  }
  return withLens(
    context,
    async (lens) => {
      const origin = servingAddress(context.home) ?? DEFAULT_ORIGIN;
      const credential = { token };
      // Fails now with a clear error rather than at the first tool call.
      await lens.host.call("filesBearer", { action: "enter" }, credential);
      const { serveShellOnStdio } = await import("../../files-mcp/stdio.ts");
      // One process serves one app, with its own session.
      const shell = shellFor(lens, { credential, requestId: newRequestId(), origin, chat: randomUUID() });
      await serveShellOnStdio({ shell, origin }, context.note);
      return 0;
    },
    { scans: true, records: "gently" },
  );
}

/** Uses the given token, or the one that `pdpp connect --files` stored. */
async function ofServer(origin: string, token: string | undefined): Promise<number> {
  const stored = token === undefined ? storedCredential(origin, "files") : undefined;
  if (token === undefined && stored === undefined) throw noCredential(origin, "files");
  await relayFiles(
    origin,
    stored === undefined
      ? { current: async () => token!, renewed: async (used) => used }
      : { current: () => currentToken(stored), renewed: (used) => renewedToken(stored, used) },
  );
  return 0;
}
