// pdpp setup with the real clients (C-09): each client lists the server after setup, for both lenses, and no longer
// lists it after undo.
import { CLIENTS, type ClientId } from "../../src/contract/client-setups.ts";
import type { Environment, Workspace } from "./environment.ts";
import type { ClientName } from "./packages.ts";
import type { SetupResult } from "./result.ts";

/** Clients that list their servers in a terminal, and the settings that disable everything else. */
const LISTS: Partial<Record<ClientId, { line: string; env: (workspace: Workspace) => NodeJS.ProcessEnv }>> = {
  "claude-code": {
    line: "claude mcp list",
    env: () => ({ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", DISABLE_AUTOUPDATER: "1", DISABLE_TELEMETRY: "1" }),
  },
  codex: { line: "codex mcp list", env: () => ({}) },
  gemini: { line: "gemini mcp list", env: () => ({ GEMINI_CLI_TRUST_WORKSPACE: "true" }) },
  opencode: {
    line: "opencode mcp list",
    env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" }),
  },
};

export async function setupResults(environment: Environment): Promise<SetupResult[]> {
  const results: SetupResult[] = [];
  for (const { id, name } of CLIENTS) {
    const client = LISTS[id];
    if (client === undefined) continue;
    const workspace = environment.workspace(`setup ${id}`);
    Object.assign(workspace.env, client.env(workspace));
    const origin = new URL(environment.url).origin;
    const steps = [];
    for (const step of ["--yes", "--files --yes", "--undo --files --yes", "--undo --yes"]) {
      const ran = await workspace.run(`pdpp setup ${id} --url ${origin} ${step}`);
      steps.push({
        step: step.replace(/ ?--yes/, "").trim(),
        code: ran.code,
        lists: await listed(workspace, client.line),
      });
    }
    results.push({ client: name as ClientName, id, lists: client.line, steps });
  }
  return results;
}

/** Returns the names of our entries in the output. */
async function listed(workspace: Workspace, line: string): Promise<string[]> {
  const { stdout, stderr } = await workspace.run(line);
  const found = `${stdout}\n${stderr}`.match(/\bpdpp(?:-files)?(?=[\s:])/g) ?? [];
  return [...new Set(found)].sort();
}
