// pdpp backup: saves the whole home while it is in use; later backups store only changes.
import { resolve } from "node:path";
import { type BackupReport, backupHome } from "../../../engine/backup/backup.ts";
import { parseEvery, readPlan, writePlan } from "../../../engine/backup/plan.ts";
import { isRepository, openRepository, snapshotsIn } from "../../../engine/backup/repository.ts";
import { DEFAULT_RETENTION, parseRetention } from "../../../engine/backup/retention.ts";
import type { HomeLocation } from "../../../engine/housekeeping.ts";
import { type Command, type CommandContext, text, UsageError } from "../command.ts";
import { nextCommand } from "../next-command.ts";
import { ownPlace, readingFrom } from "../own-place.ts";
import { askPassphrase, givenPassphrase, PASSPHRASE_OPTION } from "../passphrase.ts";
import { bytes, count, table } from "../table.ts";

export const backup: Command = {
  summary: "back up a home, while it is in use; later backups save only changes",
  usage:
    "pdpp backup DIR [--encrypt] [--keep 7d,4w,12m] [--every 1d|off] [--home DIR]\n       pdpp backup DIR --list\n       The first backup creates DIR. It contains everything, keys included: keep it as safe as the home, or encrypt it.",
  details: `Later backups to the same DIR add only what changed. \`pdpp restore DIR\` restores any of them.
With --encrypt, standard tools can open the backup: age -d -i DIR/identity.age. Later backups need no passphrase, but a restore does.
With DATABASE_URL, the owner's data in that database is saved as the same kind of backup, which can also be restored into a home
directory. If there are several owners, PDPP_OWNER selects one; --home is then the servers' home, which contains the blobs.`,
  examples: [
    "pdpp backup /mnt/disk/postern",
    "pdpp backup /mnt/disk/postern --encrypt --every 1d --keep 7d,4w,12m",
    "pdpp backup /mnt/disk/postern --list",
    "pdpp backup /mnt/disk/postern --every off",
  ],
  options: {
    encrypt: { type: "boolean", about: "encrypt a new DIR with a passphrase" },
    ...PASSPHRASE_OPTION,
    keep: {
      type: "string",
      value: "DAYS,WEEKS,MONTHS",
      about: `keep the newest backup for each of this many days, weeks and months, such as ${DEFAULT_RETENTION}; remove the others (default: keep all)`,
    },
    every: {
      type: "string",
      value: "TIME|off",
      about: "also back up to DIR at this interval while the server runs: 12h, 1d, 1w; off stops it",
    },
    list: { type: "boolean", about: "list the backups in DIR" },
  },
  local: true,
  async run(context) {
    const { positionals, values, note, json, out } = context;
    const [directory, ...rest] = positionals;
    if (directory === undefined || rest.length > 0) throw new UsageError("specify one directory for the backups");
    if (values.list) return listBackups(context, directory);
    const own = await ownPlace(context, { readOnly: true });
    if (text(values, "every") === "off") return endSchedule(context, own);
    const every = text(values, "every") === undefined ? undefined : parseEvery(text(values, "every")!);
    const keep = text(values, "keep") ?? (every === undefined ? "all" : DEFAULT_RETENTION);
    const retention = parseRetention(keep);
    const passphrase = values.encrypt ? await passphraseFor(context, directory) : undefined;
    const report = await readingFrom(own, note, (place) =>
      backupHome({
        ...place,
        directory,
        ...(passphrase === undefined ? {} : { passphrase }),
        ...(retention === undefined ? {} : { retention }),
        ownProcess: true,
        onProgress: process.stderr.isTTY ? (line) => note(`${line} …`) : undefined,
      }),
    );
    if (every !== undefined) await writePlan(own.home, { directory: report.directory, every_hours: every, keep });
    if (json) out(JSON.stringify({ object: "backup", ...report }));
    else show(context, report, every);
    return report.missing_blobs.length > 0 ? 7 : 0;
  },
};

/** Returns undefined if the directory is already encrypted and so needs no passphrase. */
async function passphraseFor(context: CommandContext, directory: string): Promise<string | undefined> {
  if (isRepository(directory) && (await openRepository(directory)).recipient !== undefined) return undefined;
  return (await givenPassphrase(context)) ?? askPassphrase({ twice: true });
}

async function endSchedule({ json, out }: CommandContext, { home }: HomeLocation): Promise<number> {
  const plan = await readPlan(home);
  await writePlan(home, undefined);
  if (json) out(JSON.stringify({ object: "backup_schedule", ended: plan !== undefined }));
  else out(plan === undefined ? "No backups were scheduled." : "Scheduled backups stopped. Existing backups are kept.");
  return 0;
}

async function listBackups({ json, out }: CommandContext, directory: string): Promise<number> {
  const repository = await openRepository(resolve(directory)).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ENOENT" ? new UsageError(`there are no backups in ${directory}`) : error;
  });
  const data = (await snapshotsIn(repository)).map(({ packs: _, ...snapshot }) => snapshot);
  if (json) out(JSON.stringify({ object: "list", encrypted: repository.recipient !== undefined, data }));
  else
    out(
      table(
        ["backup", "records", "home", "added"],
        data.map((one) => [one.name, one.records?.toLocaleString("en") ?? "", bytes(one.bytes), bytes(one.written)]),
      ),
    );
  return 0;
}

const period = (hours: number): string =>
  hours === 24 ? "day" : hours % 24 === 0 ? count(hours / 24, "day") : hours === 1 ? "hour" : count(hours, "hour");

function show(context: CommandContext, report: BackupReport, every: number | undefined): void {
  const { out, note, values } = context;
  const { records, connections, grants, blobs } = report.counts;
  out(
    `${report.directory}: ${count(records, "record")} of ${count(connections, "connection")}, ${count(grants, "grant")}, ${count(blobs, "blob")}, ${bytes(report.bytes)}; ${bytes(report.written_bytes)} new${report.encrypted ? ", encrypted" : ""}.`,
  );
  if (report.removed > 0)
    note(`Removed ${count(report.removed, "earlier backup")}; kept ${count(report.kept, "backup")}.`);
  if (report.missing_blobs.length > 0) {
    note(
      `The home has lost ${count(report.missing_blobs.length, "blob")}; everything else is saved. \`pdpp doctor --deep\` lists what is missing.`,
    );
  }
  if (every !== undefined) note(`While \`pdpp serve\` runs, it backs up there every ${period(every)}.`);
  if (every !== undefined)
    note(
      "If the server runs as a service, install the service again so that it can write to this directory (`pdpp service install`).",
    );
  note(
    `To restore: ${nextCommand({ values: { ...values, home: undefined } }, ["restore", report.directory], {})} --home NEW`,
  );
}
