// MCP Inspector on the command line: it signs in at the first call and calls tools without a model.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Ran } from "./command.ts";
import type { Environment, Workspace } from "./environment.ts";
import { callEach, check, expiryCheck, gateChecks, oauthCheck, type Report, said } from "./report.ts";
import { GENERIC, here, SETUPS } from "./setups.ts";

export async function inspector(environment: Environment, workspace: Workspace): Promise<Report> {
  // Replaces a person's terminal and keychain. The Inspector only checks that they exist.
  Object.assign(workspace.env, { MCP_AUTO_OPEN_ENABLED: "true", MCP_INSPECTOR_SECRET_STORE: "file" });
  const [list] = SETUPS["MCP Inspector"];
  const line = here(list, environment.url);
  // npx uses the package in the current folder.
  const options = { cwd: environment.packages };
  const before = workspace.exchanges().length;
  const listed = await workspace.runWithOwner(line, options);
  const failed = await callEach(environment, (tool, args) => {
    const call = line.replace("tools/list", `tools/call --tool-name ${tool} --tool-args-json '${args}'`);
    return workspace.run(`${call} --stored-auth-only`, options);
  });
  const search = `${line.replace("tools/list", "tools/call")} --tool-name search --tool-arg query=lisbon`;
  const expiry = await expiryCheck(environment, workspace, () =>
    workspace.run(`${search} --stored-auth-only`, options),
  );
  const generic = await listedByFile(environment, workspace);
  return {
    checks: [
      check(
        "add",
        generic.every(({ names }) => names.length === 5),
        generic.map(({ words }) => words).join("; "),
      ),
      oauthCheck(workspace, listed, before, /Authorization complete/),
      ...gateChecks(workspace, printed(listed.ran), "tools/list prints").map((one) =>
        one.outcome === "ok" || failed === undefined ? one : check(one.name, false, said(failed)),
      ),
      expiry,
    ],
  };
}

/** Tests the http and stdio files for "any other host" with a host that accepts such files. */
async function listedByFile(
  environment: Environment,
  workspace: Workspace,
): Promise<{ names: string[]; words: string }[]> {
  await workspace.runWithOwner(here(GENERIC.connect, environment.url));
  const results = [];
  for (const kind of ["http", "stdio"] as const) {
    const file = join(workspace.cwd, `${kind}.json`);
    writeFileSync(file, here(JSON.stringify(GENERIC[kind]), environment.url));
    const ran = await workspace.run(
      `npx @modelcontextprotocol/inspector --cli --config ${file} --server pdpp --method tools/list --stored-auth-only`,
      { cwd: environment.packages },
    );
    const names = printed(ran);
    results.push({ names, words: `mcp.json with ${kind}: ${names.length === 5 ? "five tools" : said(ran)}` });
  }
  return results;
}

const printed = ({ stdout }: Ran): string[] => [...stdout.matchAll(/^ {6}"name": "(\w+)"/gm)].map(([, name]) => name!);
