// LangChain's MCP adapter: the documented program, a program that signs in, and a LangChain agent with a scripted model.
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Loose } from "../harness.ts";
import type { Environment, Workspace } from "./environment.ts";
import { textIn } from "./models/model.ts";
import { check, expiryCheck, gateChecks, gateSaid, oauthCheck, type Report, said, turnsOf } from "./report.ts";
import { here, SETUPS } from "./setups.ts";
import { shownOf } from "./shown.ts";

const PROGRAMS = join(import.meta.dirname, "langchain");
/** The program shown in the docs. */
export const LANGCHAIN_PROGRAM = join(PROGRAMS, "ask.mjs");

export async function langchain(environment: Environment, workspace: Workspace): Promise<Report> {
  const options = { cwd: environment.packages };
  workspace.env.TOKENS_FILE = join(workspace.home, "langchain-tokens.json");
  for (const name of ["sign-in.mjs", "agent.mjs"])
    copyFileSync(join(PROGRAMS, name), join(environment.packages, `langchain-${name}`));
  writeFileSync(join(environment.packages, "ask.mjs"), here(readFileSync(LANGCHAIN_PROGRAM, "utf8"), environment.url));
  const [connect, ask] = SETUPS.LangChain;
  await workspace.runWithOwner(here(connect, environment.url), options);
  const asked = await workspace.run(ask, options);
  const before = workspace.exchanges().length;
  const signIn = `node langchain-sign-in.mjs ${environment.url}`;
  const signedIn = await workspace.runWithOwner(signIn, options);
  const own = environment.workspace("LangChain agent");
  own.env.PDPP_ACCESS_TOKEN = environment.token;
  const turns = JSON.stringify(turnsOf(environment, (tool) => tool));
  const played = await own.run(`node langchain-agent.mjs ${environment.url} '${turns}'`, options);
  if (played.code !== 0) throw new Error(said(played));
  const requests = JSON.parse(played.stdout) as Loose[];
  const last = requests.at(-1);
  const checks = [
    check("add", asked.code === 0, said(asked)),
    oauthCheck(workspace, signedIn, before, /^schema.*/m),
    ...gateChecks(workspace, asked.stdout.trim().split(" "), "client.getTools()", own),
    await expiryCheck(environment, workspace, () => workspace.run(signIn, options), before),
  ];
  const results = last.messages
    .filter(({ type }: Loose) => type === "tool")
    .map(({ content }: Loose) => textIn(content));
  return { checks, shown: shownOf(gateSaid(own), { first: requests[0], last, hostName: (tool) => tool, results }) };
}
