// pdpp restore: makes a home of a backup.

import { databaseUrl } from "../../../engine/database.ts";
import { objectsOfOwner, objectsPlace } from "../../../engine/objects-place.ts";
import { type RestoreReport, restoreHome } from "../../../engine/restore.ts";
import { type Command, type CommandContext, text, UsageError } from "../command.ts";
import { nextCommand } from "../next-command.ts";
import { progress } from "../progress.ts";
import { count } from "../table.ts";

export const restore: Command = {
  summary: "make a home of a backup, tokens and grants included",
  usage:
    "pdpp restore DIR --home NEW [--force] [--name NAME]\n       NEW must not exist or be empty; --force moves what is there aside, nothing is ever overwritten.",
  details: `With DATABASE_URL the owner comes into that database instead, under its own id, and --home is the home of the servers,
where blobs go. A database that has this owner already is refused: nothing there is ever replaced. --name is what the
owner is called there (\`pdpp owners\`); a name that is taken is refused before anything is copied.`,
  examples: [
    "pdpp restore ~/backups/2025-05-31 --home ~/restored",
    "pdpp restore /mnt/disk/postern --home ~/.postern --force --json",
  ],
  options: {
    force: { type: "boolean", about: "move what is in the way aside; nothing is overwritten" },
    name: { type: "string", value: "NAME", about: "with DATABASE_URL: the name of the owner there" },
  },
  local: true,
  async run(context) {
    const { positionals, values, home, json, out } = context;
    const [directory, ...rest] = positionals;
    if (directory === undefined || rest.length > 0) throw new UsageError("name the directory of one backup");
    const url = databaseUrl();
    if (url !== undefined && values.force)
      throw new UsageError("--force is for homes: in a database nothing is moved aside");
    const name = text(values, "name");
    if (url === undefined && name !== undefined)
      throw new UsageError("--name is for a database: a home directory has one owner");
    const objects = objectsPlace(home, process.env);
    const show = progress({ lines: true });
    const report = await restoreHome({
      directory,
      home,
      moveAside: values.force === true,
      ...(url === undefined ? {} : { database: { url, name } }),
      objectsFor: (subject) => (url === undefined ? objects : objectsOfOwner(objects, subject)),
      onProgress: show,
    }).finally(() => show(undefined));
    if (json) out(JSON.stringify({ object: "restore", ...report }));
    else render(context, report, url === undefined ? undefined : (name ?? report.owner));
    return report.missing_blobs.length > 0 ? 7 : 0;
  },
};

function render(context: CommandContext, report: RestoreReport, owner: string | undefined): void {
  const { out, note } = context;
  const { records = 0, grants = 0 } = report.counts;
  out(`${owner ?? report.home}: ${count(records, "record")} and ${count(grants, "grant")} as of ${report.created_at}.`);
  if (report.moved_aside !== undefined) out(`What stood there is in ${report.moved_aside} now.`);
  if (report.missing_blobs.length > 0)
    note(`${count(report.missing_blobs.length, "blob")} were lost before the backup was made.`);
  note(
    "Tokens and grants are those of that day: what was revoked since then works again. Check with `pdpp grants list`.",
  );
  note(`Next: ${owner === undefined ? "" : `PDPP_OWNER=${owner} `}${nextCommand(context, ["serve"])}`);
}
