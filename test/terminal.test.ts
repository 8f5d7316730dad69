// pdpp in a terminal, where Ctrl-C reaches every process of the command: imports pause, questions end, nothing prints a stack.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { pdpp } from "./pdpp.ts";

const BIN = fileURLToPath(new URL("../bin/pdpp.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "pdpp-terminal-"));
const at = (name: string): string => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const CTRL_C = "\x03";
/** util-linux's script gives a command a terminal of its own. */
const hasTerminal = spawnSync("script", ["-qec", "true", "/dev/null"]).status === 0;
/** An older Node than the command needs, which then starts the one that the checkout brings along. */
const older = spawnSync("node", ["-p", "process.versions.node"], { encoding: "utf8" }).stdout?.trim() ?? "";
const isOlder = older !== "" && Number(older.split(".")[0]) < Number(process.versions.node.split(".")[0]);

function watching(child: ChildProcess) {
  let said = "";
  const waiting: (() => void)[] = [];
  for (const stream of [child.stdout!, child.stderr!])
    stream.on("data", (part: Buffer) => {
      said += part.toString();
      for (const look of waiting) look();
    });
  const ended = once(child, "close").then(([code]) => code as number);
  const until = (text: RegExp): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => void (text.test(said) && resolve());
      waiting.push(look);
      child.once("close", () => reject(new Error(`it ended: ${said}`)));
      look();
    });
  return { child, ended, until, said: () => said };
}

/** Each argument is a path or a word without quotes. */
const inTerminal = (node: string, args: readonly string[]) =>
  watching(spawn("script", ["-qfec", [node, BIN, ...args].map((one) => `'${one}'`).join(" "), "/dev/null"]));

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

/** Of the one job that all tests of this file go on with. */
const jobs = async (): Promise<{ status: string }[]> =>
  (await pdpp(["import", "list", ...home, "--json"])).json.data as { status: string }[];

describe("an interrupted import", () => {
  writeFileSync(many, bookmarks());

  test.skipIf(!hasTerminal)("P-05 Ctrl-C in a terminal pauses it", async () => {
    const { child, ended, until, said } = inTerminal(process.execPath, importing);
    await until(/"imported":[1-9]/);
    child.stdin!.write(CTRL_C);
    expect([await ended, said()]).toEqual([130, expect.stringContaining("Paused.")]);
    expect(await jobs()).toMatchObject([{ status: "paused" }]);
  });

  test.skipIf(!hasTerminal || !isOlder)(
    "P-05 Ctrl-C pauses it also when an older Node started the command",
    async () => {
      const { child, ended, until, said } = inTerminal("node", importing);
      await until(/"imported":[1-9]/);
      child.stdin!.write(CTRL_C);
      expect([await ended, said()]).toEqual([130, expect.stringContaining("Paused.")]);
      expect(await jobs()).toMatchObject([{ status: "paused" }]);
    },
  );

  test("P-05 the first SIGTERM pauses it", async () => {
    const { child, ended, until, said } = watching(
      spawn(process.execPath, [BIN, ...importing], { stdio: ["ignore", "pipe", "pipe"] }),
    );
    await until(/"imported":[1-9]/);
    child.kill("SIGTERM");
    expect([await ended, said()]).toEqual([130, expect.stringContaining("Paused.")]);
    expect(await jobs()).toMatchObject([{ status: "paused" }]);
  });
});

test.skipIf(!hasTerminal)("P-05 Ctrl-C at a question ends the import without a stack trace", async () => {
  writeFileSync(at("WhatsApp Chat with Ann.txt"), "01/02/2024, 09:10 - Ann: Hi\n03/02/2024, 09:11 - Bo: Hello\n");
  const { child, ended, until, said } = inTerminal(process.execPath, [
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
