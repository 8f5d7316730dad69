// mcporter: adds the server, signs in, and calls each tool as a command. It has no model.
import type { Loose } from "../harness.ts";
import type { Place, Seat } from "./place.ts";
import { callEach, check, expiryCheck, gateChecks, oauthCheck, type Report, said } from "./report.ts";
import { here, SETUPS } from "./setups.ts";

export async function mcporter(place: Place, seat: Seat): Promise<Report> {
  const [add, login] = SETUPS.mcporter;
  const added = await seat.run(here(add, place.url));
  const before = seat.exchanges().length;
  const signedIn = await seat.runWithOwner(login);
  const oauth = oauthCheck(seat, signedIn, before, /OAuth authorization required/);
  const listed = await seat.run("mcporter list pdpp --json");
  const call = (tool: string, args: string) => seat.run(`mcporter call pdpp.${tool} --args '${args}' --output json`);
  const failed = await callEach(place, call);
  return {
    checks: [
      check("add", added.code === 0, said(added, /Added .*/)),
      oauth,
      ...gateChecks(seat, listedIn(listed.stdout), "mcporter list").map((one) =>
        one.outcome === "ok" || failed === undefined ? one : check(one.name, false, said(failed)),
      ),
      await expiryCheck(place, seat, () => call("schema", "{}")),
    ],
  };
}

function listedIn(stdout: string): string[] {
  const { tools } = JSON.parse(stdout) as { tools: Loose[] };
  return tools.map(({ name }) => name);
}
