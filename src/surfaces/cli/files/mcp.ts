// pdpp files mcp: the file shell on stdin and stdout, always under a grant of the files.
import { PdppError } from "../../../contract/errors.ts";
import { servingAddress } from "../../../engine/home-address.ts";
import { newRequestId } from "../../../engine/host.ts";
import { shellFor } from "../../../files/shell/shell.ts";
import { type CommandContext, text } from "../command.ts";
import { DEFAULT_ORIGIN } from "../default-address.ts";
import { refuseOwnerCredentials } from "../refuse-owner.ts";
import { withLens } from "./lens.ts";

export async function mcp(context: CommandContext): Promise<number> {
  refuseOwnerCredentials(process.env, context.values, "Remove it, then get a grant: `pdpp grants issue --files`.");
  const token = text(context.values, "token") ?? process.env.PDPP_ACCESS_TOKEN;
  if (token === undefined) {
    throw new PdppError("authentication_error", "there is no grant to look under", {
      next_step: "Get one: `pdpp grants issue --files`, and set PDPP_ACCESS_TOKEN to its token.",
    });
  }
  return withLens(
    context,
    async (lens) => {
      const origin = servingAddress(context.home) ?? DEFAULT_ORIGIN;
      const credential = { token };
      // Better now and in words than with the first tool call.
      await lens.host.call("filesBearer", { action: "enter" }, credential);
      const { serveShellOnStdio } = await import("../../files-mcp/stdio.ts");
      const shell = shellFor(lens, { credential, requestId: newRequestId(), origin });
      await serveShellOnStdio({ shell, origin }, context.note);
      return 0;
    },
    { scans: true, records: "gently" },
  );
}
