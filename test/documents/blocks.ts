// Command blocks in the docs: `console` blocks contain commands and their output, `sh` blocks only commands.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export interface Command {
  text: string;
  /** The printed lines; undefined in an `sh` block. */
  output: string[] | undefined;
  /** The line of the document after the end of the command. */
  end: number;
  /** The line of the document where the command's output starts. */
  outputStart: number;
}

export interface Block {
  language: "console" | "sh";
  line: number;
  /** The reason from `<!-- not run: REASON -->` above the block. */
  notRun: string | undefined;
  /** Preparations that the reader does not need to see, from `<!-- run first: COMMAND -->` lines above the block. */
  first: string[];
  /** From `<!-- check: COMMAND -->` lines above the block: commands that must succeed after it. */
  checks: string[];
  /** From `<!-- typed: TEXT -->` above the block: the lines, separated by `|`, that are typed at its first command. */
  typed: string | undefined;
  commands: Command[];
}

export const documentPaths = (): string[] => [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  ...readdirSync(join(ROOT, "docs"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".md"))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .sort(),
];

export function blocksOf(path: string): Block[] {
  const lines = readFileSync(join(ROOT, path), "utf8").split("\n");
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; at++) {
    const language = /^```(console|sh)$/.exec(lines[at]!)?.[1] as Block["language"] | undefined;
    if (language === undefined) continue;
    const end = lines.indexOf("```", at + 1);
    const comments: string[] = [];
    for (let above = at - 1; lines[above]?.startsWith("<!-- "); above--) comments.unshift(lines[above]!);
    const said = (what: string): string[] =>
      comments.flatMap((line) => new RegExp(`^<!-- ${what}: (.+) -->$`).exec(line)?.[1] ?? []);
    const commands = commandsOf(lines, at + 1, end, language);
    blocks.push({
      language,
      line: at + 1,
      notRun: said("not run")[0],
      first: said("run first"),
      checks: said("check"),
      typed: said("typed")[0],
      commands,
    });
    at = end;
  }
  return blocks;
}

function commandsOf(lines: readonly string[], start: number, end: number, language: Block["language"]): Command[] {
  const commands: Command[] = [];
  for (let at = start; at < end; ) {
    const begin = at;
    const first = language === "console" ? /^\$ (.*)$/.exec(lines[at]!)?.[1] : lines[at]!;
    if (first === undefined) throw new Error(`line ${at + 1}: a console block starts with a command`);
    let text = first;
    at++;
    while (at < end && isUnfinished(text)) text += `\n${lines[at++]!}`;
    const outputStart = at;
    if (language === "console") while (at < end && !lines[at]!.startsWith("$ ")) at++;
    const output = language === "console" ? lines.slice(outputStart, at) : undefined;
    if (text.trim() !== "") commands.push({ text, output, outputStart, end: at });
    if (at === begin) throw new Error(`line ${at + 1}: no progress`);
  }
  return commands;
}

/** A command with a pipe, a backslash or an open loop continues on the next line. */
const isUnfinished = (text: string): boolean =>
  /[|\\]\s*$/.test(text) || (/(?:^|\n)for /.test(text) && !/\ndone/.test(text));
