// Matches answers to groups: two groups with a question of the same name can get different answers.
import type { ImportAnswers, ImporterQuestion } from "./importer.ts";

/**
 * The group that asks. An answer under `account` applies to all groups with that question, `mail.account` only to mail,
 * and a name with `@Name` only to that group.
 */
interface AskingGroup {
  importer: string;
  /** The group's display name. */
  name: string;
}

/** Question names have a maximum length. The end of a path is the most telling part. */
const TAG_MAX = 60;
const tagOf = ({ name }: AskingGroup): string => `@${name.slice(-TAG_MAX)}`;

/** The importer's own name for the question. */
function plainId(asker: AskingGroup, id: string): string {
  if (!id.startsWith(`${asker.importer}.`)) return id;
  const plain = id.slice(asker.importer.length + 1);
  const tag = tagOf(asker);
  return plain.endsWith(tag) ? plain.slice(0, -tag.length) : plain;
}

/** Returns the answers under their plain names. A longer, more specific name takes precedence. */
export function answersFor(asker: AskingGroup, answers: ImportAnswers): ImportAnswers {
  const byLength = Object.entries(answers).sort(([one], [other]) => one.length - other.length);
  return Object.fromEntries(byLength.map(([id, answer]) => [plainId(asker, id), answer]));
}

/**
 * With several groups, each question gets a name that includes its group, because the same name can mean something else
 * in another group.
 */
export function withGroupNames<G extends AskingGroup & { questions: readonly ImporterQuestion[] }>(
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

/** Returns the answer under any of its names. An empty choice is not an answer, but an empty string can be one. */
export function answerTo(
  asker: AskingGroup,
  { id, options }: ImporterQuestion,
  answers: ImportAnswers,
): string | undefined {
  const answer = answersFor(asker, answers)[plainId(asker, id)];
  return answer === "" && options !== undefined ? undefined : answer;
}

export const isChoice = ({ options }: ImporterQuestion, answer: string): boolean =>
  options === undefined || options.some(({ value }) => value === answer);

/** The answer format, shown as JSON for an answers file: `{"date_order": "dmy" or "mdy"}`. */
export function answerForm({ id, options }: ImporterQuestion): string {
  const values = options?.map(({ value }) => JSON.stringify(value)).join(" or ");
  return `{${JSON.stringify(id)}: ${values ?? "…"}}`;
}
