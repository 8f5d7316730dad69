// Connector questions, asked and answered at a terminal. Answers are passed to the process that runs the connector and
// are not stored along the way.
import type { AskOwner } from "../../../collect/connectors/questions.ts";
import type { CollectQuestion, CollectRun } from "../../../contract/collect.ts";
import { PdppError } from "../../../contract/errors.ts";
import type { QueryOf } from "../../../engine/calls/calls.ts";
import { servingAddress } from "../../../engine/home-address.ts";
import { httpHost } from "../../rest/http-host.ts";
import { answer, type CommandContext, InputNeeded, UsageError } from "../command.ts";
import { askHidden } from "../hidden-prompt.ts";
import { nextCommand } from "../next-command.ts";
import { printable } from "../printable.ts";
import { answered, confirm } from "../prompt.ts";
import { runNamed } from "./setups.ts";
import { atTerminal, givenPairs, givenSecrets, secretInWords } from "./values.ts";

/** The address of this home's server, if it is running. Call it before this process opens the home. */
export const serverBeside = ({ values, home }: CommandContext): string | undefined =>
  values.server === undefined ? servingAddress(home) : undefined;

/** The running server accepts answers over HTTP, so the command issues a token that is valid for one minute. */
const TOKEN_SECONDS = 60;

export async function answerOnServer(
  { values, call }: CommandContext,
  query: QueryOf<"answerCollect">,
  beside: string | undefined,
): Promise<CollectRun> {
  if (values.server !== undefined) return call("answerCollect", query);
  if (beside === undefined)
    throw new PdppError("invalid_request", "no server is running this connector", {
      next_step: "A connector that was started by a command asks its questions in that command's terminal.",
    });
  const issued = await call("issueOwnerToken", { expires_in_seconds: TOKEN_SECONDS });
  try {
    return await httpHost(beside).call("answerCollect", query, { token: issued.access_token });
  } finally {
    await call("revokeOwnerToken", { id: issued.token_id });
  }
}

export const askAtTerminal =
  ({ note }: CommandContext): AskOwner =>
  async (question) => {
    note(`The connector needs an answer: ${printable(question.message, 500)}`);
    return question.fields.length === 0 ? confirmed(question) : typed(question, {});
  };

async function confirmed({ kind }: CollectQuestion): Promise<Record<string, string> | undefined> {
  return (await confirm(kind === "manual_action" ? "Have you done this?" : "Continue?", "")) ? {} : undefined;
}

async function typed({ fields }: CollectQuestion, given: Record<string, string>): Promise<Record<string, string>> {
  const values = { ...given };
  for (const { name, title, secret, required } of fields) {
    if (values[name] !== undefined) continue;
    if (!atTerminal()) {
      if (!required) continue;
      throw new InputNeeded(
        `${name} is required: ${title}`,
        secret
          ? `Pass it with --secret-file ${name}=FILE (or ${name}=- for standard input).`
          : `Pass it with --set ${name}=VALUE.`,
      );
    }
    const value = secret ? await askHidden(title) : await answered(`${title}:`);
    if (value !== "" || required) values[name] = value;
  }
  return values;
}

export async function answerQuestion(context: CommandContext, [named, ...rest]: string[]): Promise<number> {
  if (named === undefined || rest.length > 0)
    throw new UsageError("answer takes one ID: a run, or the connection that needs an answer");
  const beside = serverBeside(context);
  const { run_id: id, question } = await runNamed(context, named);
  if (question === undefined)
    throw new PdppError("invalid_request", `run ${id} is not waiting for an answer`, {
      next_step: `\`pdpp connectors show ${named}\` shows its state.`,
    });
  const { request_id, message, fields } = question;
  const { values, note } = context;
  const words = givenPairs(values, "set");
  for (const name of words.keys())
    if (fields.some((field) => field.name === name && field.secret)) throw secretInWords(name);
  const given = { ...Object.fromEntries(words), ...(await givenSecrets(values)) };
  if (atTerminal()) note(printable(message, 500));
  const reply = values.refuse === true ? { refuse: true as const } : { values: await typed(question, given) };
  const query = { id, request_id, ...reply, ...(values.remember === true ? { remember: true } : {}) };
  answer(
    context,
    await answerOnServer(context, query, beside),
    () => "Answered.",
    () => `Progress: ${nextCommand(context, ["connectors", "show", named])}`,
  );
  return 0;
}
