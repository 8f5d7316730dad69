// pdpp setup with the real clients (C-09): each client lists the server after setup, for both lenses, and no longer
// lists it after undo.
import { CLIENTS, type ClientId } from "../../src/contract/client-setups.ts";
import type { ClientName } from "./packages.ts";
import type { Place, Seat } from "./place.ts";
import type { SetupResult } from "./result.ts";

/** Clients that list their servers in a terminal, and the settings that disable everything else. */
const LISTS: Partial<Record<ClientId, { line: string; env: (seat: Seat) => NodeJS.ProcessEnv }>> = {
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

export async function setupResults(place: Place): Promise<SetupResult[]> {
  const results: SetupResult[] = [];
  for (const { id, name } of CLIENTS) {
    const client = LISTS[id];
    if (client === undefined) continue;
    const seat = place.seat(`setup ${id}`);
    Object.assign(seat.env, client.env(seat));
    const origin = new URL(place.url).origin;
    const steps = [];
    for (const step of ["--yes", "--files --yes", "--undo --files --yes", "--undo --yes"]) {
      const ran = await seat.run(`pdpp setup ${id} --url ${origin} ${step}`);
      steps.push({ step: step.replace(/ ?--yes/, "").trim(), code: ran.code, lists: await listed(seat, client.line) });
    }
    results.push({ client: name as ClientName, id, lists: client.line, steps });
  }
  return results;
}

/** Returns the names of our entries in the output. */
async function listed(seat: Seat, line: string): Promise<string[]> {
  const { stdout, stderr } = await seat.run(line);
  const found = `${stdout}\n${stderr}`.match(/\bpdpp(?:-files)?(?=[\s:])/g) ?? [];
  return [...new Set(found)].sort();
}
