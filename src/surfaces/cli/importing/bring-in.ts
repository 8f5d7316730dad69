// Brings paths in: plan, questions, one group after another, with progress; Ctrl-C pauses.
import { resolve } from "node:path";
import type { Question } from "../../../collect/importer.ts";
import type { LeftOut, PlannedGroup } from "../../../collect/messages.ts";
import { openParser, type Planned } from "../../../collect/parser-thread.ts";
import { openQuestions, runImport } from "../../../collect/run.ts";
import type { ImportJob } from "../../../contract/import.ts";
import { type CommandContext, InputNeeded, text, UsageError } from "../command.ts";
import { jsonFile } from "../input.ts";
import { progress } from "../progress.ts";
import { ask } from "../prompt.ts";
import { groupLine, outcome, paceOf, progressJson, progressLine, showJob, showLeft, showPlan, sum } from "./report.ts";

const JSON_PROGRESS_MS = 500;
/** As for a program that was interrupted. */
export const INTERRUPTED = 130;
/** As wherever a person has to decide. */
export const ANSWER_NEEDED = 4;

const answerHint = ({ id }: Question): string => `Give --answers FILE with {${JSON.stringify(id)}: …}.`;

const unanswered = ({ name }: PlannedGroup, question: Question): LeftOut => ({
  path: name,
  reason: `a question is open: ${question.text}`,
  advice: answerHint(question),
});

/** Answers the exit code. */
export async function bringIn(context: CommandContext, given: readonly string[], signal: AbortSignal): Promise<number> {
  const { values, home, json, note, out } = context;
  const { host, credential } = await context.connect({ create: true, bulk: true });
  const answers = await givenAnswers(values);
  const parser = openParser({ home, given: given.map((path) => resolve(path)) });
  try {
    const planned = await parser.plan(answers);
    if (values.plan || planned.groups.length === 0) {
      showPlan(context, planned);
      return planned.groups.length === 0 ? 5 : 0;
    }
    if (!json) for (const group of planned.groups) note(groupLine(group));
    const replies = await allReplies(planned, answers);
    // What waits for an answer does not keep the others waiting.
    const ready = planned.groups.filter((group) => openQuestions(group, replies).length === 0);
    const waiting = planned.groups.filter((group) => !ready.includes(group));
    const [asked] = waiting.flatMap((group) => openQuestions(group, replies));
    if (asked !== undefined && ready.length === 0) throw new InputNeeded(asked.text, answerHint(asked));
    const left = [...planned.left, ...waiting.map((group) => unanswered(group, openQuestions(group, replies)[0]!))];
    const jobs: ImportJob[] = [];
    for (const group of ready) {
      if (signal.aborted) break;
      const tell = teller(context);
      const job = await runImport(
        { host, credential, parser, answers: replies, as: text(values, "as"), onProgress: tell, signal },
        group,
      );
      tell(undefined);
      jobs.push(job);
      if (!json) showJob(context, job);
    }
    if (json) out(JSON.stringify(outcome(jobs, left)));
    else showLeft(context, left);
    if (signal.aborted) {
      note("Paused. The same command goes on where this stopped.");
      return INTERRUPTED;
    }
    if (waiting.length > 0) return ANSWER_NEEDED;
    return jobs.some(({ status }) => status !== "succeeded") || sum(jobs, "failed") > 0 ? 7 : 0;
  } finally {
    await parser.close();
  }
}

/** Aborts with the first Ctrl-C; a second one ends the program as usual. */
export function interrupted(): { signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, stop);
  return {
    signal: controller.signal,
    end() {
      for (const name of ["SIGINT", "SIGTERM"] as const) process.off(name, stop);
    },
  };
}

function teller({ json, out }: CommandContext): (job: ImportJob | undefined) => void {
  const line = progress({ lines: true });
  let started: { at: number; records: number; bytes: number } | undefined;
  let last = 0;
  return (job) => {
    if (job === undefined) {
      line(undefined);
      return;
    }
    started ??= {
      at: Date.now(),
      records: paceOf(job, { at: 0, records: 0, bytes: 0 }).records,
      bytes: job.progress.bytes,
    };
    const pace = paceOf(job, started);
    if (!json) line(progressLine(job, pace));
    else if (Date.now() - last >= JSON_PROGRESS_MS) {
      last = Date.now();
      out(progressJson(job, pace));
    }
  };
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

/** Everything is asked before the first record: who starts a long import may go. */
async function allReplies({ groups }: Planned, given: Record<string, string>): Promise<Record<string, string>> {
  const replies = { ...given };
  for (const { questions } of groups) Object.assign(replies, await answered(questions, replies));
  return replies;
}

/** What was not said beforehand is asked; where nobody can be asked, defaults hold. */
async function answered(
  questions: readonly Question[],
  given: Record<string, string>,
): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const question of questions) {
    if (given[question.id] !== undefined) continue;
    if (!process.stdin.isTTY) continue;
    const options = question.options?.map(({ value, label }) => `${value} (${label})`).join(", ");
    const reply = await ask(`${question.text}${options === undefined ? "" : ` ${options}`}`, question.default);
    if (reply !== "") found[question.id] = reply;
  }
  return found;
}
