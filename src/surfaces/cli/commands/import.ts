// pdpp import: recognises exports, shows what it would import, and imports it once.
import { verdictOf } from "../../../core/import-reasons.ts";
import { oneImport } from "../../../core/one-import.ts";
import { plainLine } from "../../../core/unsafe-characters.ts";
import { answer, type Command, type CommandContext, text, UsageError } from "../command.ts";
import { importPaths, interrupted } from "../importing/import-paths.ts";
import { recognition } from "../importing/recognition.ts";
import { connectionNames, showJob } from "../importing/report.ts";
import { watchFolder } from "../importing/watch.ts";
import { confirm } from "../prompt.ts";
import { count, table } from "../table.ts";

export const importCommand: Command = {
  summary: "import exports: mail, chats, notes, calendars, statements and more",
  usage:
    "pdpp import PATH… [--plan] [--as NAME] [--answers FILE]\n" +
    "       pdpp import --watch DIR [--as NAME] [--answers FILE]\n" +
    "       pdpp import list | show ID | undo ID [--yes] | formats\n" +
    "       pdpp import recognition [run | pause | resume | photos on|off]",
  details: `PATH…    files, folders and archives; the format is detected from the content. A newer export adds only new and changed records
undo ID  removes the records that the import added; records that it only changed are kept
formats  what can be imported, and where to get it
recognition  progress of text recognition in imported scans, screenshots and PDFs. A server does it in the background;
         run does it now, on a home without a server

With --json: progress lines, then one summary line: {imported, unchanged, changed, skipped, failed, connections, files}
Ctrl-C pauses; after that, or a crash, the same command continues where it stopped.
Exit codes: 0 all imported, 4 an answer is needed (the rest is imported), 5 nothing was recognised, 7 some failed, 130 paused.`,
  examples: [
    "pdpp import ~/Downloads/takeout-20240101T000000Z-001.zip",
    "pdpp import ~/Downloads --plan",
    "pdpp import statement.csv --as 'Savings account'",
    "pdpp import --watch ~/Exports",
    "pdpp import list",
    "pdpp import undo job_…",
  ],
  actions: ["list", "show", "undo", "formats", "recognition"],
  options: {
    plan: { type: "boolean", about: "show what would be imported, and the questions; import nothing" },
    as: {
      type: "string",
      value: "NAME",
      about: "the name of the connection; use the same name again to add to it",
    },
    answers: {
      type: "string",
      value: "FILE",
      about: 'answers to questions, under the names that --plan shows: {"date_order": "dmy"}',
    },
    watch: { type: "string", value: "DIR", about: "import files that appear or change in this folder, until Ctrl-C" },
    yes: { type: "boolean", about: "do not ask for confirmation" },
  },
  local: true,
  async run(context) {
    const [first, ...rest] = context.positionals;
    const watched = text(context.values, "watch");
    if (watched !== undefined && first !== undefined) throw new UsageError("--watch takes no other path");
    if (watched === undefined && first === undefined)
      throw new UsageError("specify a file, a folder or an archive to import");
    if (first !== undefined && Object.hasOwn(WORDS, first)) return WORDS[first]!(context, rest);
    const { signal, end } = interrupted();
    try {
      return await (watched === undefined
        ? importPaths(context, context.positionals, signal)
        : watchFolder(context, watched, signal));
    } finally {
      end();
    }
  },
};

/** To import a file with one of these names, write `./list`. */
const WORDS: Record<string, (context: CommandContext, rest: readonly string[]) => Promise<number>> = {
  list: (context, rest) => (rest.length === 0 ? list(context) : unfit("list", "takes no argument")),
  formats: (context, rest) => (rest.length === 0 ? formats(context) : unfit("formats", "takes no argument")),
  show: (context, [id, ...more]) => (id === undefined || more.length > 0 ? unfit("show", ONE_ID) : show(context, id)),
  recognition,
  undo: (context, [id, ...more]) => (id === undefined || more.length > 0 ? unfit("undo", ONE_ID) : undo(context, id)),
};
const ONE_ID = "takes the id of one import, as `pdpp import list` shows it";

function unfit(word: string, takes: string): never {
  throw new UsageError(`pdpp import ${word} ${takes}; to import a file with that name, write ./${word}`);
}

async function formats({ json, out }: CommandContext): Promise<number> {
  const { IMPORTERS } = await import("../../../collect/importers/index.ts");
  const known = IMPORTERS.map(({ name, title, from }) => ({ name, title, from }));
  if (json) out(JSON.stringify({ object: "list", data: known }));
  else for (const { title, from } of known) out([title, ...from.map((way) => `  ${way}`)].join("\n"));
  return 0;
}

async function list(context: CommandContext): Promise<number> {
  answer(context, await context.call("imports", {}), ({ data }) =>
    data.length === 0
      ? "No imports yet. Start one: pdpp import PATH"
      : table(
          ["import", "status", "what", "from", "imported", "failed", "when"],
          data.map((job) => [
            job.import_id,
            verdictOf(job),
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
  const job = oneImport(await context.call("import", { id }));
  if (context.json) context.out(JSON.stringify(job));
  else showJob(context, job, (await connectionNames(context)).get(job.connection_id));
  return 0;
}

async function undo(context: CommandContext, id: string): Promise<number> {
  const job = oneImport(await context.call("import", { id }));
  const { deleted = 0 } = job.progress;
  const question = `Remove what ${id} imported (${count(job.progress.counts.imported, "record")})?`;
  if (!context.values.yes && !(await confirm(question, "Add --yes."))) return 1;
  const body = await context.call("undoImport", { id });
  answer(context, body, ({ records_removed, records_kept }) =>
    [
      `Removed ${count(records_removed, "record")}.`,
      ...(records_kept === 0 ? [] : [`Kept ${count(records_kept, "record")} that the import only changed.`]),
      ...(deleted === 0
        ? []
        : [
            `Still deleted: ${count(deleted, "record")} that the import deleted. To restore them, import the older export again.`,
          ]),
    ].join(" "),
  );
  return 0;
}
