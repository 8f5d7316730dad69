// pdpp doctor: checks a home and says what to do.

import { databaseUrl, ownerAsked } from "../../../engine/database.ts";
import { examine } from "../../../engine/doctor.ts";
import type { Check } from "../../../engine/doctor-checks.ts";
import { examineDatabase } from "../../../engine/doctor-database.ts";
import { checkHomePlace } from "../../../engine/home-place.ts";
import { objectsOfOwner, objectsPlace } from "../../../engine/objects-place.ts";
import { type Command, UsageError } from "../command.ts";
import { DEFAULT_ORIGIN } from "../default-address.ts";
import { plainJson, printable } from "../printable.ts";

const CONNECT = ` To connect an AI app, start the server and open ${DEFAULT_ORIGIN}/dashboard/connect`;

export const doctor: Command = {
  summary: "check a home and say what to do; changes nothing",
  usage: "pdpp doctor [--home DIR] [--deep]\n       --deep reads every blob instead of a sample.",
  details: `With DATABASE_URL the database is checked, and its owner; PDPP_OWNER says which, where there are several.`,
  examples: ["pdpp doctor", "pdpp doctor --home ~/my-data --deep", "pdpp doctor --json"],
  options: { deep: { type: "boolean" } },
  local: true,
  async run({ positionals, values, home, json, out }) {
    if (positionals.length > 0) throw new UsageError(`what is ${JSON.stringify(positionals[0])}?`);
    const report = await look(home, values.deep === true);
    if (json) out(plainJson(JSON.stringify(report)));
    else {
      const width = Math.max(...report.checks.map((check) => check.name.length));
      for (const check of report.checks) out(lines(check, width));
      // Where servers on a database answer is theirs to say.
      const next = databaseUrl() === undefined ? CONNECT : "";
      out(report.ok ? `\nAll is well.${next}` : "\nSomething needs you: see the lines that fail.");
    }
    return report.ok ? 0 : 1;
  },
};

function look(home: string, deep: boolean): ReturnType<typeof examine> {
  const [url, objects] = [databaseUrl(), objectsPlace(home, process.env)];
  if (url !== undefined)
    return examineDatabase({
      home,
      url,
      owner: ownerAsked(),
      objectsFor: (subject) => objectsOfOwner(objects, subject),
      deep,
    });
  checkHomePlace(home);
  return examine({ home, objects, deep });
}

function lines({ name, status, message, next }: Check, width: number): string {
  const first = `${status.padEnd(4)}  ${name.padEnd(width)}  ${printable(message, 500)}`;
  return next === undefined ? first : `${first}\n${" ".repeat(8 + width)}→ ${printable(next, 500)}`;
}
