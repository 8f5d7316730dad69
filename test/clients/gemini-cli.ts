// Gemini CLI: adds the server, signs in, and calls its tools with a scripted model.
import { mkdirSync, writeFileSync } from "node:fs";
import type { Loose } from "../harness.ts";
import type { Environment, Workspace } from "./environment.ts";
import { generateContent } from "./models/generate-content.ts";
import { scriptedModel } from "./models/model.ts";
import { check, expiryCheck, gateChecks, modelShown, oauthCheck, type Report, said, turnsOf } from "./report.ts";
import { here, SETUPS } from "./setups.ts";

const PREFIX = "mcp_pdpp_";
const SETTINGS = {
  general: { enableAutoUpdate: false },
  privacy: { usageStatisticsEnabled: false },
  security: { auth: { selectedType: "gemini-api-key" } },
};

export async function geminiCli(environment: Environment, workspace: Workspace): Promise<Report> {
  mkdirSync(`${workspace.home}/.gemini`);
  writeFileSync(`${workspace.home}/.gemini/settings.json`, JSON.stringify(SETTINGS));
  const hostName = (tool: string): string => PREFIX + tool;
  const model = await scriptedModel(generateContent, turnsOf(environment, hostName));
  Object.assign(workspace.env, {
    GEMINI_API_KEY: "none",
    GOOGLE_GEMINI_BASE_URL: model.origin,
    // Gemini CLI asks a person to trust the workspace, and there is no person here.
    GEMINI_CLI_TRUST_WORKSPACE: "true",
    GEMINI_TELEMETRY_ENABLED: "false",
  });
  try {
    const [add, login] = SETUPS["Gemini CLI"];
    const added = await workspace.run(here(add, environment.url));
    const before = workspace.exchanges().length;
    const signedIn = await workspace.runWithOwner(login, { terminal: true, answer: { to: /\[Y\/n\]/, type: "y\r" } });
    const oauth = oauthCheck(workspace, signedIn, before, /Successfully authenticated/);
    const ask = () => workspace.run('gemini -m gemini-2.5-flash --approval-mode yolo -p "Find Lisbon"');
    await ask();
    const shown = modelShown(workspace, model, hostName);
    const gate = gateChecks(workspace, offered(model.requests[0]), `declared to the model as ${PREFIX}*`);
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

const offered = (request: Loose): string[] =>
  (request?.tools ?? [])
    .flatMap(({ functionDeclarations }: Loose) => functionDeclarations ?? [])
    .map(({ name }: Loose) => name as string)
    .filter((name: string) => name.startsWith(PREFIX))
    .map((name: string) => name.slice(PREFIX.length));
