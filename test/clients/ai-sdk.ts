// The AI SDK: the documented program, a program that signs in, and the SDK's agent loop with a scripted model.
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Loose } from "../harness.ts";
import { textIn } from "./models/model.ts";
import type { Place, Seat } from "./place.ts";
import { check, expiryCheck, gateChecks, gateSaid, oauthCheck, type Report, said, turnsOf } from "./report.ts";
import { here, SETUPS } from "./setups.ts";
import { shownOf } from "./shown.ts";

const PROGRAMS = join(import.meta.dirname, "ai-sdk");
/** The program shown in the docs. */
export const PROGRAM = join(PROGRAMS, "ask.mjs");

export async function aiSdk(place: Place, seat: Seat): Promise<Report> {
  const options = { cwd: place.packages };
  seat.env.TOKENS_FILE = join(seat.home, "ai-sdk-tokens.json");
  for (const name of ["sign-in.mjs", "model.mjs"]) copyFileSync(join(PROGRAMS, name), join(place.packages, name));
  writeFileSync(join(place.packages, "ask.mjs"), here(readFileSync(PROGRAM, "utf8"), place.url));
  const [connect, ask] = SETUPS["AI SDK"];
  await seat.runWithOwner(here(connect, place.url), options);
  const asked = await seat.run(ask, options);
  const before = seat.exchanges().length;
  const signedIn = await seat.runWithOwner(`node sign-in.mjs ${place.url}`, options);
  const own = place.seat("AI SDK model");
  own.env.PDPP_ACCESS_TOKEN = place.token;
  const turns = JSON.stringify(turnsOf(place, (tool) => tool));
  const played = await own.run(`node model.mjs ${place.url} '${turns}'`, options);
  if (played.code !== 0) throw new Error(said(played));
  const checks = [
    check("add", asked.code === 0, said(asked)),
    oauthCheck(seat, signedIn, before, /^schema.*/m),
    ...gateChecks(seat, asked.stdout.trim().split(" "), "client.tools()", own),
    await expiryCheck(place, seat, () => seat.run(`node sign-in.mjs ${place.url}`, options), before),
  ];
  const requests = JSON.parse(played.stdout) as Loose[];
  const last = requests.at(-1);
  const results = last.prompt
    .filter(({ role }: Loose) => role === "tool")
    .flatMap(({ content }: Loose) => content.map(({ output }: Loose) => textIn(output)));
  const shown = shownOf(gateSaid(own), { first: requests[0], last, hostName: (tool) => tool, results });
  return { checks, shown };
}
