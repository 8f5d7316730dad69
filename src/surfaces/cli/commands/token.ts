// pdpp token: prints the stored credential's access token, for scripts.
import type { Command } from "../command.ts";
import { credentialIn } from "../credentials.ts";
import { storedServer } from "../stored-server.ts";
import { currentToken } from "../stored-token.ts";

export const token: Command = {
  summary: "print a valid access token, for scripts",
  usage: "pdpp token [ORIGIN] [--files]\n       The token that `pdpp connect` stored, renewed first if it has expired.",
  examples: ["pdpp token", "pdpp token https://data.example.org", "pdpp token --json"],
  options: { files: { type: "boolean", about: "print the token for disks instead of the one for records" } },
  remote: true,
  async run(context) {
    const stored = storedServer(context, "token");
    const access_token = await currentToken(stored);
    const { origin: server } = stored;
    const { expires_at } = credentialIn(stored) ?? stored;
    context.out(context.json ? JSON.stringify({ server, access_token, expires_at }) : access_token);
    return 0;
  },
};
