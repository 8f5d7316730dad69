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

/** A line of text; Return alone takes what is usual. */
export async function ask(question: string, usual: string | undefined): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const hint = usual === undefined ? "" : ` [${usual}]`;
    return (await terminal.question(`${question}${hint} `)).trim();
  } finally {
    terminal.close();
  }
}
