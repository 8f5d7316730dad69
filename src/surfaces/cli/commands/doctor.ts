// pdpp doctor: checks a home and suggests repairs.

import { counted } from "../../../core/counted.ts";
import { databaseUrl, ownerAsked } from "../../../engine/database.ts";
import { examine } from "../../../engine/doctor.ts";
import type { DoctorCheck } from "../../../engine/doctor-checks.ts";
import { examineDatabase } from "../../../engine/doctor-database.ts";
import { servingAddress } from "../../../engine/home-address.ts";
import { checkHomeDirectory } from "../../../engine/home-directory.ts";
import { giveNewKey, NEW_KEY_ENDS, requireLostKey } from "../../../engine/new-key.ts";
import { objectsOfOwner, objectsPlace } from "../../../engine/objects-place.ts";
import { salvageHome } from "../../../engine/salvage.ts";
import { type Command, UsageError } from "../command.ts";
import { DEFAULT_ORIGIN } from "../default-address.ts";
import { plainJson, printable } from "../printable.ts";
import { confirm } from "../prompt.ts";

/** Links to the server of this home if one is running. */
function connectStep(home: string): string {
  const serving = servingAddress(home);
  return ` To connect an AI app, ${serving === undefined ? "start the server and open" : "open"} ${serving ?? DEFAULT_ORIGIN}/dashboard/connect`;
}

export const doctor: Command = {
  summary: "check a home and suggest repairs",
  usage:
    "pdpp doctor [--home DIR] [--deep]\n       pdpp doctor --new-key [--yes] [--home DIR]\n       pdpp doctor --salvage NEW [--home DIR]\n       --deep reads every blob instead of a sample.",
  details: `With DATABASE_URL, the database and its owner are checked; if there are several owners, PDPP_OWNER selects one.
--new-key creates a new key for a home that lost its key. It lists what becomes invalid and asks first; --yes confirms in a script.
--salvage creates a new home with everything that can still be read from a damaged one, and lists the rest. The damaged home is not changed.`,
  examples: ["pdpp doctor", "pdpp doctor --home ~/my-data --deep", "pdpp doctor --json"],
  options: {
    salvage: {
      type: "string",
      value: "NEW",
      about: "copy everything that can still be read from a damaged home into a new one",
    },
    deep: { type: "boolean", about: "read every blob instead of a sample" },
    "new-key": { type: "boolean", about: "create a new key for a home that lost its key; asks first" },
    yes: { type: "boolean", about: "do not ask for confirmation" },
  },
  local: true,
  async run({ positionals, values, home, json, out }) {
    if (positionals.length > 0) throw new UsageError(`unexpected argument ${JSON.stringify(positionals[0])}`);
    if (values["new-key"]) return newKey(home, values.yes === true, json, out);
    if (typeof values.salvage === "string") return salvage(home, values.salvage, json, out);
    if (values.yes) throw new UsageError("--yes can only be used with --new-key");
    // With a database, only its servers know their addresses, so no link is shown.
    const next = databaseUrl() === undefined ? connectStep(home) : "";
    const report = await look(home, values.deep === true);
    if (json) out(plainJson(JSON.stringify(report)));
    else {
      const width = Math.max(...report.checks.map((check) => check.name.length));
      for (const check of report.checks) out(lines(check, width));
      out(report.ok ? `\nAll is well.${next}` : "\nSomething needs attention: see the lines marked fail.");
    }
    return report.ok ? 0 : 1;
  },
};

async function newKey(home: string, yes: boolean, json: boolean, out: (text: string) => void): Promise<number> {
  if (databaseUrl() !== undefined)
    throw new UsageError("--new-key is for a home directory: in a database each owner's key is stored with the owner");
  requireLostKey(home);
  const ends = NEW_KEY_ENDS.map((line) => `  - ${line}`).join("\n");
  if (
    !yes &&
    !(await confirm(
      `A new key invalidates:\n${ends}\nCreate a new key?`,
      "Add --yes to create a new key without being asked.",
    ))
  )
    return 1;
  const report = await giveNewKey(home);
  if (json) out(JSON.stringify({ object: "new_key", ...report, ends: NEW_KEY_ENDS }));
  else {
    out(`${home} has a new key. This invalidated:\n${ends}`);
    out(
      `The last entry in the audit log records this. Earlier entries that were sealed again without changes: ${report.entries}.`,
    );
    if (report.journals_kept !== undefined)
      out(`Lines that had not reached the log yet cannot be verified. They are kept in ${report.journals_kept}.`);
  }
  return 0;
}

async function salvage(home: string, directory: string, json: boolean, out: (text: string) => void): Promise<number> {
  if (databaseUrl() !== undefined)
    throw new UsageError("--salvage is for a home directory: restore a database from its own backup");
  const report = await salvageHome({ home, objects: objectsPlace(home, process.env), directory });
  if (json) {
    out(plainJson(JSON.stringify({ object: "salvage_report", ...report })));
    return 0;
  }
  const { counts, tables, lost_records: lost, missing_blobs: missing } = report;
  out(
    `${report.directory} is a new home with ${counted(counts.records, "record")}, ${counted(counts.grants, "grant")} and ${counted(counts.blobs, "blob")}.`,
  );
  if (report.audit_log === "new") out("The audit log is damaged. It was not copied, and a new log was started.");
  for (const [table, { damaged, partial }] of Object.entries(tables))
    if (damaged > 0 || partial)
      out(
        `${table}: rows that do not match their checksum: ${damaged}${partial ? ", and some could not be read" : ""}`,
      );
  for (const { stream, id, version } of lost)
    out(`lost: ${printable(stream, 100)} ${printable(id, 200)} (version ${version})`);
  for (const blob of missing) out(`lost: blob ${blob}`);
  if (lost.length > 0)
    out(`Could not read ${counted(lost.length, "record")}. Import the missing data again from its source.`);
  return 0;
}

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
  checkHomeDirectory(home);
  return examine({ home, objects, deep });
}

function lines({ name, status, message, next }: DoctorCheck, width: number): string {
  const first = `${status.padEnd(4)}  ${name.padEnd(width)}  ${printable(message, 500)}`;
  return next === undefined ? first : `${first}\n${" ".repeat(8 + width)}→ ${printable(next, 500)}`;
}
