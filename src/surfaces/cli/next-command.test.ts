// Tests that a shell and pdpp itself parse printed commands as intended.
import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { quote } from "../../core/shell-quote.ts";
import { UsageError } from "./command.ts";
import { nextCommand } from "./next-command.ts";
import { parseCommand } from "./parse.ts";
import { shellWords } from "./shell-words.fixture.ts";

const about = "for tests";

describe("the next command", () => {
  it("is parsed as intended, no matter which words it contains", () => {
    const words = fc.string({ unit: "grapheme", minLength: 1 }).filter((word) => !word.includes("\0"));
    fc.assert(
      fc.property(fc.array(words, { maxLength: 3 }), words, (positionals, value) => {
        const line = nextCommand({ values: {} }, ["query", ...positionals], { filter: [value, "a=1"], count: true });
        const [pdpp, name, ...args] = shellWords(line);
        expect([pdpp, name]).toEqual(["pdpp", "query"]);
        const options = {
          filter: { type: "string", multiple: true, about },
          count: { type: "boolean", about },
        } as const;
        const parsed = parseCommand({ options }, args);
        expect(parsed.positionals).toEqual(positionals);
        expect({ ...parsed.values }).toEqual({ filter: [value, "a=1"], count: true });
      }),
    );
  });

  it("is quoted so that a real shell parses it", () => {
    const words = ["plain", "two words", "it's", "$HOME `x` \\", "~", "*", "ü 😀\nline"];
    const printed = execFileSync("sh", ["-c", `printf '%s\\0' ${words.map(quote).join(" ")}`], { encoding: "utf8" });
    expect(printed.split("\0").slice(0, -1)).toEqual(words);
    expect(shellWords(words.map(quote).join(" "))).toEqual(words);
  });

  it("repeats the home or the server, but never a token", () => {
    const line = nextCommand({ values: { home: "/a b", token: "pdpp_at_secret" } }, ["fetch", "x:1"]);
    expect(line).toBe("pdpp fetch x:1 --home '/a b' --token TOKEN");
  });
});

describe("arguments", () => {
  const options = {
    sort: { type: "string", about },
    yes: { type: "boolean", about },
    "client-name": { type: "string", about },
  } as const;

  it("accept a value that begins with one dash", () => {
    expect(parseCommand({ options }, ["--sort", "-sent_at", "x"])).toMatchObject({
      values: { sort: "-sent_at" },
      positionals: ["x"],
    });
  });

  it("O-08 can begin with a dash for commands that take search words; for other commands such words are options", () => {
    const words = parseCommand({ options, dashedWords: true }, ["lisbon", "-flight", "--sort", "-x", "-y"]);
    expect(words).toMatchObject({ values: { sort: "-x" }, positionals: ["lisbon", "-flight", "-y"] });
    expect(() => parseCommand({ options }, ["lisbon", "-flight"])).toThrow("there is no option -f");
  });

  it("do not treat the next option as a value", () => {
    expect(() => parseCommand({ options }, ["--sort", "--yes"])).toThrow("--sort needs a value");
    expect(parseCommand({ options }, ["--", "--sort", "-x"]).positionals).toEqual(["--sort", "-x"]);
  });

  it.each<[string, string[]]>([
    ["there is no option --srot; did you mean --sort?", ["--srot", "x"]],
    ["there is no option --name; did you mean --client-name?", ["--name", "x"]],
    ["there is no option --zzz", ["--zzz"]],
    ["there is no option -z", ["-z"]],
    ["--sort needs a value", ["--sort"]],
    ["--yes takes no value", ["--yes=1"]],
    ["--sort is given twice; it takes one value", ["--sort", "a", "--sort=b"]],
  ])("are refused with an explanation: %s", (message, args) => {
    expect(() => parseCommand({ options }, args)).toThrow(new UsageError(message));
  });

  it("cannot include a server if the command works only on a home", () => {
    expect(() => parseCommand({ options, local: true }, ["--server", "http://x"])).toThrow(
      new UsageError("--server is for commands that read a running server; this one works on a home"),
    );
  });
});
