// Claude Code: adds the server, signs in, and calls its tools with a scripted model.
import type { Loose } from "../harness.ts";
import type { Environment, Workspace } from "./environment.ts";
import { messages } from "./models/messages.ts";
import { scriptedModel } from "./models/model.ts";
import { check, expiryCheck, gateChecks, modelShown, oauthCheck, type Report, said, turnsOf } from "./report.ts";
import { here, SETUPS } from "./setups.ts";

const PREFIX = "mcp__pdpp__";
const SUCCESS = /Authenticated with "pdpp"/;
const QUIET = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_AUTOUPDATER: "1",
  DISABLE_TELEMETRY: "1",
  DISABLE_ERROR_REPORTING: "1",
};

export async function claudeCode(environment: Environment, workspace: Workspace): Promise<Report> {
  Object.assign(workspace.env, QUIET, { CLAUDE_CONFIG_DIR: `${workspace.home}/.claude` });
  const [add, login] = SETUPS["Claude Code"];
  const added = await workspace.run(here(add, environment.url));
  const before = workspace.exchanges().length;
  const signedIn = await workspace.runWithOwner(login, { terminal: true });
  const oauth = oauthCheck(workspace, signedIn, before, SUCCESS);
  const again = await registered(environment, workspace, login);
  const hostName = (tool: string): string => PREFIX + tool;
  const turns = turnsOf(environment, hostName);
  // Claude Code defers tools: the model loads them by name before it calls one.
  const load = {
    name: "ToolSearch",
    args: { query: `select:${turns.map(({ name }) => name).join(",")},${PREFIX}aggregate,${PREFIX}fetch` },
  };
  const model = await scriptedModel(messages, [load, ...turns]);
  try {
    const ask = () =>
      workspace.run(`claude -p "Find Lisbon" --output-format stream-json --verbose --allowedTools "${PREFIX}*"`, {
        env: { ...workspace.env, ANTHROPIC_BASE_URL: model.origin, ANTHROPIC_API_KEY: "none" },
      });
    const asked = await ask();
    const started = asked.stdout
      .split("\n")
      .map(parsed)
      .find((line) => line?.subtype === "init");
    const names = ((started?.tools ?? []) as string[]).filter((name) => name.startsWith(PREFIX));
    const shown = modelShown(workspace, model, hostName, 1);
    const gate = gateChecks(
      workspace,
      names.map((name) => name.slice(PREFIX.length)),
      `session starts with ${PREFIX}*`,
    );
    return {
      checks: [
        check("add", added.code === 0, said(added, /Added HTTP MCP server pdpp/)),
        { ...oauth, evidence: `${oauth.evidence}; where the server knows no documents: ${again}` },
        ...gate,
        await expiryCheck(environment, workspace, ask),
      ],
      shown,
    };
  } finally {
    await model.close();
  }
}

/** Repeats the sign-in with dynamic registration, which needs no simulated metadata document. */
async function registered(environment: Environment, workspace: Workspace, login: string): Promise<string> {
  await workspace.run("claude mcp logout pdpp");
  const before = workspace.exchanges().length;
  environment.documents(false);
  try {
    const { outcome, evidence } = oauthCheck(
      workspace,
      await workspace.runWithOwner(login, { terminal: true }),
      before,
      SUCCESS,
    );
    return outcome === "ok" ? "dynamic registration, ok" : evidence;
  } finally {
    environment.documents(true);
  }
}

function parsed(line: string): Loose {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
