// Asks the person at the terminal, if there is one.
import { createInterface } from "node:readline/promises";
import { type CommandContext, InputNeeded } from "./command.ts";
import { nextCommand } from "./next-command.ts";

/** Asks a yes-or-no question. Throws without a terminal. */
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
 * Asks before something that cannot be undone, unless --yes is given. Without a terminal, the error says how to run
 * `command` with --yes.
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

/**
 * Asks for a line of text. Return alone accepts the default. Returns undefined if interrupted by Ctrl-C or by the
 * signal.
 */
export async function ask(
  question: string,
  usual: string | undefined,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const hint = usual === undefined ? "" : ` [${usual}]`;
  const isOver = new AbortController();
  // While a question is open, Ctrl-C arrives here and not at the process.
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

/**
 * For questions before any work has started. An interruption ends the command, because there is nothing to clean up.
 */
export async function answered(question: string): Promise<string> {
  const answer = await ask(question, undefined);
  if (answer === undefined) process.exit(130);
  return answer;
}
