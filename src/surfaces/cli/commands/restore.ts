// pdpp restore: makes a home of a backup.
import { type RestoreReport, restoreHome } from "../../../engine/restore.ts";
import { type Command, type CommandContext, UsageError } from "../command.ts";
import { nextCommand } from "../next-command.ts";
import { count } from "../table.ts";

export const restore: Command = {
  summary: "make a home of a backup, tokens and grants included",
  usage:
    "pdpp restore DIR --home NEW [--force]\n       NEW must not exist or be empty; --force moves what is there aside, nothing is ever overwritten.",
  examples: [
    "pdpp restore ~/backups/2025-05-31 --home ~/restored",
    "pdpp restore /mnt/disk/postern --home ~/.postern --force --json",
  ],
  options: { force: { type: "boolean" } },
  local: true,
  async run(context) {
    const { positionals, values, home, json, out } = context;
    const [directory, ...rest] = positionals;
    if (directory === undefined || rest.length > 0) throw new UsageError("name the directory of one backup");
    const report = await restoreHome({ directory, home, moveAside: values.force === true });
    if (json) out(JSON.stringify({ object: "restore", ...report }));
    else show(context, report);
    return report.missing_blobs.length > 0 ? 7 : 0;
  },
};

function show(context: CommandContext, report: RestoreReport): void {
  const { out, note } = context;
  const { records = 0, grants = 0 } = report.counts;
  out(`${report.home}: ${count(records, "record")} and ${count(grants, "grant")} as of ${report.created_at}.`);
  if (report.moved_aside !== undefined) out(`What stood there is in ${report.moved_aside} now.`);
  if (report.missing_blobs.length > 0)
    note(`${count(report.missing_blobs.length, "blob")} were lost before the backup was made.`);
  note(
    "Tokens and grants are those of that day: what was revoked since then works again. Check with `pdpp grants list`.",
  );
  note(`Next: ${nextCommand(context, ["serve"])}`);
}
