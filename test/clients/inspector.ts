// MCP Inspector on the command line: it signs in at the first call and calls tools without a model.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Ran } from "./command.ts";
import type { Place, Seat } from "./place.ts";
import { callEach, check, expiryCheck, gateChecks, oauthCheck, type Report, said } from "./report.ts";
import { GENERIC, here, SETUPS } from "./setups.ts";

export async function inspector(place: Place, seat: Seat): Promise<Report> {
  // Replaces a person's terminal and keychain. The Inspector only checks that they exist.
  Object.assign(seat.env, { MCP_AUTO_OPEN_ENABLED: "true", MCP_INSPECTOR_SECRET_STORE: "file" });
  const [list] = SETUPS["MCP Inspector"];
  const line = here(list, place.url);
  // npx uses the package in the current folder.
  const options = { cwd: place.packages };
  const before = seat.exchanges().length;
  const listed = await seat.runWithOwner(line, options);
  const failed = await callEach(place, (tool, args) => {
    const call = line.replace("tools/list", `tools/call --tool-name ${tool} --tool-args-json '${args}'`);
    return seat.run(`${call} --stored-auth-only`, options);
  });
  const search = `${line.replace("tools/list", "tools/call")} --tool-name search --tool-arg query=lisbon`;
  const expiry = await expiryCheck(place, seat, () => seat.run(`${search} --stored-auth-only`, options));
  const generic = await listedByFile(place, seat);
  return {
    checks: [
      check(
        "add",
        generic.every(({ names }) => names.length === 5),
        generic.map(({ words }) => words).join("; "),
      ),
      oauthCheck(seat, listed, before, /Authorization complete/),
      ...gateChecks(seat, printed(listed.ran), "tools/list prints").map((one) =>
        one.outcome === "ok" || failed === undefined ? one : check(one.name, false, said(failed)),
      ),
      expiry,
    ],
  };
}

/** Tests the http and stdio files for "any other host" with a host that accepts such files. */
async function listedByFile(place: Place, seat: Seat): Promise<{ names: string[]; words: string }[]> {
  await seat.runWithOwner(here(GENERIC.connect, place.url));
  const results = [];
  for (const kind of ["http", "stdio"] as const) {
    const file = join(seat.cwd, `${kind}.json`);
    writeFileSync(file, here(JSON.stringify(GENERIC[kind]), place.url));
    const ran = await seat.run(
      `npx @modelcontextprotocol/inspector --cli --config ${file} --server pdpp --method tools/list --stored-auth-only`,
      { cwd: place.packages },
    );
    const names = printed(ran);
    results.push({ names, words: `mcp.json with ${kind}: ${names.length === 5 ? "five tools" : said(ran)}` });
  }
  return results;
}

const printed = ({ stdout }: Ran): string[] => [...stdout.matchAll(/^ {6}"name": "(\w+)"/gm)].map(([, name]) => name!);
