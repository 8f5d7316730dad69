// mcporter: adds the server, signs in, and calls each tool as a command. It has no model.
import type { Loose } from "../harness.ts";
import type { Environment, Workspace } from "./environment.ts";
import { callEach, check, expiryCheck, gateChecks, oauthCheck, type Report, said } from "./report.ts";
import { here, SETUPS } from "./setups.ts";

export async function mcporter(environment: Environment, workspace: Workspace): Promise<Report> {
  const [add, login] = SETUPS.mcporter;
  const added = await workspace.run(here(add, environment.url));
  const before = workspace.exchanges().length;
  const signedIn = await workspace.runWithOwner(login);
  const oauth = oauthCheck(workspace, signedIn, before, /OAuth authorization required/);
  const listed = await workspace.run("mcporter list pdpp --json");
  const call = (tool: string, args: string) =>
    workspace.run(`mcporter call pdpp.${tool} --args '${args}' --output json`);
  const failed = await callEach(environment, call);
  return {
    checks: [
      check("add", added.code === 0, said(added, /Added .*/)),
      oauth,
      ...gateChecks(workspace, listedIn(listed.stdout), "mcporter list").map((one) =>
        one.outcome === "ok" || failed === undefined ? one : check(one.name, false, said(failed)),
      ),
      await expiryCheck(environment, workspace, () => call("schema", "{}")),
    ],
  };
}

function listedIn(stdout: string): string[] {
  const { tools } = JSON.parse(stdout) as { tools: Loose[] };
  return tools.map(({ name }) => name);
}
