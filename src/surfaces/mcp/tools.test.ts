// Tests the definitions that every agent loads: which tools there are, how large they are, and their texts.
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { CAPABILITIES_PATH } from "../../core/event-capabilities.ts";
import { mcp } from "../cli/commands/mcp.ts";
import { BUDGET } from "./budgets.ts";
import { INSTRUCTIONS } from "./instructions.ts";
import { listed, TOOLS } from "./tools.ts";

const list = listed(TOOLS);
const serialized = JSON.stringify({ tools: list });
const descriptions = list.map((tool) => tool.description ?? "");
/** Every description in the definitions, including arguments. */
const texts = [...serialized.matchAll(/"description":"((?:[^"\\]|\\.)*)"/g)].map((match) => match[1]!);
const sentences = (text: string): string[] => text.split(/(?<=[.:;])\s+/).map((part) => part.trim());

describe("the tool list", () => {
  it("E-01 E-06 contains exactly these five tools, in this order", () => {
    expect(list.map((tool) => tool.name)).toEqual(["schema", "query_records", "aggregate", "search", "fetch"]);
  });

  it("E-02 offers an optional connection_id for each tool, and never the older alias", () => {
    for (const tool of list) {
      const { properties, required = [] } = tool.inputSchema as { properties: object; required?: string[] };
      expect(properties).toHaveProperty("connection_id");
      expect(required).not.toContain("connection_id");
    }
    expect(serialized).not.toContain("connector_instance_id");
  });

  it("E-01 has exactly the arguments of the wire format", () => {
    const args = Object.fromEntries(
      list.map((tool) => [tool.name, Object.keys(tool.inputSchema.properties ?? {}).sort()]),
    );
    const split = (names: string) => names.split(" ").sort();
    expect(args).toEqual({
      schema: split("stream connection_id detail cursor"),
      query_records: split(
        "stream connection_id filter sort order fields view limit cursor changes_since count expand expand_limit",
      ),
      aggregate: split(
        "stream metric connection_id field group_by group_by_time granularity time_zone filter order_by limit",
      ),
      search: split("query connection_id streams filter mode order limit cursor"),
      fetch: split("id connection_id fields expand expand_limit"),
    });
  });

  it("E-06 F-03 X-04 is within its budget, in bytes and in tokens", () => {
    expect(Buffer.byteLength(serialized)).toBeLessThanOrEqual(BUDGET.tools);
    expect(encode(serialized).length).toBeLessThanOrEqual(BUDGET.toolsTokens);
  });

  it("E-01 gives each tool a title, all four annotations and a name that every host accepts", () => {
    for (const { name, title, annotations } of list) {
      expect(name).toMatch(/^[a-z0-9_-]+$/);
      expect(title).toBeTruthy();
      expect(annotations).toEqual({
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      });
    }
  });

  it("E-03 pdpp mcp has no option or variable that selects a profile, toolset or mode", () => {
    expect(mcp.options).toEqual({});
    expect(`${mcp.usage}${mcp.summary}`).not.toMatch(/profile|toolset|mode/i);
  });

  it("E-03 mentions no profile, toolset or mode to choose", () => {
    const words = /profile|toolset|enabled_tools|allowed_tools|developer mode/i;
    expect(serialized).not.toMatch(words);
    expect(INSTRUCTIONS).not.toMatch(words);
  });
});

describe("the texts", () => {
  it("F-01 instructions are compact, and their first 512 characters make sense on their own", () => {
    expect(INSTRUCTIONS.length).toBeLessThanOrEqual(BUDGET.instructions);
    const alone = INSTRUCTIONS.slice(0, BUDGET.instructionsAlone);
    for (const word of [
      /grant/,
      /read-only/i,
      /schema\(\)/,
      /schema\(stream\)/,
      /connection_id/,
      /filter is a typed object/,
      /next_cursor/,
      /narrow/,
    ]) {
      expect(alone).toMatch(word);
    }
    // The first part ends with a complete sentence.
    expect(INSTRUCTIONS.indexOf("\n\n")).toBeLessThanOrEqual(BUDGET.instructionsAlone);
  });

  it("F-01 instructions never ask for an owner's credential", () => {
    expect(INSTRUCTIONS).not.toMatch(/owner (token|bearer|credential)|control-plane|pdpp_owner/i);
  });

  it("F-02 descriptions are short, say that the tool only reads, and mention its endpoint", () => {
    for (const text of descriptions) {
      expect(text.length).toBeLessThanOrEqual(330);
      expect(text).toMatch(/read-only/);
      expect(text).toMatch(/GET \/v1\//);
    }
  });

  it("C-10 every description points to schema, and fields says that the primary key is added", () => {
    for (const text of descriptions) expect(text).toMatch(/schema/i);
    const withFields = list.filter((tool) => Object.hasOwn(tool.inputSchema.properties ?? {}, "fields"));
    expect(withFields.map(({ name }) => name)).toEqual(["query_records", "fetch"]);
    for (const { inputSchema } of withFields)
      expect(inputSchema.properties!.fields).toMatchObject({ description: expect.stringContaining("primary key") });
  });

  it("C-10 F-06 instructions say what to read before subscribing to events, and no tool definition does", () => {
    expect(INSTRUCTIONS).toContain(`first reads GET ${CAPABILITIES_PATH}`);
    expect(serialized).not.toMatch(/event-subscription/);
  });

  it("F-02 F-03 no sentence repeats across tools, and none is general guidance", () => {
    const all = list.flatMap((tool) => [
      ...new Set(sentences(JSON.stringify(tool)).filter((part) => part.length > 60)),
    ]);
    expect(all.length).toBe(new Set(all).size);
    const repeated = texts.filter((text, index) => texts.indexOf(text) !== index);
    for (const text of repeated) expect(text.length).toBeLessThanOrEqual(60);
    for (const text of texts) expect(text).not.toMatch(/event.subscription|webhook|ambiguous_connection/i);
  });

  it("F-04 structured output is mentioned by name; wide reads come last", () => {
    expect(`${serialized}${INSTRUCTIONS}`).not.toMatch(/hidden|not visible|invisible/i);
    expect(INSTRUCTIONS).toMatch(/structured output/);
    expect(descriptions[1]).toMatch(/narrow with filter and fields and page with cursor before reading widely/i);
    expect(descriptions[0]).toMatch(/With stream/);
  });

  it("L-02 instructions explain each step of the ladder, and what to do if a preview is not enough", () => {
    for (const step of ["discover", "preview", "window", "fetch", "export"]) {
      expect(INSTRUCTIONS).toMatch(new RegExp(`\\d\\. ${step}:`));
      expect(serialized).toMatch(new RegExp(step, "i"));
    }
    expect(INSTRUCTIONS).toMatch(/When a preview is not enough/);
  });
});
