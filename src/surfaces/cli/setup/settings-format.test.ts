// Tests that one entry can be written to settings in three formats and removed again, while comments, order, spacing
// and all other entries are kept.
import fc from "fast-check";
import { parse as parseToml, stringify as stringifyToml } from "smol-toml";
import { describe, expect, it } from "vitest";
import { parse as parseYaml, stringify as stringifyYaml } from "yaml";
import { settingsFormat, UnsafeEdit, withEntry } from "./settings-format.ts";

const ENTRY = { url: "http://127.0.0.1:7887/mcp" };
const OTHER = { url: "https://data.example.org/mcp", headers: { "X-Own": "yes" } };

const JSON_AT = { under: "mcpServers", name: "pdpp" };
const JSONS = {
  "an empty object": "{}\n",
  "no newline at the end": '{\n  "theme": "dark"\n}',
  "comments and trailing commas": `// mine
{
  "theme": "dark", // at night
  /* servers */
  "mcpServers": {
    // keep this one
    "other": { "command": "npx", "args": ["-y", "x"], },
  },
  "last": [1, 2, 3],
}
`,
  tabs: '{\n\t"a": 1,\n\t"mcpServers": {\n\t\t"other": {\n\t\t\t"url": "x"\n\t\t}\n\t}\n}\n',
  "carriage returns": '{\r\n  "a": 1,\r\n  "mcpServers": {}\r\n}\r\n',
  "a byte order mark": '\uFEFF{\n  "a": 1\n}\n',
};

const TOML_AT = { under: "mcp_servers", name: "pdpp" };
const TOMLS = {
  nothing: "",
  "a comment alone": "# nothing yet\n",
  "no newline at the end": 'model = "gpt-5"',
  "comments, tables and a text that looks like ours": `# my codex
model = "gpt-5"   # the good one
notify = [
  "a", # first
]

[profiles.fast]  # quick
text = """
[mcp_servers.pdpp]
url = "not a table"
"""

[mcp_servers.other]
command = "npx"
env = { A = "1", B = "2" }

[mcp_servers."with space".env]
K = 'v' # keep

[[things]]
when = 2024-01-01T00:00:00Z
big = 9223372036854775807
# trailing
`,
  "carriage returns": '[mcp_servers.other]\r\nurl = "x"\r\n\r\n[projects."/home/nora"]\r\ntrust_level = "trusted"\r\n',
};

const YAML_AT = { under: "extensions", name: "pdpp" };
const YAMLS = {
  nothing: "",
  "a comment alone": "# nothing yet\n",
  "comments and other extensions": `# my goose
GOOSE_PROVIDER: "anthropic"   # quoted
GOOSE_SEARCH_PATHS:
- /usr/local/bin

extensions:
    developer:   # four spaces
        enabled: true
        envs: { A: "1" }

    memory:
        description: >-
          folded
          text
        type: builtin
# after
other: [1, 2]
`,
  "no newline at the end": "extensions:\n  developer:\n    enabled: true",
  "carriage returns": "a: 1\r\nextensions:\r\n  developer:\r\n    enabled: true\r\nb: 2\r\n",
};

describe.each([
  ["json", JSON_AT, JSONS],
  ["toml", TOML_AT, TOMLS],
  ["yaml", YAML_AT, YAMLS],
] as const)("C-09 %s settings", (format, at, samples) => {
  describe.each(Object.entries(samples))("with %s", (_what, text) => {
    it("C-09 keep every existing line, in order", async () => {
      const put = withEntry(await settingsFormat(format), text, at, ENTRY);
      const lines = put.split(/\r?\n/);
      let next = 0;
      for (const line of text.split(/\r?\n/).filter((one) => one.trim() !== "")) {
        // An edit may only add a comma after the previous last member.
        const found = lines.findIndex((one, index) => index >= next && (one === line || one === `${line},`));
        expect([line, found >= next || /^\s*("mcpServers": )?\{\}/.test(line)]).toEqual([line, true]);
        next = found === -1 ? next : found + 1;
      }
      expect(put.includes("\r\n")).toBe(text.includes("\r\n"));
      if (text.includes("\r\n")) expect(put.replaceAll("\r\n", "")).not.toContain("\n");
    });

    it("C-09 contain the entry after it is added, the new one after it is replaced, and no entry after it is removed", async () => {
      const settings = await settingsFormat(format);
      const before = settings.parse(text);
      const put = withEntry(settings, text, at, ENTRY);
      expect(settings.parse(put)).toEqual({
        ...before,
        [at.under]: { ...(before[at.under] as object), [at.name]: ENTRY },
      });
      const replaced = withEntry(settings, put, at, OTHER);
      expect(settings.parse(replaced)).toEqual({
        ...before,
        [at.under]: { ...(before[at.under] as object), [at.name]: OTHER },
      });
      const removed = settings.parse(withEntry(settings, replaced, at, undefined));
      expect({ [at.under]: {}, ...removed }).toEqual({ [at.under]: {}, ...before });
      expect(withEntry(settings, put, at, ENTRY)).toBe(put);
    });
  });
});

describe("C-09 generated settings", () => {
  const key = fc.stringMatching(/^[a-z][a-z0-9_ .-]{0,8}$/).filter((name) => name !== "pdpp");
  const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.string(), { maxLength: 3 }));
  const servers = fc.dictionary(key, fc.dictionary(key, value, { noNullPrototype: true, maxKeys: 3 }), {
    noNullPrototype: true,
    maxKeys: 3,
  });
  const settings = fc.tuple(fc.dictionary(key, value, { noNullPrototype: true, maxKeys: 4 }), servers);

  it.each([
    ["toml", TOML_AT, (data: object) => stringifyToml(data), (text: string) => parseToml(text)],
    ["yaml", YAML_AT, (data: object) => stringifyYaml(data), (text: string) => parseYaml(text)],
    ["json", JSON_AT, (data: object) => JSON.stringify(data, null, 2), (text: string) => JSON.parse(text)],
  ] as const)("C-09 are unchanged after an entry is added and removed, as %s", async (name, at, write, read) => {
    const format = await settingsFormat(name);
    fc.assert(
      fc.property(settings, ([rest, own]) => {
        const data = { ...rest, [at.under]: own };
        const put = withEntry(format, write(data), at, ENTRY);
        expect(structuredClone(read(put))).toEqual({ ...data, [at.under]: { ...own, pdpp: ENTRY } });
        const removed = structuredClone(read(withEntry(format, put, at, undefined)));
        expect({ [at.under]: {}, ...removed }).toEqual(data);
      }),
      { numRuns: 60 },
    );
  });
});

describe("C-09 settings that cannot be edited", () => {
  it.each([
    ["json", "{", JSON_AT, /in line 1/],
    ["json", "[]", JSON_AT, /not an object/],
    ["json", '{"mcpServers": }', JSON_AT, /in line 1/],
    ["toml", "model = ", TOML_AT, /./],
    ["yaml", "a: [", YAML_AT, /./],
    ["yaml", "- a", YAML_AT, /not a map/],
  ] as const)("C-09 %s %j is reported as unreadable", async (format, text, at, said) => {
    const settings = await settingsFormat(format);
    expect(() => withEntry(settings, text, at, ENTRY)).toThrow(said);
  });

  it.each([
    ["json", '{"mcpServers": []}', JSON_AT],
    ["toml", 'mcp_servers = { other = { url = "x" } }\n', TOML_AT],
    ["yaml", "extensions: { developer: { enabled: true } }\n", YAML_AT],
    ["yaml", "extensions: text\n", YAML_AT],
  ] as const)("C-09 %s %j is left alone rather than rewritten", async (format, text, at) => {
    const settings = await settingsFormat(format);
    expect(() => withEntry(settings, text, at, ENTRY)).toThrow(UnsafeEdit);
  });
});
