// Qwen Code with a custom model provider: adds the server, signs in through its interactive session, and calls the
// tools non-interactively.
import { mkdirSync, writeFileSync } from "node:fs";
import type { Loose } from "../harness.ts";
import type { Environment, Workspace } from "./environment.ts";
import { chatCompletions } from "./models/chat-completions.ts";
import { scriptedModel, textIn } from "./models/model.ts";
import { check, expiryCheck, gateChecks, modelShown, oauthCheck, type Report, said, turnsOf } from "./report.ts";
import { here, SETUPS } from "./setups.ts";

const PREFIX = "mcp__pdpp__";
const SETTINGS = {
  general: { enableAutoUpdate: false },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  security: { auth: { selectedType: "openai" } },
};
/** A Qwen Code session takes a long time to start. */
const SESSION_SECONDS = 240;

export async function qwenCode(environment: Environment, workspace: Workspace): Promise<Report> {
  mkdirSync(`${workspace.home}/.qwen`);
  writeFileSync(`${workspace.home}/.qwen/settings.json`, JSON.stringify(SETTINGS));
  const hostName = (tool: string): string => PREFIX + tool;
  const model = await scriptedModel(chatCompletions, turnsOf(environment, hostName));
  Object.assign(workspace.env, {
    OPENAI_API_KEY: "none",
    OPENAI_BASE_URL: `${model.origin}/v1`,
    OPENAI_MODEL: "scripted",
    QWEN_CODE_SUPPRESS_YOLO_WARNING: "1",
  });
  try {
    const [add, session] = SETUPS["Qwen Code"];
    const added = await workspace.run(here(add, environment.url));
    const before = workspace.exchanges().length;
    const listed = (): boolean =>
      workspace.exchanges().some(({ body, status }) => status === 200 && /tools\/list/.test(body));
    const signedIn = await workspace.runWithOwner(session, { terminal: true, until: listed, seconds: SESSION_SECONDS });
    const oauth = oauthCheck(workspace, signedIn, before, /./);
    const ask = () => workspace.run('qwen -y "Find Lisbon"', { seconds: SESSION_SECONDS });
    const asked = await ask();
    const shown = modelShown(workspace, model, hostName);
    const gate = gateChecks(workspace, named(model.requests), `named to the model as ${PREFIX}*, behind tool_search`);
    return {
      checks: [
        check("add", added.code === 0, said(added, /MCP server "pdpp" added/)),
        { ...oauth, evidence: `${oauth.evidence.split("; `")[0]}; then \`qwen -y\` exit ${asked.code}` },
        ...gate,
        await expiryCheck(environment, workspace, ask),
      ],
      shown,
    };
  } finally {
    await model.close();
  }
}

/**
 * The tool names are in a message and not in the tool list: a model looks a tool up before it calls it, or calls it by
 * name.
 */
const named = (requests: readonly Loose[]): string[] =>
  [...textIn(requests.at(-1)).matchAll(/mcp__pdpp__(\w+)/g)].map(([, name]) => name!);
