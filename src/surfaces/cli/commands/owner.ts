// pdpp owner: tokens of the owner, for tools that the owner trusts with everything.
import { type Command, duration, UsageError } from "../command.ts";
import { plainJson } from "../printable.ts";

export const owner: Command = {
  summary: "owner tokens: full access, for your own tools only",
  usage: "pdpp owner token [--expires 1h]",
  examples: ["pdpp owner token", "pdpp owner token --expires 1h --json"],
  options: { expires: { type: "string" } },
  async run({ values, positionals, json, out, connect }) {
    if (positionals[0] !== "token" || positionals.length > 1) throw new UsageError("say: pdpp owner token");
    const { host, credential } = await connect();
    const body = await host.call("issueOwnerToken", { expires_in_seconds: duration(values, "expires") }, credential);
    out(json ? plainJson(body) : (JSON.parse(body) as { access_token: string }).access_token);
    return 0;
  },
};
