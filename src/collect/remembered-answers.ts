// Plans with the answers that were given to an earlier import of the same data, so that a run without a terminal reads
// the data in the same way as the previous run (I-04).
import type { Credential } from "../engine/caller.ts";
import type { EngineHost } from "../engine/host.ts";
import { answersFor, answerTo, isChoice } from "./answers.ts";
import type { ImportAnswers } from "./importer.ts";
import type { PlannedGroup } from "./messages.ts";
import type { Parser, Planned } from "./parser.ts";

interface PlanContext {
  parser: Parser;
  host: EngineHost;
  credential: Credential;
}

export async function planRemembering(
  { parser, host, credential }: PlanContext,
  given: ImportAnswers,
  signal?: AbortSignal,
): Promise<{ planned: Planned; answers: ImportAnswers; remembered: ImportAnswers }> {
  const planned = await parser.plan(given, signal);
  if (planned.groups.every(({ questions }) => questions.length === 0))
    return { planned, answers: given, remembered: {} };
  const earlier = await host.call("earlierImports", {}, credential);
  const remembered: Record<string, string> = {};
  for (const group of planned.groups) {
    // The list starts with the newest.
    const before =
      earlier.find(({ importer, name }) => importer === group.importer && name === group.name)?.answers ?? {};
    for (const question of group.questions) {
      const answer = answerTo(group, question, before);
      if (answer === undefined || !isChoice(question, answer)) continue;
      if (answerTo(group, question, given) === undefined) remembered[question.id] = answer;
    }
  }
  if (Object.keys(remembered).length === 0) return { planned, answers: given, remembered };
  const answers = { ...remembered, ...given };
  return { planned: await parser.plan(answers, signal), answers, remembered };
}

/** Returns the answers to a group's questions, under the importer's own names. */
export function answersOf(group: PlannedGroup, answers: ImportAnswers): Record<string, string> {
  const own = answersFor(group, answers);
  return Object.fromEntries(
    group.questions.flatMap((question) => {
      const answer = answerTo(group, question, answers);
      const name = Object.keys(own).find(
        (id) => question.id === id || question.id.startsWith(`${group.importer}.${id}`),
      );
      return answer === undefined || name === undefined ? [] : [[name, answer]];
    }),
  );
}
