// Tests completion in the real shells, if they are installed, and the man page.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bashCompletion } from "./bash.ts";
import { type DescribedCommand, describedCommands } from "./described-commands.ts";
import { fishCompletion } from "./fish.ts";
import { manPage } from "./man-page.ts";
import { zshCompletion } from "./zsh.ts";

const folder = mkdtempSync(join(tmpdir(), "pdpp-completion-"));
const has = (program: string): boolean => spawnSync(program, ["--version"]).status === 0;
const GRANT_ACTIONS = ["issue", "list", "show", "edit", "pause", "resume", "revoke", "undo"];
let commands: DescribedCommand[];

beforeAll(async () => {
  commands = await describedCommands();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("O-07 completion", () => {
  it.skipIf(!has("bash"))("O-07 completes commands, actions, options and their values in bash", () => {
    const script = join(folder, "pdpp.bash");
    writeFileSync(script, bashCompletion(commands));
    const complete = (...words: string[]): string[] =>
      execFileSync(
        "bash",
        [
          "--norc",
          "-c",
          `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _pdpp; printf "%s\\n" "\${COMPREPLY[@]}"`,
          script,
          ...words,
        ],
        { encoding: "utf8" },
      )
        .trim()
        .split("\n");
    expect(complete("pdpp", "se")).toEqual(["serve", "service", "search", "setup"]);
    expect(complete("pdpp", "grants", "")).toEqual(GRANT_ACTIONS);
    expect(complete("pdpp", "query", "messages", "--ex")).toEqual(["--expand", "--expand-limit"]);
    expect(complete("pdpp", "query", "messages", "--order", "")).toEqual(["asc", "desc"]);
    expect(complete("pdpp", "query", "messages", "--sort", "x")).toEqual([""]);
    expect(complete("pdpp", "help", "ver")).toEqual(["version"]);
  });

  it.skipIf(!has("fish"))("O-07 completes in fish", () => {
    const script = join(folder, "pdpp.fish");
    writeFileSync(script, fishCompletion(commands));
    const complete = (line: string): string[] =>
      execFileSync("fish", ["--no-config", "-c", `source ${script}; complete -C ${JSON.stringify(line)}`], {
        encoding: "utf8",
      })
        .trim()
        .split("\n")
        .map((found) => found.split("\t")[0]!);
    expect(complete("pdpp se").sort()).toEqual(["search", "serve", "service", "setup"]);
    expect(complete("pdpp grants ").sort()).toEqual([...GRANT_ACTIONS].sort());
    expect(complete("pdpp query messages --order ").sort()).toEqual(["asc", "desc"]);
    expect(complete("pdpp query messages --ex").sort()).toEqual(["--expand", "--expand-limit"]);
  });

  it.skipIf(!has("zsh"))("O-07 completes in zsh", () => {
    const script = join(folder, "pdpp.zsh");
    writeFileSync(script, zshCompletion(commands));
    const setup = join(folder, "setup.zsh");
    writeFileSync(
      setup,
      `autoload -U compinit; compinit -u -D; source ${script}
       write-line() { print -r -- $BUFFER >$LINE; BUFFER=; print line_written }
       zle -N write-line; bindkey '^Xl' write-line; print completion_loaded`,
    );
    // Runs an interactive zsh in a terminal. After the Tab, our key binding records the current line.
    const typist = `zmodload zsh/zpty; zpty shell zsh -f -i
      ask() {
        zpty -w -n shell "$1"; local part all
        repeat 3000; do
          zpty -r -t shell part && all+=$part; [[ $all == *"$2"* ]] && return; sleep 0.02
        done
        print -r -- "no answer to $1: $all"
      }
      ask "source $SETUP"$'\\n' completion_loaded
      for line in "$@"; do ask "$line"$'\\t\\x18l' line_written; cat $LINE; done
      zpty -d shell`;
    const complete = (...lines: string[]): string[] =>
      execFileSync("zsh", ["-fc", typist, "zsh", ...lines], {
        encoding: "utf8",
        env: { ...process.env, SETUP: setup, LINE: join(folder, "line"), TERM: "xterm" },
      })
        .split("\n")
        .map((line) => line.trimEnd())
        .filter((line) => line !== "");
    expect(
      complete("pdpp aggr", "pdpp grants rev", "pdpp query messages --expand-l", "pdpp query messages --order d"),
    ).toEqual([
      "pdpp aggregate",
      "pdpp grants revoke",
      "pdpp query messages --expand-limit",
      "pdpp query messages --order desc",
    ]);
  });
});

it("O-07 the man page lists every command and option, in roff without unknown requests", () => {
  const page = manPage(commands, "1.2.3");
  for (const { name, options } of commands) {
    expect(page).toContain(`.SS pdpp ${name}\n`);
    for (const option of options) expect(page).toContain(`\\fB\\-\\-${option.name.replaceAll("-", "\\-")}\\fR`);
  }
  const requests = new Set([...page.matchAll(/^\.(\w+)/gm)].map(([, request]) => request));
  expect([...requests].sort()).toEqual(["B", "I", "PP", "RE", "RS", "SH", "SS", "TH", "TP", "fi", "nf"]);
});
