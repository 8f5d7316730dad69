// Imports paths: plans the import, asks questions, and imports one group after another, showing progress. Ctrl-C pauses
// the import.
import { resolve } from "node:path";
import { answerForm, answerTo, isChoice } from "../../../collect/answers.ts";
import type { ImportAnswers, ImporterQuestion } from "../../../collect/importer.ts";
import type { PlannedGroup } from "../../../collect/messages.ts";
import { openParser, type Parser, type Planned } from "../../../collect/parser.ts";
import { planRemembering } from "../../../collect/remembered-answers.ts";
import { openQuestions, runImport } from "../../../collect/run.ts";
import { PdppError } from "../../../contract/errors.ts";
import type { ImportJob } from "../../../contract/import.ts";
import type { LeftOut } from "../../../contract/import-request.ts";
import { type CommandContext, text, UsageError } from "../command.ts";
import { jsonFile } from "../input.ts";
import { endBySignal } from "../interruption.ts";
import { progress } from "../progress.ts";
import { ask } from "../prompt.ts";
import {
  connectionNames,
  groupLine,
  NOTHING_HERE,
  outcome,
  paceOf,
  progressJson,
  progressLine,
  queryCommand,
  showJob,
  showLeft,
  showPlan,
  showTotal,
  sum,
} from "./report.ts";

const JSON_PROGRESS_MS = 500;
/** The exit code of an interrupted command. */
export const INTERRUPTED = 130;
/** The exit code if a person has to answer a question. */
export const ANSWER_NEEDED = 4;
const NOTHING_KNOWN = 5;
const INCOMPLETE = 7;

const answerHint = (question: ImporterQuestion): string => `Use --answers FILE with ${answerForm(question)}.`;

function unanswered(group: PlannedGroup, answers: ImportAnswers): LeftOut {
  const question = openQuestions(group, answers)[0]!;
  const wrong = answerTo(group, question, answers);
  const reason = wrong === undefined ? "a question needs an answer" : `${JSON.stringify(wrong)} is not a valid answer`;
  return { path: group.name, reason: `${reason}: ${question.text}`, advice: answerHint(question) };
}

/** Returns the exit code. */
export async function importPaths(
  context: CommandContext,
  given: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  const { values, json, note, out } = context;
  const connected = await context.connect({ create: true, bulk: true });
  const { host, credential, objects, home = context.home } = connected;
  const answered = await givenAnswers(values);
  const parser = openParser({ home, objects, given: given.map((path) => resolve(path)) });
  try {
    const looked = await planRemembering({ parser, host, credential }, answered, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    if (looked === undefined) {
      note("Stopped. Nothing was imported.");
      return INTERRUPTED;
    }
    const { planned: look, answers } = looked;
    if (values.plan) {
      showPlan(context, look);
      return look.groups.length === 0 ? NOTHING_KNOWN : 0;
    }
    if (!json) for (const group of look.groups) note(groupLine(group));
    const replied = await allReplies(parser, look, answers, signal);
    if (replied === undefined) {
      note("\nStopped. Nothing was imported.");
      return INTERRUPTED;
    }
    const { planned, replies } = replied;
    // A group that waits for an answer does not block the others.
    const ready = planned.groups.filter((group) => openQuestions(group, replies).length === 0);
    const waiting = planned.groups.filter((group) => !ready.includes(group)).map((group) => unanswered(group, replies));
    // The list is truncated, so entries that a person can act on come first.
    const left = [...waiting, ...planned.left.toSorted((one, other) => Number(!one.failed) - Number(!other.failed))];
    const jobs: ImportJob[] = [];
    for (const group of ready) {
      if (signal.aborted) break;
      const tell = teller(context);
      const job = await runImport(
        { host, credential, parser, answers: replies, as: text(values, "as"), onProgress: tell, signal },
        group,
      ).catch(goesOnLater);
      tell(undefined);
      jobs.push(job);
      if (!json) showJob(context, job, (await connectionNames(context)).get(job.connection_id));
    }
    if (json) out(JSON.stringify(outcome(jobs, left)));
    else {
      showLeft(context, left);
      showTotal(context, jobs, await connectionNames(context));
    }
    if (signal.aborted) {
      note("Paused. Run the same command again to continue.");
      return INTERRUPTED;
    }
    if (waiting.length > 0) return ANSWER_NEEDED;
    if (planned.groups.length === 0) {
      note(NOTHING_HERE);
      return NOTHING_KNOWN;
    }
    const next = queryCommand(context, jobs);
    if (next !== undefined && !json && values.watch === undefined) note(`Next: ${next}`);
    const isWhole = left.every(({ failed }) => !failed) && jobs.every(({ status }) => status === "succeeded");
    return isWhole && sum(jobs, "failed") === 0 ? 0 : INCOMPLETE;
  } finally {
    await parser.close();
  }
}

function goesOnLater(error: unknown): never {
  if (!(error instanceof PdppError) || error.code !== "storage_full") throw error;
  throw new PdppError(error.code, error.message, {
    next_step: "Free up disk space, then run the same command again to continue.",
  });
}

/** One Ctrl-C can arrive twice: from the terminal, and from the program that started this one. */
const SAME_SIGNAL_MS = 1000;

/** The first Ctrl-C aborts the signal; a later one ends the program at once. */
export function interrupted(): { signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  let first: number | undefined;
  const stop = (signal: "SIGINT" | "SIGTERM"): void => {
    const now = performance.now();
    first ??= now;
    if (now - first > SAME_SIGNAL_MS) endBySignal(signal);
    controller.abort();
  };
  for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, stop);
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
    throw new UsageError('--answers must be a file that contains a JSON object: {"question": "answer"}');
  }
  return Object.fromEntries(Object.entries(parsed).map(([id, value]) => [id, String(value)]));
}

/**
 * Asks all questions before the first record is imported, so that a long import can run unattended. An answer can
 * change the plan and so the next questions. Returns undefined if interrupted.
 */
async function allReplies(
  parser: Parser,
  look: Planned,
  given: ImportAnswers,
  signal: AbortSignal,
): Promise<{ planned: Planned; replies: ImportAnswers } | undefined> {
  const asked = new Set<string>();
  let planned = look;
  let replies = given;
  // Without a terminal, defaults apply.
  while (process.stdin.isTTY) {
    const found: Record<string, string> = {};
    for (const group of planned.groups) {
      for (const question of group.questions) {
        const answer = answerTo(group, question, replies);
        if (asked.has(question.id) || (answer !== undefined && isChoice(question, answer))) continue;
        asked.add(question.id);
        const reply = await replyTo(question, signal);
        if (reply === undefined) return undefined;
        if (reply !== "") found[question.id] = reply;
      }
    }
    if (Object.keys(found).length === 0) break;
    replies = { ...replies, ...found };
    planned = await parser.plan(replies);
  }
  return { planned, replies };
}

/** Asks until the answer is valid. Return alone accepts the default. Returns undefined if interrupted. */
async function replyTo(question: ImporterQuestion, signal: AbortSignal): Promise<string | undefined> {
  const options = question.options?.map(({ value, label }) => `${value} (${label})`).join(", ");
  for (;;) {
    const reply = await ask(`${question.text}${options === undefined ? "" : ` ${options}`}`, question.default, signal);
    if (reply === undefined || reply === "" || isChoice(question, reply)) return reply;
  }
}
