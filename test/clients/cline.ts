// Cline's command line: adds the server, signs in through Cline's core package, and calls its tools with a scripted
// model.
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import type { Environment, Workspace } from "./environment.ts";
import { chatCompletions, offeredBy } from "./models/chat-completions.ts";
import { scriptedModel } from "./models/model.ts";
import { calls, check, expiryCheck, gateChecks, modelShown, oauthCheck, type Report, said, turnsOf } from "./report.ts";
import { here, SETUPS } from "./setups.ts";

const PREFIX = "pdpp__";

export async function cline(environment: Environment, workspace: Workspace): Promise<Report> {
  // In any other mode, Cline leaves a daemon running.
  workspace.env.CLINE_SESSION_BACKEND_MODE = "local";
  const hostName = (tool: string): string => PREFIX + tool;
  // Cline cuts results at 8,000 characters, so its model requests pages of the default size.
  const model = await scriptedModel(chatCompletions, turnsOf(environment, hostName, calls(environment, "default")));
  try {
    const [add] = SETUPS.Cline;
    const added = await workspace.run(here(add, environment.url));
    await workspace.run(`cline auth -p openai-compatible -k none -m scripted -b ${model.origin}/v1`);
    // Runs the sign-in of Cline's interactive session without the session.
    copyFileSync(join(import.meta.dirname, "cline", "sign-in.mjs"), join(environment.packages, "cline-sign-in.mjs"));
    const settings = join(workspace.home, ".cline/data/settings/cline_mcp_settings.json");
    const before = workspace.exchanges().length;
    const signedIn = await workspace.runWithOwner(`node cline-sign-in.mjs ${settings} pdpp`, {
      cwd: environment.packages,
    });
    const oauth = oauthCheck(workspace, signedIn, before, /authoriz\w+/i);
    const ask = () => workspace.run('cline --json "Find Lisbon"');
    await ask();
    const shown = modelShown(workspace, model, hostName);
    const gate = gateChecks(workspace, offeredBy(model.requests[0], PREFIX), `offered to the model as ${PREFIX}*`);
    return {
      checks: [
        check("add", added.code === 0, said(added)),
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
