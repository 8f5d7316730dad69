// GitHub Copilot CLI with a custom model provider: adds the server, signs in through its interactive session, and calls
// the tools non-interactively.

import type { Environment, Workspace } from "./environment.ts";
import { chatCompletions, offeredBy } from "./models/chat-completions.ts";
import { scriptedModel } from "./models/model.ts";
import { check, expiryCheck, gateChecks, modelShown, oauthCheck, type Report, said, turnsOf } from "./report.ts";
import { here, SETUPS } from "./setups.ts";

const PREFIX = "pdpp-";

export async function copilotCli(environment: Environment, workspace: Workspace): Promise<Report> {
  const hostName = (tool: string): string => PREFIX + tool;
  // The first call of a session is sometimes lost while Copilot connects, so the first call is one of its built-in
  // tools.
  const own = { name: "glob", args: { pattern: "*" } };
  const model = await scriptedModel(chatCompletions, [own, ...turnsOf(environment, hostName)]);
  Object.assign(workspace.env, {
    COPILOT_PROVIDER_BASE_URL: `${model.origin}/v1`,
    COPILOT_PROVIDER_API_KEY: "none",
    COPILOT_MODEL: "gpt-4.1",
    COPILOT_OFFLINE: "true",
    COPILOT_AUTO_UPDATE: "false",
    COPILOT_ALLOW_ALL: "true",
  });
  try {
    const [add, session] = SETUPS["Copilot CLI"];
    const added = await workspace.run(here(add, environment.url));
    const before = workspace.exchanges().length;
    // The session stays open until it is ended. By then it has signed in and listed the tools.
    const listed = (): boolean =>
      workspace.exchanges().some(({ body, status }) => status === 200 && /tools\/list/.test(body));
    const signedIn = await workspace.runWithOwner(session, { terminal: true, until: listed });
    const oauth = oauthCheck(workspace, signedIn, before, /./);
    const ask = () => workspace.run('copilot -p "Find Lisbon" --allow-all-tools');
    const asked = await ask();
    const shown = modelShown(workspace, model, hostName, 1);
    const gate = gateChecks(workspace, offeredBy(model.requests.at(-1), PREFIX), `offered to the model as ${PREFIX}*`);
    return {
      checks: [
        check("add", added.code === 0, said(added, /Added server "pdpp"/)),
        { ...oauth, evidence: `${oauth.evidence.split("; `")[0]}; then \`copilot -p\` exit ${asked.code}` },
        ...gate,
        await expiryCheck(environment, workspace, ask),
      ],
      shown,
    };
  } finally {
    await model.close();
  }
}
