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
