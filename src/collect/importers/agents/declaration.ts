// What the logs of coding agents hold, declared: sessions, messages, tool calls and their results.
import { choice, count, declareSource, flag, instant, ranges, recordSchema, selectable, text } from "../declare.ts";

const agent = choice("Agent", "Which agent wrote the log.", ["claude-code", "codex"]);
const sessionId = text("Session id", "The session it belongs to.");
const sidechain = flag("Side chain", "Whether a subagent did it, not the main conversation.");
const cut = flag("Cut", "Whether it was longer than what is kept of one text (500,000 characters).");

export const agentsDeclaration = declareSource("agents", "Coding agents", [
  {
    name: "sessions",
    description: "Sessions with a coding agent: in which folder, from when to when, about what.",
    display: {
      label: "Sessions",
      detail: "Which folders you worked in with a coding agent, when, and the first request",
    },
    semantics: "mutable_state",
    schema: recordSchema("Agent session", {
      id: text("Id", "As the agent names it."),
      agent,
      title: text("Title", "Given by you or the agent, else the beginning of the first request."),
      project: text("Project", "The folder it ran in."),
      branch: text("Branch", "The git branch at its beginning."),
      version: text("Version", "Of the agent."),
      model: text("Model", "The first one that answered."),
      started_at: instant("Started", "When its first message was written."),
      ended_at: instant("Ended", "When its last message was written."),
    }),
    primary_key: ["id"],
    cursor_field: "ended_at",
    consent_time_field: "started_at",
    selection: selectable,
    views: [
      { id: "times", label: "When and where, no titles", fields: ["id", "agent", "project", "started_at", "ended_at"] },
    ],
    relationships: [
      { name: "messages", stream: "messages", foreign_key: "session_id", cardinality: "has_many" },
      { name: "tool_calls", stream: "tool_calls", foreign_key: "session_id", cardinality: "has_many" },
    ],
    query: {
      range_filters: ranges("started_at", "ended_at"),
      expand: [
        { name: "messages", default_limit: 10, max_limit: 50 },
        { name: "tool_calls", default_limit: 10, max_limit: 50 },
      ],
      search: { lexical_fields: ["title", "project"] },
      aggregations: {
        count: true,
        group_by: ["agent", "project", "branch", "model", "version"],
        group_by_time: ["started_at"],
        min: ["started_at"],
        max: ["ended_at"],
      },
    },
  },
  {
    name: "messages",
    description: "What you and the agent wrote to each other.",
    display: { label: "Messages", detail: "Your requests and the agent's answers and reasoning, in full" },
    semantics: "append_only",
    schema: recordSchema("Agent message", {
      id: text("Id", "Session and id of the message in it; for Codex, made from the session and the place in its log."),
      session_id: sessionId,
      agent,
      role: choice("Role", "Who wrote it.", ["user", "assistant", "system"]),
      text: text("Text", "What was written."),
      thinking: text("Thinking", "The agent's reasoning, where the log has it."),
      model: text("Model", "That answered."),
      sent_at: instant("Sent", "When it was written; absent where the log keeps no times."),
      parent_id: text("Parent", "The log's line before it in the conversation."),
      images: count("Images", "How many were sent with it; the images themselves stay in the log."),
      is_sidechain: sidechain,
      is_meta: flag(
        "Added by the agent",
        "Whether the agent's program wrote it in your name: context, notices, commands.",
      ),
      is_cut: cut,
    }),
    primary_key: ["id"],
    cursor_field: "sent_at",
    consent_time_field: "sent_at",
    selection: selectable,
    views: [
      { id: "activity", label: "When, no text", fields: ["id", "session_id", "agent", "role", "model", "sent_at"] },
      {
        id: "conversation",
        label: "What was said, without reasoning",
        fields: ["id", "session_id", "role", "text", "sent_at"],
      },
    ],
    relationships: [{ name: "session", stream: "sessions", foreign_key: "session_id", cardinality: "has_one" }],
    query: {
      range_filters: ranges("sent_at"),
      expand: [{ name: "session" }],
      search: { lexical_fields: ["text", "thinking"] },
      aggregations: {
        count: true,
        count_distinct: ["session_id"],
        group_by: ["agent", "role", "model", "session_id", "is_sidechain", "is_meta"],
        group_by_time: ["sent_at"],
        min: ["sent_at"],
        max: ["sent_at"],
      },
    },
  },
  {
    name: "tool_calls",
    description: "Tools that the agent used: commands, edits, searches, with what they were given.",
    display: { label: "Tool calls", detail: "Commands the agent ran and files it read and wrote, with their content" },
    semantics: "append_only",
    schema: recordSchema("Agent tool call", {
      id: text("Id", "Session and id of the call."),
      session_id: sessionId,
      agent,
      name: text("Tool", "Which tool."),
      input: text("Input", "What it was given; JSON where the tool takes several things."),
      called_at: instant("Called", "When; absent where the log keeps no times."),
      is_sidechain: sidechain,
      is_cut: cut,
    }),
    primary_key: ["id"],
    cursor_field: "called_at",
    consent_time_field: "called_at",
    selection: selectable,
    views: [{ id: "tools", label: "Which tools and when", fields: ["id", "session_id", "agent", "name", "called_at"] }],
    relationships: [
      { name: "session", stream: "sessions", foreign_key: "session_id", cardinality: "has_one" },
      { name: "result", stream: "tool_results", foreign_key: "id", cardinality: "has_one" },
    ],
    query: {
      range_filters: ranges("called_at"),
      expand: [{ name: "session" }, { name: "result" }],
      search: { lexical_fields: ["input", "name"] },
      aggregations: {
        count: true,
        count_distinct: ["session_id"],
        group_by: ["agent", "name", "session_id"],
        group_by_time: ["called_at"],
      },
    },
  },
  {
    name: "tool_results",
    description: "What the tools gave back.",
    display: { label: "Tool results", detail: "Output of commands and content of files that the agent read" },
    semantics: "append_only",
    schema: recordSchema("Agent tool result", {
      id: text("Id", "Of the call."),
      session_id: sessionId,
      agent,
      output: text("Output", "As the agent saw it."),
      is_error: flag("Failed", "Whether the tool said that it failed."),
      finished_at: instant("Finished", "When; absent where the log keeps no times."),
      images: count("Images", "How many it gave; the images themselves stay in the log."),
      is_sidechain: sidechain,
      is_cut: cut,
    }),
    primary_key: ["id"],
    cursor_field: "finished_at",
    consent_time_field: "finished_at",
    selection: selectable,
    query: {
      range_filters: ranges("finished_at"),
      search: { lexical_fields: ["output"] },
      aggregations: {
        count: true,
        group_by: ["agent", "is_error", "session_id"],
        group_by_time: ["finished_at"],
      },
    },
  },
]);
