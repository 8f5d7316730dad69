// The output of an import for people and programs: plan, progress and report.
import { answerForm } from "../../../collect/answers.ts";
import type { PlannedGroup } from "../../../collect/messages.ts";
import { OWN_IMPORTER, UNKNOWN_FORMAT } from "../../../collect/nearest.ts";
import type { Planned } from "../../../collect/parser.ts";
import type { ImportCounts, ImportedFile, ImportJob } from "../../../contract/import.ts";
import type { LeftOut } from "../../../contract/import-request.ts";
import { estimateDifferences, groupReasons, type ReasonGroup, verdictOf } from "../../../core/import-reasons.ts";
import { plainLine } from "../../../core/unsafe-characters.ts";
import type { Calls, CommandContext } from "../command.ts";
import { nextCommand } from "../next-command.ts";
import { bar } from "../progress.ts";
import { bytes, count } from "../table.ts";

export const NOTHING_HERE = "Nothing here can be imported; `pdpp import formats` lists the supported formats.";

/**
 * The maximum number of files listed for each reason. The limit for failed files is high enough to list nearly all of
 * them.
 */
const FILES_SHOWN = { failed: 50, skipped: 3 };
const REASONS_SHOWN = 20;
const LEFT_SHOWN = 10;
const ESTIMATES_SHOWN = 10;
/** The maximum number of paths listed for each reason why files were not imported. */
const LEFT_NAMED = 3;

export const sum = (jobs: readonly ImportJob[], member: keyof ImportCounts): number =>
  jobs.reduce((total, { progress: { counts } }) => total + counts[member], 0);

/** The last line of --json output. Its format is stable, because other tools read it. */
export function outcome(jobs: readonly ImportJob[], left: readonly LeftOut[]): object {
  const unread = left.filter(({ failed }) => failed).length;
  return {
    imported: sum(jobs, "imported"),
    unchanged: sum(jobs, "unchanged"),
    changed: sum(jobs, "changed"),
    skipped: sum(jobs, "skipped") + left.length - unread,
    failed: sum(jobs, "failed") + unread,
    connections: jobs.map(({ connection_id, connector_key, import_id, status, progress: { streams } }) => ({
      connection_id,
      connector_key,
      import_id,
      status,
      streams,
    })),
    files: [...jobs.flatMap(({ progress: { files } }) => files), ...left.map(leftFile)],
  };
}

/** Represents a skipped path as an imported file, so that one loop handles both. */
const leftFile = ({ path, reason, advice, failed }: LeftOut): ImportedFile => ({
  path,
  imported: 0,
  changed: 0,
  unchanged: 0,
  skipped: failed ? 0 : 1,
  failed: failed ? 1 : 0,
  reasons: [{ reason: advice === undefined ? reason : `${reason}; ${advice}`, count: 1, failed: failed === true }],
});

export function showPlan({ json, out, note }: CommandContext, { groups, left }: Planned): void {
  if (json) {
    out(JSON.stringify({ object: "import_plan", groups, left }));
    return;
  }
  for (const group of groups) {
    out(groupLine(group));
    for (const { stream, count: records, files = [], since, until } of group.streams) {
      const span = since === undefined ? "" : `, ${since.slice(0, 10)} to ${until?.slice(0, 10) ?? "now"}`;
      out(`  ${stream}${records === undefined ? "" : `: about ${count(records, "record")}`}${span}`);
      if (group.files > 1) showEstimates(out, files);
    }
    for (const question of group.questions) {
      const usual = question.default === undefined ? "must be answered" : `default: ${question.default}`;
      out(`  question: ${plainLine(question.text, 300)} (${usual})`);
      out(`    --answers: ${plainLine(answerForm(question), 300)}`);
    }
    for (const warning of group.warnings) out(`  warning: ${warning}`);
  }
  for (const one of left) out(leftLine(one));
  if (groups.length === 0) note(NOTHING_HERE);
}

/** Lists the largest files first. If every file has one item, the number of files is enough. */
function showEstimates(out: CommandContext["out"], files: readonly { path: string; count: number }[]): void {
  if (files.every(({ count: records }) => records === 1)) return;
  for (const { path, count: records } of files.slice(0, ESTIMATES_SHOWN))
    out(`    ${plainLine(path, 120)}: about ${records}`);
  const more = files.length - ESTIMATES_SHOWN;
  if (more > 0) out(`    and ${count(more, "more file")}; --json lists them`);
}

export const groupLine = ({ reason, name, account, files, bytes: size }: PlannedGroup): string =>
  `${reason}: ${plainLine(name, 100)} (${count(files, "file")}, ${bytes(size)}) into “${plainLine(account.name, 100)}”`;

const leftLine = ({ path, reason, advice }: LeftOut): string =>
  `not imported: ${plainLine(path, 200)}: ${plainLine(reason, 300)}${advice === undefined ? "" : `; ${advice}`}`;

/** Shows files that were not imported, grouped by reason. */
export function showLeft({ note }: CommandContext, left: readonly LeftOut[]): void {
  const groups = [...Map.groupBy(left, ({ reason, advice }) => `${reason}\n${advice ?? ""}`).values()];
  for (const group of groups.slice(0, LEFT_SHOWN)) {
    const [one] = group;
    const names = group.slice(0, LEFT_NAMED).map(({ path }) => plainLine(path, 80));
    const more = group.length - names.length;
    const path =
      group.length === 1 ? one!.path : `${count(group.length, "file")} (${names.join(", ")}${more > 0 ? " …" : ""})`;
    note(leftLine({ ...one!, path }));
  }
  const hidden = groups.slice(LEFT_SHOWN).reduce((all, { length }) => all + length, 0);
  if (hidden > 0) note(`and ${count(hidden, "more file")}; --plan shows them all`);
  if (left.some(({ reason }) => reason.startsWith(UNKNOWN_FORMAT))) note(OWN_IMPORTER);
}

/** Summarises several imports: first the failures of all of them, then where each report is. */
export function showTotal(
  { out }: CommandContext,
  jobs: readonly ImportJob[],
  names: ReadonlyMap<string, string>,
): void {
  if (jobs.length < 2) return;
  for (const job of jobs.filter(({ status, progress }) => status === "failed" || progress.counts.failed > 0)) {
    const name = plainLine(names.get(job.connection_id) ?? job.name, 100);
    const { failed } = job.progress.counts;
    out(
      `${failed > 0 ? count(failed, "item") : "All items"} failed in “${name}”. Details: pdpp import show ${job.import_id}`,
    );
  }
  const figures = (["changed", "unchanged", "skipped", "failed"] as const).map(
    (member) => `${sum(jobs, member)} ${member}`,
  );
  out(
    `In total: ${count(sum(jobs, "imported"), "record")} imported, ${figures.join(", ")}, from ${count(jobs.length, "import")}.`,
  );
}

/** Returns the command that lists the largest imported stream; undefined if no records were found. */
export function queryCommand(context: CommandContext, jobs: readonly ImportJob[]): string | undefined {
  const [largest] = jobs
    .flatMap(({ connection_id, progress: { streams } }) =>
      Object.entries(streams).map(([stream, records]) => ({ connection_id, stream, records })),
    )
    .filter(({ records }) => records > 0)
    .toSorted((one, other) => other.records - one.records);
  return largest === undefined
    ? undefined
    : nextCommand(context, ["query", largest.stream], { connection: largest.connection_id });
}

export interface Pace {
  records: number;
  per_second: number;
  share: number;
  seconds_left?: number;
}

/** `started` contains the start time and, for a resumed run, how much was already done. */
export function paceOf({ progress }: ImportJob, started: { at: number; records: number; bytes: number }): Pace {
  const { counts, bytes: done, total_bytes: total } = progress;
  const records = counts.imported + counts.changed + counts.unchanged;
  const seconds = Math.max(0.001, (Date.now() - started.at) / 1000);
  const read = done - started.bytes;
  return {
    records,
    per_second: Math.round((records - started.records) / seconds),
    share: total > 0 ? Math.min(1, done / total) : 0,
    ...(total > 0 && read > total * 0.01 && done <= total
      ? { seconds_left: Math.ceil((seconds / read) * (total - done)) }
      : {}),
  };
}

export function progressLine(job: ImportJob, { records, per_second, share, seconds_left }: Pace): string {
  const { bytes: done, total_bytes: total } = job.progress;
  const left = seconds_left === undefined ? "" : `, ${seconds_left} s left`;
  return `${bar(share)}${plainLine(job.name, 40)}: ${count(records, "record")}, ${bytes(Math.min(done, total))} of ${bytes(total)}, ${per_second}/s${left}`;
}

/** With --json, a line like this is printed from time to time before the last line. */
export function progressJson(job: ImportJob, pace: Pace): string {
  const { import_id, status, name, progress } = job;
  const { counts, bytes: done, total_bytes } = progress;
  return JSON.stringify({
    object: "import_progress",
    import_id,
    status,
    name,
    ...counts,
    bytes: done,
    total_bytes,
    per_second: pace.per_second,
    ...(pace.seconds_left === undefined ? {} : { seconds_left: pace.seconds_left }),
  });
}

/** `connection` is the connection's name, or undefined if the connection has been deleted. */
export function showJob({ out }: CommandContext, job: ImportJob, connection: string | undefined): void {
  const { counts, files, files_left_out, error, deleted, remarks = [] } = job.progress;
  const gone = deleted === undefined || deleted === 0 ? "" : `, ${deleted} deleted (no longer at the source)`;
  const into = connection === undefined ? "a connection that has been deleted" : `“${plainLine(connection, 100)}”`;
  out(
    `${plainLine(job.name, 100)} ${verdictOf(job)}: ${count(counts.imported, "record")} imported, ${counts.changed} changed, ${counts.unchanged} unchanged, ${counts.skipped} skipped, ${counts.failed} failed${gone}, into ${into}`,
  );
  if (error !== undefined) out(`  ${plainLine(error, 500)}`);
  const groups = groupReasons(files);
  for (const group of groups.slice(0, REASONS_SHOWN)) showReason(out, group);
  for (const remark of remarks) out(`  ${plainLine(remark, 500)}`);
  showSurprises(out, files);
  if (counts.failed > 0)
    out(
      "  To import the failed items, export them again from their source; a second import adds only what is missing.",
    );
  if (groups.length > REASONS_SHOWN || files_left_out > 0) out(`  All files: pdpp import show ${job.import_id} --json`);
}

function showReason(out: CommandContext["out"], { reason, failed, count: times, files }: ReasonGroup): void {
  const word = failed ? "failed" : times === 0 ? "note" : "skipped";
  out(`  ${word}${times > 1 ? ` ${times}` : ""}: ${plainLine(reason, 300)}`);
  const shown = files.slice(0, FILES_SHOWN[failed ? "failed" : "skipped"]);
  const more = files.length - shown.length;
  for (const { path, count: own, offset } of shown) {
    const place = offset === undefined ? "" : `, first at ${offset}`;
    out(`    ${plainLine(path, 120)}${own <= 1 ? "" : ` (${own})`}${place}`);
  }
  if (more > 0) out(`    and ${count(more, "more file")}`);
}

/** I-01: lists files that contained a different number of items than planned. */
function showSurprises(out: CommandContext["out"], files: readonly ImportedFile[]): void {
  const differing = estimateDifferences(files);
  if (differing.length === 0) return;
  out("  The plan estimated a different number of items. If items are missing, compare with the source:");
  for (const { path, planned, found } of differing.slice(0, FILES_SHOWN.failed))
    out(`    ${plainLine(path, 120)}: ${planned} estimated, ${found} found`);
  const more = differing.length - FILES_SHOWN.failed;
  if (more > 0) out(`    and ${count(more, "more file")}`);
}

/** Maps connection ids to names. */
export async function connectionNames({ call }: Calls): Promise<Map<string, string>> {
  const { data } = await call("connections", {});
  return new Map(data.map(({ connection_id, display_name }) => [connection_id, display_name]));
}
