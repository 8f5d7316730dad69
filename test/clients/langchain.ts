// LangChain's MCP adapter: the documented program, a program that signs in, and a LangChain agent with a scripted model.
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Loose } from "../harness.ts";
import { textIn } from "./models/model.ts";
import type { Place, Seat } from "./place.ts";
import { check, expiryCheck, gateChecks, gateSaid, oauthCheck, type Report, said, turnsOf } from "./report.ts";
import { here, SETUPS } from "./setups.ts";
import { shownOf } from "./shown.ts";

const PROGRAMS = join(import.meta.dirname, "langchain");
/** The program shown in the docs. */
export const LANGCHAIN_PROGRAM = join(PROGRAMS, "ask.mjs");

export async function langchain(place: Place, seat: Seat): Promise<Report> {
  const options = { cwd: place.packages };
  seat.env.TOKENS_FILE = join(seat.home, "langchain-tokens.json");
  for (const name of ["sign-in.mjs", "agent.mjs"])
    copyFileSync(join(PROGRAMS, name), join(place.packages, `langchain-${name}`));
  writeFileSync(join(place.packages, "ask.mjs"), here(readFileSync(LANGCHAIN_PROGRAM, "utf8"), place.url));
  const [connect, ask] = SETUPS.LangChain;
  await seat.runWithOwner(here(connect, place.url), options);
  const asked = await seat.run(ask, options);
  const before = seat.exchanges().length;
  const signIn = `node langchain-sign-in.mjs ${place.url}`;
  const signedIn = await seat.runWithOwner(signIn, options);
  const own = place.seat("LangChain agent");
  own.env.PDPP_ACCESS_TOKEN = place.token;
  const turns = JSON.stringify(turnsOf(place, (tool) => tool));
  const played = await own.run(`node langchain-agent.mjs ${place.url} '${turns}'`, options);
  if (played.code !== 0) throw new Error(said(played));
  const requests = JSON.parse(played.stdout) as Loose[];
  const last = requests.at(-1);
  const checks = [
    check("add", asked.code === 0, said(asked)),
    oauthCheck(seat, signedIn, before, /^schema.*/m),
    ...gateChecks(seat, asked.stdout.trim().split(" "), "client.getTools()", own),
    await expiryCheck(place, seat, () => seat.run(signIn, options), before),
  ];
  const results = last.messages
    .filter(({ type }: Loose) => type === "tool")
    .map(({ content }: Loose) => textIn(content));
  return { checks, shown: shownOf(gateSaid(own), { first: requests[0], last, hostName: (tool) => tool, results }) };
}
