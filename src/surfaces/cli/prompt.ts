// Asking the person at the terminal, if there is one.
import { createInterface } from "node:readline/promises";
import { InputNeeded } from "./command.ts";

/** Yes or no; without a terminal nobody can answer. */
export async function confirm(question: string, otherwise: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) throw new InputNeeded(question, otherwise);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}

/** A line of text; Return alone takes what is usual. Undefined: it was interrupted, by Ctrl-C or by the signal. */
export async function ask(
  question: string,
  usual: string | undefined,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const hint = usual === undefined ? "" : ` [${usual}]`;
  const isOver = new AbortController();
  // While a question needs an answer the terminal's Ctrl-C comes here, not to the process.
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

/** Where nothing has begun that would have to be put right, an interruption ends the command. */
export async function answered(question: string): Promise<string> {
  const answer = await ask(question, undefined);
  if (answer === undefined) process.exit(130);
  return answer;
}
