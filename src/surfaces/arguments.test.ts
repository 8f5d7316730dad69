// D-01: the /mcp tools and the pdpp commands are written by hand for people. Their arguments must match the engine
// calls behind them.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type CallName, callNamed } from "../engine/calls/calls.ts";
import { COMMANDS, type CommandName } from "./cli/commands.ts";
import { TOOLS } from "./mcp/tools.ts";

interface Argument {
  type?: string;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  items?: Argument;
}
interface Arguments {
  properties: Record<string, Argument>;
  required?: string[];
}

const queryOf = (call: CallName): Arguments =>
  z.toJSONSchema(callNamed(call).query, { io: "input", unrepresentable: "any" }) as unknown as Arguments;

interface ToolFacts {
  call: CallName;
  /** Arguments that have another name in the query. */
  renamed?: Record<string, string>;
  /** Arguments that the tool itself handles. */
  own?: string[];
  /** Query fields that the tool does not offer. */
  omitted?: string[];
}

const TOOL_FACTS: Record<string, ToolFacts> = {
  // The tool has its own paging. `view`, the older name of `detail`, exists only for old scripts.
  schema: { call: "schema", own: ["cursor"], omitted: ["view"] },
  // The tool limits its pages by bytes.
  query_records: { call: "records", omitted: ["texts"] },
  aggregate: { call: "aggregate" },
  // An app reads a tool result as a whole, so facets would take space from hits. The tool sets `cursors` itself.
  search: { call: "search", renamed: { query: "q" }, omitted: ["facets", "cursors"] },
  // The id is a handle, which already contains the stream.
  fetch: { call: "record", omitted: ["stream"] },
};

describe("D-01 tools", () => {
  it("D-01 are each compared with an engine call", () => {
    expect(TOOLS.map(({ definition }) => definition.name)).toEqual(Object.keys(TOOL_FACTS));
  });

  it.each(Object.entries(TOOL_FACTS))("D-01 %s accepts the arguments of its call", (name, facts) => {
    const { call, renamed = {}, own = [], omitted = [] } = facts;
    const { properties, required = [] } = TOOLS.find(({ definition }) => definition.name === name)!.definition
      .inputSchema as Arguments;
    const query = queryOf(call);
    const member = (argument: string): string => renamed[argument] ?? argument;
    const taken = Object.keys(properties).filter((argument) => !own.includes(argument));
    expect([...taken.map(member), ...omitted].sort()).toEqual(Object.keys(query.properties).sort());
    expect([...required.map(member), ...omitted.filter((one) => query.required?.includes(one))].sort()).toEqual(
      [...(query.required ?? [])].sort(),
    );
    for (const argument of taken) {
      const [offered, taking] = [properties[argument]!, query.properties[member(argument)]!];
      expect([argument, offered.enum ?? offered.type, offered.items?.type]).toEqual([
        argument,
        taking.enum ?? taking.type,
        taking.items?.type,
      ]);
      expect(offered.minimum ?? -Infinity, argument).toBeGreaterThanOrEqual(taking.minimum ?? -Infinity);
      expect(offered.maximum ?? Infinity, argument).toBeLessThanOrEqual(taking.maximum ?? Infinity);
    }
  });
});

interface CommandFacts {
  calls: [CallName, ...CallName[]];
  /** Query fields that the command accepts as positional arguments. */
  positional?: string[];
  /** Options whose query field is not the option name with `-` replaced by `_`. */
  renamed?: Record<string, string>;
  /** Options that the command itself handles. */
  own?: string[];
  omitted?: string[];
}

const CONNECTION = { connection: "connection_id" };

const COMMAND_FACTS: Partial<Record<CommandName, CommandFacts>> = {
  // `--full` sets `detail`, so the command does not need `view`.
  schema: { calls: ["schema"], positional: ["stream"], renamed: { ...CONNECTION, full: "detail" }, omitted: ["view"] },
  query: { calls: ["records"], positional: ["stream"], renamed: CONNECTION },
  aggregate: { calls: ["aggregate"], positional: ["stream", "metric", "field"], renamed: CONNECTION },
  search: {
    calls: ["search", "setSearchModel"],
    positional: ["q", "url"],
    renamed: { ...CONNECTION, stream: "streams", newest: "order" },
    // `cursors` is for programs that cut pages themselves.
    omitted: ["cursors"],
  },
  people: { calls: ["people", "mergePeople", "undoPeople"], positional: ["q", "identifiers", "revision"] },
  fetch: { calls: ["record"], positional: ["id", "stream"], renamed: CONNECTION },
  export: {
    calls: ["exportFile", "createExport"],
    positional: ["stream", "handle"],
    renamed: CONNECTION,
    own: ["output", "job", "resume", "yes"],
  },
  read: {
    calls: ["window"],
    positional: ["id", "stream"],
    renamed: {
      ...CONNECTION,
      offset: "offset_chars",
      limit: "limit_chars",
      around: "q",
      before: "before_chars",
      after: "after_chars",
    },
  },
  activity: {
    calls: ["activity", "activityDays"],
    renamed: { ...CONNECTION, by: "actor", client: "client_id", grant: "grant_id", request: "request_id" },
  },
};

describe("D-01 commands", () => {
  it.each(Object.entries(COMMAND_FACTS))("D-01 pdpp %s accepts the arguments of its call", async (name, facts) => {
    const { calls, positional = [], renamed = {}, own = [], omitted = [] } = facts;
    const { options = {} } = await COMMANDS[name as CommandName]();
    const optional = Object.keys(options).filter((option) => !own.includes(option));
    const members = optional.map((option) => renamed[option] ?? option.replaceAll("-", "_"));
    const taken = new Set(calls.flatMap((call) => Object.keys(queryOf(call).properties)));
    expect([...members, ...positional, ...omitted].sort()).toEqual([...taken].sort());
    for (const [index, option] of optional.entries()) {
      const queries = calls.map((call) => queryOf(call).properties[members[index]!]);
      const { type } = queries.find((query) => query !== undefined)!;
      const { multiple = false } = options[option]!;
      // A repeated option builds a list, or an object with one field per value.
      expect([option, multiple]).toEqual([option, type === "array" || type === "object"]);
    }
  });
});
