// pdpp import: recognises exports, says what it would bring in, and brings it in, once.
import type { List } from "../../../contract/answers.ts";
import type { ImportJob, ImportUndone } from "../../../contract/import.ts";
import { plainLine } from "../../../core/steering.ts";
import { answer, type Command, type CommandContext, text, UsageError } from "../command.ts";
import { bringIn, interrupted } from "../importing/bring-in.ts";
import { showJob } from "../importing/report.ts";
import { watchFolder } from "../importing/watch.ts";
import { confirm } from "../prompt.ts";
import { count, table } from "../table.ts";

export const importCommand: Command = {
  summary: "bring in exports: mail, chats, notes, calendars, statements and more",
  usage:
    "pdpp import PATH… [--plan] [--as NAME] [--answers FILE]\n" +
    "       pdpp import --watch DIR [--as NAME] [--answers FILE]\n" +
    "       pdpp import list | show ID | undo ID [--yes]",
  examples: [
    "pdpp import ~/Downloads/takeout-20240101T000000Z-001.zip",
    "pdpp import ~/Downloads --plan",
    "pdpp import statement.csv --as 'Savings account'",
    "pdpp import --watch ~/Exports",
    "pdpp import list",
    "pdpp import undo job_…",
  ],
  options: {
    plan: { type: "boolean" },
    as: { type: "string" },
    answers: { type: "string" },
    watch: { type: "string" },
    yes: { type: "boolean" },
  },
  local: true,
  async run(context) {
    const [first, ...rest] = context.positionals;
    const watched = text(context.values, "watch");
    if (watched !== undefined && first !== undefined) throw new UsageError("--watch DIR is all there is to say");
    if (watched === undefined && first === undefined)
      throw new UsageError("name a file, a folder or an archive to import");
    if (first === "list" && rest.length === 0) return list(context);
    if (first === "show" && rest.length === 1) return show(context, rest[0]!);
    if (first === "undo" && rest.length === 1) return undo(context, rest[0]!);
    const { signal, end } = interrupted();
    try {
      return await (watched === undefined
        ? bringIn(context, context.positionals, signal)
        : watchFolder(context, watched, signal));
    } finally {
      end();
    }
  },
};

async function list(context: CommandContext): Promise<number> {
  const { host, credential } = await context.connect();
  answer<List<ImportJob>>(context, await host.call("imports", {}, credential), ({ data }) =>
    data.length === 0
      ? "Nothing was imported yet: pdpp import PATH."
      : table(
          ["import", "status", "what", "from", "imported", "failed", "when"],
          data.map((job) => [
            job.import_id,
            job.status,
            job.importer,
            plainLine(job.name, 40),
            String(job.progress.counts.imported),
            String(job.progress.counts.failed),
            job.started_at,
          ]),
        ),
  );
  return 0;
}

async function show(context: CommandContext, id: string): Promise<number> {
  const { host, credential } = await context.connect();
  const body = await host.call("import", { id }, credential);
  if (context.json) context.out(body);
  else showJob(context, JSON.parse(body) as ImportJob);
  return 0;
}

async function undo(context: CommandContext, id: string): Promise<number> {
  const { host, credential } = await context.connect();
  const job = JSON.parse(await host.call("import", { id }, credential)) as ImportJob;
  const question = `Remove what ${id} brought in (${count(job.progress.counts.imported, "record")})?`;
  if (!context.values.yes && !(await confirm(question, "Say --yes."))) return 1;
  const body = await host.call("undoImport", { id }, credential);
  answer<ImportUndone>(
    context,
    body,
    ({ records_removed, records_kept }) =>
      `Removed ${count(records_removed, "record")}.${records_kept === 0 ? "" : ` ${records_kept} that it only changed stay as they are.`}`,
  );
  return 0;
}
