// pdpp mcp: serves the MCP tools on stdin and stdout, always under a grant.
import { PdppError } from "../../../contract/errors.ts";
import { servingAddress } from "../../../engine/home-address.ts";
import { engineClient } from "../../../engine/host.ts";
import { type Command, type OptionValues, text } from "../command.ts";
import { storedCredential } from "../credentials.ts";
import { DEFAULT_ORIGIN } from "../default-address.ts";
import { ownerRejected, refuseOwnerCredentials } from "../refuse-owner.ts";

export const mcp: Command = {
  summary: "serve the five read tools over stdin and stdout, under a grant",
  usage:
    "pdpp mcp [--server URL] [--home DIR]\n       It uses the token in PDPP_ACCESS_TOKEN, or the one that `pdpp connect` stored.",
  examples: ["pdpp mcp", "pdpp mcp --server http://127.0.0.1:7887"],
  options: {},
  async run(context) {
    const { values, note } = context;
    const server = text(values, "server");
    const origin =
      (server === undefined ? undefined : URL.parse(server)?.origin) ?? servingAddress(context.home) ?? DEFAULT_ORIGIN;
    refuseOwnerCredentials(process.env, values, getGrant(origin));
    chooseGrant(values, origin);
    const { host, credential } = await context.connect();
    const client = engineClient(host, credential);
    // Fails now with a clear error rather than at the first tool call.
    const { bearer } = await client.schema({});
    if (bearer.kind === "owner") throw ownerRejected("the token", getGrant(origin));
    const { serveGateOnStdio } = await import("../../mcp/stdio.ts");
    await serveGateOnStdio({ client, origin }, note);
    return 0;
  },
};

const getGrant = (origin: string): string => `Remove it, then get a grant: \`pdpp connect ${origin}\`.`;

/** Uses the given token for the given server or home. Otherwise uses the stored token for the server that issued it. */
function chooseGrant(values: OptionValues, serving: string): void {
  const token = text(values, "token") ?? process.env.PDPP_ACCESS_TOKEN;
  if (token !== undefined) {
    // Stored in `values`, so that a home is opened with this token too.
    values.token = token;
    return;
  }
  const server = text(values, "server");
  const origin = server === undefined ? undefined : URL.parse(server)?.origin;
  const stored = storedCredential(origin);
  if (stored === undefined) {
    throw new PdppError("authentication_error", "not connected: there is no grant on this machine", {
      next_step: `Run \`pdpp connect ${origin ?? serving}\`, or set PDPP_ACCESS_TOKEN to a grant's token.`,
    });
  }
  values.server ??= stored.origin;
}
