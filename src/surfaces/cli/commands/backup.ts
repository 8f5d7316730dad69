// pdpp backup: copies the whole home while it works.
import { type BackupReport, backupHome } from "../../../engine/backup.ts";
import { type Command, type CommandContext, UsageError } from "../command.ts";
import { nextCommand } from "../next-command.ts";
import { ownPlace, readingFrom } from "../own-place.ts";
import { bytes, count } from "../table.ts";

export const backup: Command = {
  summary: "copy the whole home into a new directory, while it works",
  usage:
    "pdpp backup DIR [--home DIR]\n       DIR is made; it holds everything, keys included: keep it as safe as the home.",
  details: `With DATABASE_URL the data of its owner is copied, into the same kind of backup: it restores into a home directory as well.
PDPP_OWNER says which owner, where there are several; --home is then the home of the servers, where blobs are.`,
  examples: ["pdpp backup ~/backups/2025-05-31", "pdpp backup /mnt/disk/postern --home ~/my-data --json"],
  options: {},
  local: true,
  async run(context) {
    const { positionals, json, out, note } = context;
    const [directory, ...rest] = positionals;
    if (directory === undefined || rest.length > 0) throw new UsageError("name one directory to make");
    const own = await ownPlace(context, { readOnly: true });
    const report = await readingFrom(own, note, (place) =>
      backupHome({
        ...place,
        directory,
        onProgress: process.stderr.isTTY ? (text) => note(`${text} …`) : undefined,
      }),
    );
    if (json) out(JSON.stringify({ object: "backup", ...report }));
    else show(context, report);
    return report.missing_blobs.length > 0 ? 7 : 0;
  },
};

function show(context: CommandContext, report: BackupReport): void {
  const { out, note, values } = context;
  const { records, connections, grants, blobs } = report.counts;
  out(
    `${report.directory}: ${count(records, "record")} of ${count(connections, "connection")}, ${count(grants, "grant")}, ${count(blobs, "blob")}, ${bytes(report.bytes)}.`,
  );
  if (report.missing_blobs.length > 0) {
    note(
      `The home has lost ${count(report.missing_blobs.length, "blob")}; all else is saved. \`pdpp doctor --deep\` names them.`,
    );
  }
  note(
    `To restore: ${nextCommand({ values: { ...values, home: undefined } }, ["restore", report.directory], {})} --home NEW`,
  );
}
