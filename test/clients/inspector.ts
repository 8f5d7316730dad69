// MCP Inspector on the command line: it signs in by itself at the first call and calls tools without a model.
import type { Ran } from "./command.ts";
import type { Place, Seat } from "./place.ts";
import { callCheck, calls, check, oauthCheck, type Report, said, toolsCheck } from "./report.ts";
import { here, SETUPS } from "./setups.ts";

export async function inspector(place: Place, seat: Seat): Promise<Report> {
  // A person has a terminal and a keychain; both are only asked for.
  Object.assign(seat.env, { MCP_AUTO_OPEN_ENABLED: "true", MCP_INSPECTOR_SECRET_STORE: "file" });
  const [list] = SETUPS["MCP Inspector"];
  const line = here(list, place.url);
  // npx takes the package of the folder it stands in.
  const options = { cwd: place.packages };
  const before = seat.exchanges().length;
  const listed = await seat.runWithOwner(line, options);
  const called: Ran[] = [];
  for (const { tool, args } of calls(place).slice(0, 2)) {
    const call = line.replace("tools/list", `tools/call --tool-name ${tool} --tool-args-json '${JSON.stringify(args)}'`);
    called.push(await seat.run(`${call} --stored-auth-only`, options));
  }
  return {
    checks: [
      check("add", listed.ran.code === 0, "nothing to add: the address is an argument"),
      oauthCheck(seat, listed, before),
      toolsCheck([...listed.ran.stdout.matchAll(/^ {6}"name": "(\w+)"/gm)].map(([, name]) => name!), "tools/list prints"),
      ...(["schema", "search"] as const).map((tool, index) => {
        const seen = callCheck(seat, tool);
        return called[index]!.code === 0 ? seen : check(tool, false, said(called[index]!));
      }),
    ],
  };
}
