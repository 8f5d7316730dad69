// pdpp in a terminal, where Ctrl-C reaches every process of the command: imports pause, questions end, and no stack
// trace is printed.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { pdpp } from "./pdpp.ts";

const BIN = fileURLToPath(new URL("../bin/pdpp.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "pdpp-terminal-"));
const at = (name: string): string => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const CTRL_C = "\x03";
/** Two signals further apart than this are two keystrokes. */
const SAME_KEYSTROKE_MS = 1200;
/** The program `script` from util-linux gives a command a terminal. */
const hasTerminal = spawnSync("script", ["-qec", "true", "/dev/null"]).status === 0;
/** Simulates a Node that is too old. The command then restarts itself with the checkout's Node. */
const old = at("old.mjs");
writeFileSync(old, 'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.0.0" } });\n');
const older = [process.execPath, "--import", old];
const NODES = { "this Node": [process.execPath], "an older Node": older };

function watching(child: ChildProcess) {
  let said = "";
  const waiting: (() => void)[] = [];
  for (const stream of [child.stdout!, child.stderr!])
    stream.on("data", (part: Buffer) => {
      said += part.toString();
      for (const look of waiting) look();
    });
  const ended = once(child, "close").then(([code, signal]) => (signal === "SIGINT" ? 130 : (code as number)));
  const until = (text: RegExp): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => void (text.test(said) && resolve());
      waiting.push(look);
      child.once("close", () => reject(new Error(`it ended: ${said}`)));
      look();
    });
  return { child, ended, until, said: () => said };
}

/** Runs pdpp in a terminal. Each argument must be a path or a word without quotes. */
const inTerminal = (node: readonly string[], args: readonly string[]) =>
  watching(spawn("script", ["-qfec", [...node, BIN, ...args].map((one) => `'${one}'`).join(" "), "/dev/null"]));

/** Runs pdpp in a separate process group, as a shell does. */
const inGroup = ([program, ...options]: readonly string[], args: readonly string[]) =>
  watching(spawn(program!, [...options, BIN, ...args], { stdio: ["ignore", "pipe", "pipe"], detached: true }));

const MANY = 60_000;
const many = at("many.html");
const home = ["--home", at("home")];
const importing = ["import", many, ...home, "--json"];
const bookmarks = (): string =>
  [
    "<!DOCTYPE NETSCAPE-Bookmark-file-1>",
    ...Array.from(
      { length: MANY },
      (_, n) => `<DT><A HREF="https://example.org/${n}" ADD_DATE="${1_700_000_000 + n}">Page ${n}</A>`,
    ),
  ].join("\n");

/** Returns the status of the one job that all tests in this file continue. */
const jobs = async (): Promise<{ status: string }[]> =>
  (await pdpp(["import", "list", ...home, "--json"])).json.data as { status: string }[];

describe("an interrupted import", () => {
  writeFileSync(many, bookmarks());

  const pauses = async (run: ReturnType<typeof watching>, interrupt: (child: ChildProcess) => void): Promise<void> => {
    await run.until(/"imported":[1-9]/);
    interrupt(run.child);
    expect([await run.ended, run.said()]).toEqual([130, expect.stringContaining("Paused.")]);
    expect(await jobs()).toMatchObject([{ status: "paused" }]);
  };

  test.skipIf(!hasTerminal).each(Object.entries(NODES))(
    "P-05 Ctrl-C in a terminal pauses an import started by %s",
    (_, node) => pauses(inTerminal(node, importing), ({ stdin }) => stdin!.write(CTRL_C)),
  );

  test("P-05 one SIGINT to all of its processes pauses the import, although the older Node forwards it too", () =>
    pauses(inGroup(older, importing), ({ pid }) => process.kill(-pid!, "SIGINT")));

  test("P-05 the first SIGTERM pauses the import", () =>
    pauses(inGroup(older, importing), (child) => child.kill("SIGTERM")));

  test("P-05 a second SIGINT ends the import immediately, and the next run continues", async () => {
    // While another process is writing, the import can store neither records nor that it is paused.
    const writer = new DatabaseSync(at("home/records.db"));
    writer.exec("PRAGMA busy_timeout = 10000; BEGIN IMMEDIATE");
    const { child, ended, until, said } = inGroup(older, ["import", many, ...home]);
    await until(/many\.html/);
    process.kill(-child.pid!, "SIGINT");
    await sleep(SAME_KEYSTROKE_MS);
    expect(child.exitCode).toBeNull();
    process.kill(-child.pid!, "SIGINT");
    expect([await ended, said()]).toEqual([130, expect.not.stringContaining("Paused.")]);
    writer.exec("ROLLBACK");
    writer.close();
  });
});

test("P-05 after all of these interruptions, every record has been imported once", async () => {
  const { stdout } = await pdpp(importing);
  expect(JSON.parse(stdout.trim().split("\n").at(-1)!)).toMatchObject({ imported: MANY, unchanged: 0, failed: 0 });
});

test.skipIf(!hasTerminal)("P-05 Ctrl-C at a question ends the import without a stack trace", async () => {
  writeFileSync(at("WhatsApp Chat with Ann.txt"), "01/02/2024, 09:10 - Ann: Hi\n03/02/2024, 09:11 - Bo: Hello\n");
  const { child, ended, until, said } = inTerminal(older, [
    "import",
    at("WhatsApp Chat with Ann.txt"),
    "--home",
    at("asked"),
  ]);
  await until(/\?/);
  child.stdin!.write(CTRL_C);
  expect(await ended).toBe(130);
  expect(said()).not.toMatch(/^\s+at .+:\d+/m);
  expect(said()).not.toContain("Error");
});
