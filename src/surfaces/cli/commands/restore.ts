// pdpp restore: creates a home from a backup, or checks whether one could be created.
import { tmpdir } from "node:os";
import { isPassphraseNeeded } from "../../../engine/backup/passphrase.ts";
import { type CheckReport, checkBackup, type RestoreReport, restoreHome } from "../../../engine/backup/restore.ts";
import { databaseUrl } from "../../../engine/database.ts";
import { objectsOfOwner, objectsPlace } from "../../../engine/objects-place.ts";
import { type Command, type CommandContext, text, UsageError } from "../command.ts";
import { nextCommand } from "../next-command.ts";
import { askPassphrase, givenPassphrase, PASSPHRASE_OPTION } from "../passphrase.ts";
import { progress } from "../progress.ts";
import { count } from "../table.ts";

export const restore: Command = {
  summary: "restore a home from a backup, tokens and grants included",
  usage:
    "pdpp restore DIR|FILE --home NEW [--at TIME] [--force] [--name NAME]\n       pdpp restore DIR|FILE --check [--at TIME]\n       NEW must be empty or not exist; --force moves existing files aside. Nothing is ever overwritten.",
  details: `DIR is a directory made by \`pdpp backup\`, in this version or an earlier one; FILE is a backup downloaded from the dashboard.
--check reads everything, as a restore does, and lets SQLite check the databases in a temporary folder. It changes nothing.
With DATABASE_URL, the owner is restored into that database instead, with the same id, and --home is the servers' home,
where blobs are stored. A database that already has this owner is refused: nothing there is ever replaced. --name sets the owner's
name there (\`pdpp owners\`); a name that is taken is refused before anything is copied.`,
  examples: [
    "pdpp restore /mnt/disk/postern --home ~/restored",
    "pdpp restore /mnt/disk/postern --check",
    "pdpp restore /mnt/disk/postern --at 2025-05-31 --home ~/.postern --force",
    "pdpp restore ~/Downloads/postern-2025-05-31.tar.age --home ~/restored",
  ],
  options: {
    at: {
      type: "string",
      value: "TIME",
      about: "the backup made at this time (default: the newest); `pdpp backup DIR --list` lists them",
    },
    check: { type: "boolean", about: "read and check everything; nothing is restored" },
    ...PASSPHRASE_OPTION,
    force: { type: "boolean", about: "move existing files aside; nothing is overwritten" },
    name: { type: "string", value: "NAME", about: "with DATABASE_URL: the name of the owner there" },
  },
  local: true,
  async run(context) {
    const { positionals, values, home, json, out } = context;
    const [directory, ...rest] = positionals;
    if (directory === undefined || rest.length > 0) throw new UsageError("specify one backup directory");
    const at = text(values, "at");
    const show = progress({ lines: true });
    const source = { directory, onProgress: show, ...(at === undefined ? {} : { at }) };
    if (values.check) {
      const found = await withPassphrase(context, (passphrase) =>
        checkBackup({ ...source, ...passphrase }, tmpdir()),
      ).finally(() => show(undefined));
      if (json) out(JSON.stringify({ object: "backup_check", ok: true, ...found }));
      else renderCheck(context, found);
      return found.missing_blobs.length > 0 ? 7 : 0;
    }
    const url = databaseUrl();
    if (url !== undefined && values.force)
      throw new UsageError("--force is only for homes: in a database nothing is moved aside");
    const name = text(values, "name");
    if (url === undefined && name !== undefined)
      throw new UsageError("--name is for a database: a home directory has one owner");
    const objects = objectsPlace(home, process.env);
    const report = await withPassphrase(context, (passphrase) =>
      restoreHome({
        ...source,
        ...passphrase,
        home,
        moveAside: values.force === true,
        ...(url === undefined ? {} : { database: { url, name } }),
        objectsFor: (subject) => (url === undefined ? objects : objectsOfOwner(objects, subject)),
      }),
    ).finally(() => show(undefined));
    if (json) out(JSON.stringify({ object: "restore", ...report }));
    else render(context, report, url === undefined ? undefined : (name ?? report.owner));
    return report.missing_blobs.length > 0 ? 7 : 0;
  },
};

/** Asks for the passphrase only if the backup turns out to need one. */
async function withPassphrase<T>(
  context: CommandContext,
  work: (given: { passphrase?: string }) => Promise<T>,
): Promise<T> {
  const given = await givenPassphrase(context);
  try {
    return await work(given === undefined ? {} : { passphrase: given });
  } catch (error) {
    if (!isPassphraseNeeded(error) || given !== undefined || !process.stdin.isTTY) throw error;
    return work({ passphrase: await askPassphrase({ twice: false }) });
  }
}

function renderCheck(
  { out, note }: CommandContext,
  { directory, created_at, counts, missing_blobs }: CheckReport,
): void {
  const { records = 0, blobs = 0, grants = 0 } = counts;
  out(
    `${directory}: intact. ${count(records, "record")}, ${count(blobs, "blob")} and ${count(grants, "grant")} as of ${created_at}.`,
  );
  noteLost(note, missing_blobs);
}

function noteLost(note: CommandContext["note"], blobs: readonly string[]): void {
  if (blobs.length > 0) note(`Lost before the backup was made: ${count(blobs.length, "blob")}.`);
}

function render(context: CommandContext, report: RestoreReport, owner: string | undefined): void {
  const { out, note } = context;
  const { records = 0, grants = 0 } = report.counts;
  out(`${owner ?? report.home}: ${count(records, "record")} and ${count(grants, "grant")} as of ${report.created_at}.`);
  if (report.moved_aside !== undefined) out(`The files that were there are now in ${report.moved_aside}.`);
  noteLost(note, report.missing_blobs);
  if (report.disks_left_out)
    note(`The disks in the backup were not restored: ${report.home} already has disks of this owner, and keeps them.`);
  note(
    "Tokens and grants are as they were then: any that were revoked since are valid again. Check with `pdpp grants list`.",
  );
  note(`Next: ${owner === undefined ? "" : `PDPP_OWNER=${owner} `}${nextCommand(context, ["serve"])}`);
}
