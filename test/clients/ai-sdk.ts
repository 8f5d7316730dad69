// The AI SDK: the documented program, a program that signs in, and the SDK's agent loop with a scripted model.
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Loose } from "../harness.ts";
import type { Environment, Workspace } from "./environment.ts";
import { textIn } from "./models/model.ts";
import { check, expiryCheck, gateChecks, gateSaid, oauthCheck, type Report, said, turnsOf } from "./report.ts";
import { here, SETUPS } from "./setups.ts";
import { shownOf } from "./shown.ts";

const PROGRAMS = join(import.meta.dirname, "ai-sdk");
/** The program shown in the docs. */
export const PROGRAM = join(PROGRAMS, "ask.mjs");

export async function aiSdk(environment: Environment, workspace: Workspace): Promise<Report> {
  const options = { cwd: environment.packages };
  workspace.env.TOKENS_FILE = join(workspace.home, "ai-sdk-tokens.json");
  for (const name of ["sign-in.mjs", "model.mjs"]) copyFileSync(join(PROGRAMS, name), join(environment.packages, name));
  writeFileSync(join(environment.packages, "ask.mjs"), here(readFileSync(PROGRAM, "utf8"), environment.url));
  const [connect, ask] = SETUPS["AI SDK"];
  await workspace.runWithOwner(here(connect, environment.url), options);
  const asked = await workspace.run(ask, options);
  const before = workspace.exchanges().length;
  const signedIn = await workspace.runWithOwner(`node sign-in.mjs ${environment.url}`, options);
  const own = environment.workspace("AI SDK model");
  own.env.PDPP_ACCESS_TOKEN = environment.token;
  const turns = JSON.stringify(turnsOf(environment, (tool) => tool));
  const played = await own.run(`node model.mjs ${environment.url} '${turns}'`, options);
  if (played.code !== 0) throw new Error(said(played));
  const checks = [
    check("add", asked.code === 0, said(asked)),
    oauthCheck(workspace, signedIn, before, /^schema.*/m),
    ...gateChecks(workspace, asked.stdout.trim().split(" "), "client.tools()", own),
    await expiryCheck(
      environment,
      workspace,
      () => workspace.run(`node sign-in.mjs ${environment.url}`, options),
      before,
    ),
  ];
  const requests = JSON.parse(played.stdout) as Loose[];
  const last = requests.at(-1);
  const results = last.prompt
    .filter(({ role }: Loose) => role === "tool")
    .flatMap(({ content }: Loose) => content.map(({ output }: Loose) => textIn(output)));
  const shown = shownOf(gateSaid(own), { first: requests[0], last, hostName: (tool) => tool, results });
  return { checks, shown };
}
