// W-04: every command block in README and docs runs on the demo home and prints the output shown in the document.
// POSTERN_DOCUMENTS=write npm test -- test/documents replaces output that differs.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { demoHome } from "../demo-home.ts";
import { approve, backToApp } from "../oauth/approve.ts";
import { ownerBrowser, setUp } from "../oauth/owner-browser.ts";
import { ok, pdpp, type Serving, serve } from "../pdpp.ts";
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

it("W-04 a block that is not run here cites a test that reads the page, or tests that contain its commands and options", () => {
  const missing = notRun.flatMap(({ at, reason, commands }) => {
    const files = [...reason.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
    // The tests in this folder select their blocks by this comment.
    if (files.every((name) => SELECTING.includes(name))) return [];
    const text = files.map((name) => readFileSync(join(ROOT, RUNS[name] ?? name), "utf8")).join("\n");
    const words = reason.includes(".test.ts` runs it") ? [at.split(":")[0]!] : commands.flatMap(essentials);
    return words.flatMap((word) => (text.includes(word) ? [] : [`${at}: ${word} (${reason})`]));
  });
  expect(missing).toEqual([]);
});

it("W-04 every block that is not run here cites the tests or the command that run it", () => {
  const listed = /^`[^`]+`(?: and `[^`]+`)* (?:runs?|tests?) it$/;
  expect(notRun.filter(({ reason }) => !listed.test(reason))).toEqual([]);
});

it("W-04 a block with commands is marked as console or sh", () => {
  const other = /^ *```(?:\n\$ .*|(?:bash|shell|zsh|shellsession|terminal|console.+|sh.+))$/gm;
  const unmarked = documentPaths().flatMap((path) =>
    [...readFileSync(join(ROOT, path), "utf8").matchAll(other)].map(([text]) => `${path}: ${text.trim()}`),
  );
  expect(unmarked).toEqual([]);
});

/** Commands that change or list the data that `pdpp grants list`, `connections` and queries in other documents show. */
const CHANGING = /\bpdpp (?:import|grants|activity|files|connect|disconnect|backup|restore|schedules)\b/;

/** Tests that run the blocks whose comments name them, and fail if such a block is added or removed. */
const SELECTING = ["test/documents/scripts.test.ts", "test/documents/serving.test.ts"];

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
  const servings = new Map<string, Promise<Serving & { home: string }>>();

  /** Documents that change what others list have a separate home and server. The rest share one. */
  async function servingFor(path: string, commands: readonly Command[]): Promise<Serving & { home: string }> {
    const name = commands.some(({ text }) => CHANGING.test(text)) ? path : "shared";
    if (!servings.has(name)) servings.set(name, start());
    return servings.get(name)!;
  }

  async function start(): Promise<Serving & { home: string }> {
    const home = await demoHome();
    return { ...(await serve(home)), home };
  }

  async function stop(name: string): Promise<void> {
    const serving = await servings.get(name);
    servings.delete(name);
    if (serving === undefined) return;
    await serving.stop();
    rmSync(serving.home, { recursive: true, force: true });
  }

  afterAll(async () => {
    for (const name of servings.keys()) await stop(name);
  });

  /** The owner signs in and allows the first stream for 30 days. */
  async function allow(address: string, { url, home }: { url: string; home: string }): Promise<void> {
    const browser = ownerBrowser(url);
    const { stdout } = await ok(pdpp(["owner", "reset", "--home", home]));
    await setUp(browser, /http:\S+/.exec(stdout)![0]);
    const receipt = await approve(browser, await browser.get(address), { duration: "30d" });
    await fetch(await backToApp(browser, receipt));
  }

  const runnable = documents.filter(({ blocks }) => blocks.some(({ notRun }) => notRun === undefined));
  it.each(runnable)("W-04 $path shows the output that its commands print", async ({ path, blocks }) => {
    const run = blocks.filter(({ notRun }) => notRun === undefined);
    const commands = run.flatMap((block) => block.commands);
    const steps = run.flatMap(({ first, typed, checks, commands }) => [
      ...first.map((text) => ({ text, isShown: false })),
      ...commands.map(({ text }, at) => ({ text, isShown: true, typed: at === 0 ? typed : undefined })),
      ...checks.map((text) => ({ text, isShown: false })),
    ]);
    const serving = await servingFor(path, commands);
    const all = await runAll(steps, { ...serving, visit: (address) => allow(address, serving) });
    await stop(path);
    expect(
      steps.flatMap((step, at) => (step.isShown || all[at]!.code === 0 ? [] : [{ ...step, ...all[at]! }])),
    ).toEqual([]);
    const results = all.filter((_, at) => steps[at]!.isShown);
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
