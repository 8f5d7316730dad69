// pdpp import: recognises exports, says what it would bring in, and brings it in, once.
import { resolve } from "node:path";
import type { Question } from "../../../collect/importer.ts";
import type { LeftOut, PlannedGroup } from "../../../collect/messages.ts";
import { planImport, runImport } from "../../../collect/run.ts";
import type { List } from "../../../contract/answers.ts";
import type { ImportCounts, ImportedFile, ImportJob } from "../../../contract/import.ts";
import { plainLine } from "../../../core/steering.ts";
import { answer, type Command, type CommandContext, InputNeeded, text, UsageError } from "../command.ts";
import { jsonFile } from "../input.ts";
import { progress } from "../progress.ts";
import { ask, confirm } from "../prompt.ts";
import { bytes, count, table } from "../table.ts";

const FILES_SHOWN = 20;
const LEFT_SHOWN = 10;

export const importCommand: Command = {
  summary: "bring in exports: mail, chats, notes, calendars, statements and more",
  usage:
    "pdpp import PATH… [--plan] [--as NAME] [--answers FILE] [--yes]\n" + "       pdpp import list | show ID | undo ID",
  examples: [
    "pdpp import ~/Downloads/takeout-20240101T000000Z-001.zip",
    "pdpp import ~/Downloads --plan",
    "pdpp import statement.csv --as 'Savings account'",
    "pdpp import list",
    "pdpp import undo job_…",
  ],
  options: {
    plan: { type: "boolean" },
    as: { type: "string" },
    answers: { type: "string" },
    yes: { type: "boolean" },
  },
  local: true,
  async run(context) {
    const [first, ...rest] = context.positionals;
    if (first === undefined) throw new UsageError("name a file, a folder or an archive to import");
    if (first === "list" && rest.length === 0) return list(context);
    if (first === "show" && rest.length === 1) return show(context, rest[0]!);
    if (first === "undo" && rest.length === 1) return undo(context, rest[0]!);
    return bringIn(context, context.positionals);
  },
};

async function bringIn(context: CommandContext, given: readonly string[]): Promise<number> {
  const { values, home, json, note } = context;
  const { host, credential } = await context.connect({ create: true });
  const paths = given.map((path) => resolve(path));
  const answers = await givenAnswers(values);
  const planned = await planImport({ home, paths, answers });
  if (values.plan) {
    showPlan(context, planned.groups, planned.left);
    return planned.groups.length === 0 ? 5 : 0;
  }
  if (planned.groups.length === 0) {
    showPlan(context, [], planned.left);
    return 5;
  }
  if (!json) for (const group of planned.groups) note(groupLine(group));
  const jobs: ImportJob[] = [];
  for (const group of planned.groups) {
    const complete = { ...answers, ...(await answered(group.questions, answers)) };
    const line = progress();
    const started = Date.now();
    const job = await runImport(
      {
        home,
        host,
        credential,
        paths,
        answers: complete,
        as: text(values, "as"),
        onProgress: (now) => line(progressLine(now, started)),
      },
      group,
    );
    line(undefined);
    jobs.push(job);
    if (!json) showJob(context, job);
  }
  if (json) context.out(JSON.stringify(outcome(jobs, planned.left)));
  else showLeft(context, planned.left);
  return jobs.some(({ status }) => status !== "succeeded") || sum(jobs, "failed") > 0 ? 7 : 0;
}

async function givenAnswers(values: CommandContext["values"]): Promise<Record<string, string>> {
  const file = text(values, "answers");
  if (file === undefined) return {};
  const parsed: unknown = await jsonFile(file);
  if (parsed === null || typeof parsed !== "object" || Array.isArray(parsed)) {
    throw new UsageError('--answers is a file with a JSON object: {"question": "answer"}');
  }
  return Object.fromEntries(Object.entries(parsed).map(([id, value]) => [id, String(value)]));
}

/** What was not said beforehand is asked; where nobody can be asked, defaults hold. */
async function answered(
  questions: readonly Question[],
  given: Record<string, string>,
): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const question of questions) {
    if (given[question.id] !== undefined) continue;
    if (!process.stdin.isTTY) {
      if (question.default !== undefined) continue;
      throw new InputNeeded(question.text, `Give --answers FILE with {${JSON.stringify(question.id)}: …}.`);
    }
    const options = question.options?.map(({ value, label }) => `${value} (${label})`).join(", ");
    const reply = await ask(`${question.text}${options === undefined ? "" : ` ${options}`}`, question.default);
    if (reply !== "") found[question.id] = reply;
  }
  return found;
}

const sum = (jobs: readonly ImportJob[], member: keyof ImportCounts): number =>
  jobs.reduce((total, { progress: { counts } }) => total + counts[member], 0);

/** The last line with --json: stable for other tools. */
function outcome(jobs: readonly ImportJob[], left: readonly LeftOut[]): object {
  const files: (ImportedFile | (LeftOut & { skipped: number }))[] = [
    ...jobs.flatMap(({ progress: { files: own } }) => own),
    ...left.map((one) => ({ ...one, skipped: 1 })),
  ];
  return {
    imported: sum(jobs, "imported"),
    unchanged: sum(jobs, "unchanged"),
    changed: sum(jobs, "changed"),
    skipped: sum(jobs, "skipped") + left.length,
    failed: sum(jobs, "failed"),
    connections: jobs.map(({ connection_id, connector_key, import_id, status, progress: { streams } }) => ({
      connection_id,
      connector_key,
      import_id,
      status,
      streams,
    })),
    files,
  };
}

function showPlan(
  { json, out, note }: CommandContext,
  groups: readonly PlannedGroup[],
  left: readonly LeftOut[],
): void {
  if (json) {
    out(JSON.stringify({ object: "import_plan", groups, left }));
    return;
  }
  for (const group of groups) {
    out(groupLine(group));
    for (const { stream, count: records, since, until } of group.streams) {
      const span = since === undefined ? "" : `, ${since.slice(0, 10)} to ${until?.slice(0, 10) ?? "now"}`;
      out(`  ${stream}${records === undefined ? "" : `: about ${count(records, "record")}`}${span}`);
    }
    for (const { text: words, default: usual } of group.questions) {
      out(`  question: ${words}${usual === undefined ? "" : ` (else: ${usual})`}`);
    }
    for (const warning of group.warnings) out(`  warning: ${warning}`);
  }
  for (const { path, reason, advice } of left)
    out(`not imported: ${plainLine(path, 200)}: ${reason}${advice ? `; ${advice}` : ""}`);
  if (groups.length === 0) note("Nothing here that an importer knows.");
}

const groupLine = ({ reason, name, account, files, bytes: size }: PlannedGroup): string =>
  `${reason}: ${plainLine(name, 100)} (${count(files, "file")}, ${bytes(size)}) into “${account.name}”`;

function progressLine(
  { name, progress: { counts, bytes: done, total_bytes: total } }: ImportJob,
  started: number,
): string {
  const records = counts.imported + counts.changed + counts.unchanged;
  const seconds = Math.max(0.001, (Date.now() - started) / 1000);
  const share = total > 0 ? Math.min(1, done / total) : 0;
  const left = share > 0.01 ? `, ${Math.ceil((seconds / share) * (1 - share))} s left` : "";
  return `${plainLine(name, 40)}: ${count(records, "record")}, ${bytes(done)} of ${bytes(total)}, ${Math.round(records / seconds)}/s${left}`;
}

function showJob({ out }: CommandContext, job: ImportJob): void {
  const { counts, files, files_left_out, error } = job.progress;
  out(
    `${job.import_id} ${job.status}: ${count(counts.imported, "record")} imported, ${counts.changed} changed, ${counts.unchanged} unchanged, ${counts.skipped} skipped, ${counts.failed} failed, into ${job.connection_id}`,
  );
  if (error !== undefined) out(`  ${error}`);
  const told = files.filter(({ reasons }) => reasons.length > 0);
  for (const { path, reasons } of told.slice(0, FILES_SHOWN)) {
    for (const { reason, count: times, failed, offset } of reasons) {
      const place = offset === undefined ? "" : ` at ${offset}`;
      out(`  ${failed ? "failed" : "skipped"} ${times} in ${plainLine(path, 120)}${place}: ${plainLine(reason, 300)}`);
    }
  }
  const more = Math.max(0, told.length - FILES_SHOWN) + files_left_out;
  if (more > 0) out(`  and more in ${count(more, "file")}: pdpp import show ${job.import_id} --json`);
}

function showLeft({ note }: CommandContext, left: readonly LeftOut[]): void {
  for (const { path, reason, advice } of left.slice(0, LEFT_SHOWN)) {
    note(`not imported: ${plainLine(path, 200)}: ${reason}${advice === undefined ? "" : `; ${advice}`}`);
  }
  if (left.length > LEFT_SHOWN) note(`and ${left.length - LEFT_SHOWN} more; --plan shows them all`);
}

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
  answer<{ records_removed: number; records_kept: number }>(
    context,
    body,
    ({ records_removed, records_kept }) =>
      `Removed ${count(records_removed, "record")}.${records_kept === 0 ? "" : ` ${records_kept} that it only changed stay as they are.`}`,
  );
  return 0;
}
