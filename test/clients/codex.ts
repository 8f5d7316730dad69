// Codex: adds the server, signs in during that step, and calls its tools with a scripted model.
import { appendFileSync, mkdirSync } from "node:fs";
import type { Loose } from "../harness.ts";
import type { Environment, Workspace } from "./environment.ts";
import { scriptedModel } from "./models/model.ts";
import { responses, TOOL_SEARCH } from "./models/responses.ts";
import { check, expiryCheck, gateChecks, modelShown, oauthCheck, type Report, said, turnsOf } from "./report.ts";
import { here, SETUPS } from "./setups.ts";

const NAMESPACE = "mcp__pdpp";
const SUCCESS = /Successfully logged in/;

export async function codex(environment: Environment, workspace: Workspace): Promise<Report> {
  const home = `${workspace.home}/.codex`;
  mkdirSync(home);
  Object.assign(workspace.env, { CODEX_HOME: home, SCRIPTED_MODEL_KEY: "none" });
  const [add] = SETUPS.Codex;
  const before = workspace.exchanges().length;
  const added = await workspace.runWithOwner(here(add, environment.url));
  const oauth = oauthCheck(workspace, added, before, SUCCESS);
  // Servers without internet access cannot fetch Codex's metadata document, so this login uses dynamic registration.
  const between = workspace.exchanges().length;
  await workspace.run("codex mcp logout pdpp");
  const registered = await workspace.runWithOwner("codex mcp login pdpp --oauth-client-registration dcr");
  const again = oauthCheck(workspace, registered, between, SUCCESS);
  const hostName = (tool: string): string => `${NAMESPACE}/${tool}`;
  const search = { name: TOOL_SEARCH, args: { query: "pdpp schema search query_records aggregate fetch", limit: 8 } };
  const model = await scriptedModel(responses, [search, ...turnsOf(environment, hostName)]);
  appendFileSync(`${home}/config.toml`, config(model.origin));
  try {
    const ask = () =>
      workspace.run('codex exec --skip-git-repo-check -c model="gpt-5.5" -c model_provider="scripted" "Find Lisbon"');
    await ask();
    const shown = modelShown(workspace, model, (tool) => `${NAMESPACE}__${tool}`, 1);
    const gate = gateChecks(workspace, offered(model.requests.at(-1)), `in namespace ${NAMESPACE} after a tool search`);
    return {
      checks: [
        check("add", added.ran.code === 0, said(added.ran, /Added global MCP server 'pdpp'/)),
        {
          ...oauth,
          evidence: `${oauth.evidence}; with --oauth-client-registration dcr: dynamic registration, ${again.outcome}`,
        },
        ...gate,
        await expiryCheck(environment, workspace, ask),
      ],
      shown,
    };
  } finally {
    await model.close();
  }
}

/** Returns the tools that the search returned. */
const offered = (request: Loose): string[] =>
  (request?.input ?? [])
    .filter(({ type }: Loose) => type === "tool_search_output")
    .flatMap(({ tools }: Loose) => tools)
    .filter(({ name }: Loose) => name === NAMESPACE)
    .flatMap(({ tools }: Loose) => tools.map(({ name }: Loose) => name));

const config = (origin: string): string => `
[analytics]
enabled = false
[model_providers.scripted]
name = "Scripted"
base_url = "${origin}/v1"
env_key = "SCRIPTED_MODEL_KEY"
wire_api = "responses"
`;
