// Cline's command line: adds the server, signs in through Cline's core package, and calls its tools with a scripted
// model.
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { chatCompletions, offeredBy } from "./models/chat-completions.ts";
import { scriptedModel } from "./models/model.ts";
import type { Place, Seat } from "./place.ts";
import { calls, check, expiryCheck, gateChecks, modelShown, oauthCheck, type Report, said, turnsOf } from "./report.ts";
import { here, SETUPS } from "./setups.ts";

const PREFIX = "pdpp__";

export async function cline(place: Place, seat: Seat): Promise<Report> {
  // In any other mode, Cline leaves a daemon running.
  seat.env.CLINE_SESSION_BACKEND_MODE = "local";
  const hostName = (tool: string): string => PREFIX + tool;
  // Cline cuts results at 8,000 characters, so its model requests pages of the default size.
  const model = await scriptedModel(chatCompletions, turnsOf(place, hostName, calls(place, "default")));
  try {
    const [add] = SETUPS.Cline;
    const added = await seat.run(here(add, place.url));
    await seat.run(`cline auth -p openai-compatible -k none -m scripted -b ${model.origin}/v1`);
    // Runs the sign-in of Cline's interactive session without the session.
    copyFileSync(join(import.meta.dirname, "cline", "sign-in.mjs"), join(place.packages, "cline-sign-in.mjs"));
    const settings = join(seat.home, ".cline/data/settings/cline_mcp_settings.json");
    const before = seat.exchanges().length;
    const signedIn = await seat.runWithOwner(`node cline-sign-in.mjs ${settings} pdpp`, { cwd: place.packages });
    const oauth = oauthCheck(seat, signedIn, before, /authoriz\w+/i);
    const ask = () => seat.run('cline --json "Find Lisbon"');
    await ask();
    const shown = modelShown(seat, model, hostName);
    const gate = gateChecks(seat, offeredBy(model.requests[0], PREFIX), `offered to the model as ${PREFIX}*`);
    return {
      checks: [check("add", added.code === 0, said(added)), oauth, ...gate, await expiryCheck(place, seat, ask)],
      shown,
    };
  } finally {
    await model.close();
  }
}
