// Asks the person at the terminal, if there is one.
import { createInterface } from "node:readline/promises";
import { type CommandContext, InputNeeded } from "./command.ts";
import { nextCommand } from "./next-command.ts";

/** Yes or no; an error without a terminal. */
export async function confirm(question: string, otherwise: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) throw new InputNeeded(question, otherwise);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}

/**
 * Whether to do something that cannot be undone: asked unless --yes is given. Without a terminal, the error says how to
 * run `command` with it.
 */
export async function agreed(
  context: CommandContext,
  command: string[],
  question: () => string | Promise<string>,
  declined: string,
): Promise<boolean> {
  if (context.values.yes === true) return true;
  if (await confirm(await question(), `To confirm, run: ${nextCommand(context, command, { yes: true })}`)) return true;
  context.note(declined);
  return false;
}

/** A line of text; Return alone takes the default. Undefined: it was interrupted, by Ctrl-C or by the signal. */
export async function ask(
  question: string,
  usual: string | undefined,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const hint = usual === undefined ? "" : ` [${usual}]`;
  const isOver = new AbortController();
  // While a question is open, the terminal's Ctrl-C arrives here, not at the process.
  terminal.once("SIGINT", () => isOver.abort());
  terminal.once("close", () => isOver.abort());
  try {
    return (
      await terminal.question(`${question}${hint} `, {
        signal: AbortSignal.any([isOver.signal, ...(signal === undefined ? [] : [signal])]),
      })
    ).trim();
  } catch (error) {
    if (signal?.aborted || isOver.signal.aborted) return undefined;
    throw error;
  } finally {
    terminal.close();
  }
}

/** If nothing has started that would have to be cleaned up, an interruption ends the command. */
export async function answered(question: string): Promise<string> {
  const answer = await ask(question, undefined);
  if (answer === undefined) process.exit(130);
  return answer;
}
