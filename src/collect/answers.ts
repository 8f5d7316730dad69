// Answers and the groups they are for: two groups with a question of the same name need not get the same answer.
import type { ImportAnswers, ImporterQuestion } from "./importer.ts";

/**
 * The group that asks. An answer under `account` is for all groups with that question, under `mail.account` for mail,
 * with `@Name` for one group.
 */
interface AskingImporter {
  importer: string;
  /** The name of the group, for people. */
  name: string;
}

/** Names of questions have a limit; the end of a path says most. */
const TAG_MAX = 60;
const tagOf = ({ name }: AskingImporter): string => `@${name.slice(-TAG_MAX)}`;

/** The importer's own name for the question. */
function plainId(asker: AskingImporter, id: string): string {
  if (!id.startsWith(`${asker.importer}.`)) return id;
  const plain = id.slice(asker.importer.length + 1);
  const tag = tagOf(asker);
  return plain.endsWith(tag) ? plain.slice(0, -tag.length) : plain;
}

/** By plain names; a longer, more specific name takes precedence. */
export function answersFor(asker: AskingImporter, answers: ImportAnswers): ImportAnswers {
  const byLength = Object.entries(answers).sort(([one], [other]) => one.length - other.length);
  return Object.fromEntries(byLength.map(([id, answer]) => [plainId(asker, id), answer]));
}

/**
 * With several groups, each question gets a name for its group alone: the same word may mean something else to another
 * group.
 */
export function withGroupNames<G extends AskingImporter & { questions: readonly ImporterQuestion[] }>(
  groups: readonly G[],
): G[] {
  if (groups.length < 2) return [...groups];
  const askers = Map.groupBy(
    groups.flatMap(({ importer, questions }) => questions.map(({ id }) => `${importer}.${id}`)),
    (id) => id,
  );
  return groups.map((group) => ({
    ...group,
    questions: group.questions.map((question) => {
      const id = `${group.importer}.${question.id}`;
      return { ...question, id: askers.get(id)!.length === 1 ? id : `${id}${tagOf(group)}` };
    }),
  }));
}

/** The answer under any of its names. An empty choice is not an answer; an empty text may be one. */
export function answerTo(
  asker: AskingImporter,
  { id, options }: ImporterQuestion,
  answers: ImportAnswers,
): string | undefined {
  const answer = answersFor(asker, answers)[plainId(asker, id)];
  return answer === "" && options !== undefined ? undefined : answer;
}

export const isChoice = ({ options }: ImporterQuestion, answer: string): boolean =>
  options === undefined || options.some(({ value }) => value === answer);

/** As JSON for a file of answers: `{"date_order": "dmy" or "mdy"}`. */
export function answerForm({ id, options }: ImporterQuestion): string {
  const values = options?.map(({ value }) => JSON.stringify(value)).join(" or ");
  return `{${JSON.stringify(id)}: ${values ?? "…"}}`;
}
