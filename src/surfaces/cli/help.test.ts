// Checks that help covers every command and option, and that every example parses.
import { describe, expect, it } from "vitest";
import { COMMANDS, type CommandName, SUMMARIES } from "./commands.ts";
import { commandHelp, overview } from "./help.ts";
import { optionsOf, parseCommand } from "./parse.ts";
import { shellWords } from "./shell-words.fixture.ts";

const names = Object.keys(COMMANDS) as CommandName[];

it("lists every command in the overview", () => {
  expect(Object.keys(SUMMARIES)).toEqual(names);
  for (const name of names) expect(overview()).toMatch(new RegExp(`^  ${name} +\\S`, "m"));
});

describe.each(names)("L-12: pdpp %s --help", (name) => {
  it("has a usage and examples that parse", async () => {
    const command = await COMMANDS[name]();
    expect(command.usage).toMatch(new RegExp(`^pdpp ${name}\\b`));
    expect(command.examples.length).toBeGreaterThan(1);
    for (const example of command.examples) {
      const words = shellWords(example.slice(example.indexOf("pdpp ")));
      expect(words.slice(0, 2)).toEqual(["pdpp", name]);
      expect(() => parseCommand(command, words.slice(2)), example).not.toThrow();
    }
  });

  it("O-07 explains every option that the command accepts", async () => {
    const command = await COMMANDS[name]();
    const lines = commandHelp(name, command).split("\n");
    for (const [option, { about, type, value }] of Object.entries(optionsOf(command))) {
      expect(
        lines.filter((line) => new RegExp(`^  --${option}(,| |$)`).test(line)),
        option,
      ).toHaveLength(1);
      expect(about.length, option).toBeGreaterThan(5);
      expect(type === "string", option).toBe(value !== undefined);
    }
  });
});
