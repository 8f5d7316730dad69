// Claude Code logs from real sessions (daaain/claude-code-log).
import { describe, expect, it } from "vitest";
import { collect, recordsOf, refusals } from "../../src/collect/importer.fixture.ts";
import { agentsImporter } from "../../src/collect/importers/agents/importer.ts";
import { noSamples, sample } from "./samples.ts";

describe.skipIf(noSamples)("P-05 Claude Code logs", () => {
  // Counted by a Python script that parses each line with json.loads. Messages are lines with a text, thinking or image
  // block, or a string as content. Tool calls and results are blocks of type tool_use and tool_result. Sessions are
  // distinct sessionIds. Errors are lines that are not an object, have no type or no content, or whose message is a
  // string or a list of strings.
  it.each([
    ["edge_cases.jsonl", { messages: 8, tool_calls: 3, tool_results: 1, sessions: 2, errors: 7 }],
    ["representative_messages.jsonl", { messages: 7, tool_calls: 2, tool_results: 2, sessions: 1, errors: 0 }],
    ["session_b.jsonl", { messages: 3, tool_calls: 0, tool_results: 0, sessions: 1, errors: 0 }],
    ["todowrite_examples.jsonl", { messages: 5, tool_calls: 3, tool_results: 3, sessions: 1, errors: 0 }],
  ])("%s", async (name, expected) => {
    const entries = [sample(`agents-claude-code/${name}`)];
    const events = await collect(agentsImporter, entries);
    const found = (stream: string): number => recordsOf(events, stream).length;
    expect({
      messages: found("messages"),
      tool_calls: found("tool_calls"),
      tool_results: found("tool_results"),
      sessions: found("sessions"),
      errors: events.filter(({ kind }) => kind === "error").length,
    }).toEqual(expected);
    expect(await refusals(agentsImporter, entries)).toEqual([]);
  });

  it("X-13 a message and its session are at the position where `grep` finds them", async () => {
    const events = await collect(agentsImporter, [sample("agents-claude-code/session_b.jsonl")]);
    expect(recordsOf(events, "messages")[2]).toMatchObject({
      key: "session_b/session_b_003",
      // The offset is the result of head -2 session_b.jsonl | wc -c.
      offset: 1075,
      data: {
        role: "user",
        text: "Perfect! This should appear without any session divider above it.",
        sent_at: "2025-06-14T12:01:00.000Z",
      },
    });
    expect(recordsOf(events, "sessions")[0]?.data).toMatchObject({
      id: "session_b",
      project: "/tmp",
      version: "1.0.0",
      title: "This is from a different session file to test multi-session handling.",
    });
  });
});
