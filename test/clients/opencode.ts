// opencode: adds the server, signs in, and calls its tools with a scripted model.
import { writeFileSync } from "node:fs";
import type { Environment, Workspace } from "./environment.ts";
import { chatCompletions, offeredBy } from "./models/chat-completions.ts";
import { scriptedModel } from "./models/model.ts";
import { check, expiryCheck, gateChecks, modelShown, oauthCheck, type Report, said, turnsOf } from "./report.ts";
import { here, SETUPS } from "./setups.ts";

const PREFIX = "pdpp_";

export async function opencode(environment: Environment, workspace: Workspace): Promise<Report> {
  Object.assign(workspace.env, { OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" });
  const [add, login] = SETUPS.opencode;
  const added = await workspace.run(here(add, environment.url));
  const before = workspace.exchanges().length;
  const signedIn = await workspace.runWithOwner(login);
  const oauth = oauthCheck(workspace, signedIn, before, /Authentication successful/);
  const hostName = (tool: string): string => PREFIX + tool;
  const model = await scriptedModel(chatCompletions, turnsOf(environment, hostName));
  writeFileSync(`${workspace.cwd}/opencode.json`, JSON.stringify(config(model.origin)));
  try {
    const ask = () => workspace.run('opencode run --model scripted/scripted "Find Lisbon"');
    await ask();
    const shown = modelShown(workspace, model, hostName);
    const gate = gateChecks(workspace, offeredBy(model.requests[0], PREFIX), `offered to the model as ${PREFIX}*`);
    return {
      checks: [
        check("add", added.code === 0, said(added, /MCP server "pdpp" added/)),
        oauth,
        ...gate,
        await expiryCheck(environment, workspace, ask),
      ],
      shown,
    };
  } finally {
    await model.close();
  }
}

const config = (origin: string): object => ({
  provider: {
    scripted: {
      npm: "@ai-sdk/openai-compatible",
      name: "Scripted",
      options: { baseURL: `${origin}/v1`, apiKey: "none" },
      models: { scripted: { name: "Scripted", tool_call: true, limit: { context: 200_000, output: 8_000 } } },
    },
  },
});
