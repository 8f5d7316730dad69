// W-04: every command block of README and docs is run against the demo home, and prints what the document says.
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

/** A block that is not run names what runs it, or what it needs that no test machine has. */
const REASONS = [
  /^`[^`]+` (?:runs|tests) it$/,
  /^it needs (?:a browser|a database server|a checkout|another program|a mailbox|a service manager|the internet|an account|your own files)$/,
];

it("W-04 a block that is not run says why", () => {
  const left = documents.flatMap(({ path, blocks }) =>
    blocks.flatMap(({ notRun, line }) => (notRun === undefined ? [] : [{ at: `${path}:${line}`, notRun }])),
  );
  expect(left.filter(({ notRun }) => !REASONS.some((reason) => reason.test(notRun)))).toEqual([]);
});

it("W-04 a block with commands is marked as console or sh", () => {
  const unmarked = documentPaths().flatMap((path) =>
    [...readFileSync(join(ROOT, path), "utf8").matchAll(/^```\n\$ .*$/gm)].map(([text]) => `${path}: ${text.slice(4)}`),
  );
  expect(unmarked).toEqual([]);
});

describe("W-04 command blocks", () => {
  let home: string;
  let server: Serving;

  // Each document starts with its own home: a grant that one issues is not in the list of another.
  beforeEach(async () => {
    home = await demoHome();
    server = await serve(home);
  });

  afterEach(async () => {
    await server.stop();
    rmSync(home, { recursive: true, force: true });
  });

  const runnable = documents.filter(({ blocks }) => blocks.some(({ notRun }) => notRun === undefined));
  it.each(runnable)("W-04 $path prints what it shows", async ({ path, blocks }) => {
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

/** Empty lines between commands are for the reader. */
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
