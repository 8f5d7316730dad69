// Declares the streams of the logs of coding agents: sessions, messages, tool calls and their results.
import { declareSource, field, hasMany, hasOne, recordSchema } from "../../../core/declare.ts";

const agent = field.choice("Agent", "Which agent wrote the log.", ["claude-code", "codex"]);
const sessionId = field.text("Session id", "The session it belongs to.");
const sidechain = field.flag("Side chain", "Whether a subagent did it, not the main conversation.");
const cut = field.flag("Cut", "Whether it was longer than what is kept of one text (500,000 characters).");

export const agentsDeclaration = declareSource("agents", "Coding agents", [
  {
    name: "sessions",
    description: "Sessions with a coding agent: in which folder, from when to when, about what.",
    display: {
      label: "Sessions",
      detail: "Which folders you worked in with a coding agent, when, and the first request",
    },
    kind: "conversation",
    roles: { title: "title", time: "started_at" },
    schema: recordSchema("Agent session", {
      id: field.text("Id", "As the agent names it."),
      agent,
      title: field.text("Title", "Given by you or the agent, else the beginning of the first request."),
      project: field.text("Project", "The folder it ran in."),
      branch: field.text("Branch", "The git branch at its beginning."),
      version: field.text("Version", "Of the agent."),
      model: field.text("Model", "The first one that answered."),
      started_at: field.instant("Started", "When its first message was written."),
      ended_at: field.instant("Ended", "When its last message was written."),
    }),
    cursor_field: "ended_at",
    consent_time_field: "started_at",
    views: [
      { id: "times", label: "When and where, no titles", fields: ["id", "agent", "project", "started_at", "ended_at"] },
    ],
    related: { messages: hasMany("messages", "session_id"), tool_calls: hasMany("tool_calls", "session_id") },
    ranges: ["started_at", "ended_at"],
    search: ["title", "project"],
    aggregations: {
      group_by: ["agent", "project", "branch", "model", "version"],
      group_by_time: ["started_at"],
      min: ["started_at"],
      max: ["ended_at"],
    },
  },
  {
    name: "messages",
    description: "What you and the agent wrote to each other.",
    display: { label: "Messages", detail: "Your requests and the agent's answers and reasoning, in full" },
    semantics: "append_only",
    kind: "message",
    roles: {
      text: "text",
      "text.more": "thinking",
      "from.name": "role",
      conversation: "session_id",
      reply_to: "parent_id",
    },
    schema: recordSchema("Agent message", {
      id: field.text(
        "Id",
        "Session and id of the message in it; for Codex, made from the session and the place in its log.",
      ),
      session_id: sessionId,
      agent,
      role: field.choice("Role", "Who wrote it.", ["user", "assistant", "system"]),
      text: field.text("Text", "What was written."),
      thinking: field.text("Thinking", "The agent's reasoning, where the log has it."),
      model: field.text("Model", "That answered."),
      sent_at: field.instant("Sent", "When it was written; absent where the log keeps no times."),
      parent_id: field.text("Parent", "The log's line before it in the conversation."),
      images: field.count("Images", "How many were sent with it; the images themselves stay in the log."),
      is_sidechain: sidechain,
      is_meta: field.flag(
        "Added by the agent",
        "Whether the agent's program wrote it in your name: context, notices, commands.",
      ),
      is_cut: cut,
    }),
    time: "sent_at",
    views: [
      { id: "activity", label: "When, no text", fields: ["id", "session_id", "agent", "role", "model", "sent_at"] },
      {
        id: "conversation",
        label: "What was said, without reasoning",
        fields: ["id", "session_id", "role", "text", "sent_at"],
      },
    ],
    related: { session: hasOne("sessions", "session_id") },
    search: ["text", "thinking"],
    aggregations: {
      count_distinct: ["session_id"],
      group_by: ["agent", "role", "model", "session_id", "is_sidechain", "is_meta"],
    },
  },
  {
    name: "tool_calls",
    description: "Tools that the agent used: commands, edits, searches, with what they were given.",
    display: { label: "Tool calls", detail: "Commands the agent ran and files it read and wrote, with their content" },
    semantics: "append_only",
    schema: recordSchema("Agent tool call", {
      id: field.text("Id", "Session and id of the call."),
      session_id: sessionId,
      agent,
      name: field.text("Tool", "Which tool."),
      input: field.text("Input", "What it was given; JSON where the tool takes several things."),
      called_at: field.instant("Called", "When; absent where the log keeps no times."),
      is_sidechain: sidechain,
      is_cut: cut,
    }),
    time: "called_at",
    views: [{ id: "tools", label: "Which tools and when", fields: ["id", "session_id", "agent", "name", "called_at"] }],
    related: { session: hasOne("sessions", "session_id"), result: hasOne("tool_results", "id") },
    search: ["input", "name"],
    aggregations: {
      count_distinct: ["session_id"],
      group_by: ["agent", "name", "session_id"],
    },
  },
  {
    name: "tool_results",
    description: "What the tools gave back.",
    display: { label: "Tool results", detail: "Output of commands and content of files that the agent read" },
    semantics: "append_only",
    schema: recordSchema("Agent tool result", {
      id: field.text("Id", "Of the call."),
      session_id: sessionId,
      agent,
      output: field.text("Output", "As the agent saw it."),
      is_error: field.flag("Failed", "Whether the tool said that it failed."),
      finished_at: field.instant("Finished", "When; absent where the log keeps no times."),
      images: field.count("Images", "How many it gave; the images themselves stay in the log."),
      is_sidechain: sidechain,
      is_cut: cut,
    }),
    time: "finished_at",
    search: ["output"],
    aggregations: { group_by: ["agent", "is_error", "session_id"] },
  },
]);
