// W-04: every command block in README and docs runs on the demo home and prints the output shown in the document.
// POSTERN_DOCUMENTS=write npm test -- test/documents replaces output that differs.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { demoHome } from "../demo-home.ts";
import { type Serving, serve } from "../pdpp.ts";
import { blocksOf, type Command, documentPaths, ROOT } from "./blocks.ts";
import { normalised, type Result, runAll } from "./session.ts";

const documents = documentPaths()
  .map((path) => ({ path, blocks: blocksOf(path) }))
  .filter(({ blocks }) => blocks.length > 0);

const notRun = documents.flatMap(({ path, blocks }) =>
  blocks.flatMap(({ notRun: reason, line, commands }) =>
    reason === undefined ? [] : [{ at: `${path}:${line}`, reason, commands: commands.map(({ text }) => text) }],
  ),
);

it("W-04 a block that is not run cites a test that reads the page, or tests that contain its commands and options", () => {
  const tested = notRun.filter(({ reason }) => reason.startsWith("`"));
  const missing = tested.flatMap(({ at, reason, commands }) => {
    const files = [...reason.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
    const text = files.map((name) => readFileSync(join(ROOT, RUNS[name] ?? name), "utf8")).join("\n");
    const words = reason.includes(".test.ts` runs it") ? [at.split(":")[0]!] : commands.flatMap(essentials);
    return words.flatMap((word) => (text.includes(word) ? [] : [`${at}: ${word} (${reason})`]));
  });
  expect(missing).toEqual([]);
});

it("W-04 every other block that is not run is a script of the repository", () => {
  const rest = notRun.filter(({ reason }) => !/^`[^`]+`(?: and `[^`]+`)* (?:runs?|tests?) it$/.test(reason));
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  const isScript = (text: string): boolean => (/^npm (?:run )?(\w+)/.exec(text)?.[1] ?? "") in scripts;
  const isExplained = ({ reason, commands }: (typeof rest)[number]): boolean =>
    reason === "a script of the repository" && commands.every(isScript);
  expect(rest.filter((block) => !isExplained(block))).toEqual([]);
});

it("W-04 a block with commands is marked as console or sh", () => {
  const unmarked = documentPaths().flatMap((path) =>
    [...readFileSync(join(ROOT, path), "utf8").matchAll(/^```\n\$ .*$/gm)].map(([text]) => `${path}: ${text.slice(4)}`),
  );
  expect(unmarked).toEqual([]);
});

/** Commands that people run manually, and where their last run is recorded. */
const RUNS: Record<string, string> = { "npm run clients": "test/clients/result.json" };

/** Returns the subcommand and the options of each command in a line. */
function essentials(text: string): string[] {
  return text
    .replaceAll(/\s#.*$/gm, "")
    .split(/&&|;|\n|\|/)
    .map((command) => command.trim().split(/\s+/))
    .flatMap(([program, second = "", ...others]) => [
      ...(program === "pdpp" || program === "npm" ? [second === "start" ? "serve" : second] : []),
      ...others.filter((word) => /^--[a-z]/.test(word)),
    ])
    .filter((word) => word !== "");
}

describe("W-04 command blocks", () => {
  let home: string;
  let server: Serving;

  // Each document starts with a separate home, so that one document's grant is not listed in another.
  beforeEach(async () => {
    home = await demoHome();
    server = await serve(home);
  });

  afterEach(async () => {
    await server.stop();
    rmSync(home, { recursive: true, force: true });
  });

  const runnable = documents.filter(({ blocks }) => blocks.some(({ notRun }) => notRun === undefined));
  it.each(runnable)("W-04 $path shows the output that its commands print", async ({ path, blocks }) => {
    const run = blocks.filter(({ notRun }) => notRun === undefined);
    const commands = run.flatMap((block) => block.commands);
    const texts = run.flatMap(({ first, commands }) => [
      ...first.map((text) => ({ text, isShown: false })),
      ...commands.map(({ text }) => ({ text, isShown: true })),
    ]);
    const all = await runAll(
      texts.map(({ text }) => text),
      { url: server.url, home },
    );
    expect(texts.filter(({ isShown }, at) => !isShown && all[at]!.code !== 0)).toEqual([]);
    const results = all.filter((_, at) => texts[at]!.isShown);
    if (process.env.POSTERN_DOCUMENTS === "write") rewrite(path, commands, results);
    for (const [at, command] of commands.entries()) compare(path, command, results[at]!);
  });
});

function compare(path: string, { text, output }: Command, { code, lines }: Result): void {
  const shown = `${path}: ${text}`;
  if (output === undefined) expect([shown, code, ...lines.slice(0, code === 0 ? 0 : 20)]).toEqual([shown, 0]);
  else expect([shown, ...normalised(lines)]).toEqual([shown, ...normalised(withoutEnd(output))]);
}

/** Removes blank lines at the end, because blank lines between commands do not matter. */
function withoutEnd(output: readonly string[]): string[] {
  const lines = [...output];
  while (lines.at(-1) === "") lines.pop();
  return lines;
}

function rewrite(path: string, commands: readonly Command[], results: readonly Result[]): void {
  const lines = readFileSync(join(ROOT, path), "utf8").split("\n");
  for (const [at, { output, outputStart }] of [...commands.entries()].reverse()) {
    if (output === undefined) continue;
    const shown = withoutEnd(output);
    const printed = results[at]!.lines;
    if (normalised(shown).join("\n") !== normalised(printed).join("\n"))
      lines.splice(outputStart, shown.length, ...printed);
  }
  writeFileSync(join(ROOT, path), lines.join("\n"));
}
