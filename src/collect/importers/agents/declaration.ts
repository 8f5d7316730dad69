// Declares the streams of coding-agent logs: sessions, messages, tool calls and their results.
import { declareSource, field, hasMany, hasOne, recordSchema } from "../../../core/declare.ts";

const agent = field.choice("Agent", "Which agent wrote the log.", ["claude-code", "codex"]);
const sessionId = field.text("Session id", "Id of the session it belongs to.");
const sidechain = field.flag("Side chain", "Whether it belongs to a subagent rather than the main conversation.");
const cut = field.flag("Cut", "Whether the text was cut at 500,000 characters.");

export const agentsDeclaration = declareSource("agents", "Coding agents", [
  {
    name: "sessions",
    description: "Sessions with a coding agent: the folder, the time and the subject.",
    display: {
      label: "Sessions",
      detail: "Which folders you worked in with a coding agent, when, and what you first asked for",
    },
    kind: "conversation",
    roles: { title: "title", time: "started_at" },
    schema: recordSchema("Agent session", {
      id: field.text("Id", "The agent's own id for the session."),
      agent,
      title: field.text("Title", "Given by you or the agent; otherwise the beginning of the first request."),
      project: field.text("Project", "The folder it ran in."),
      branch: field.text("Branch", "The git branch when the session started."),
      version: field.text("Version", "Version of the agent."),
      model: field.text("Model", "The first model that answered."),
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
        "The session and the message's id in it; for Codex, derived from the session and the position in its log.",
      ),
      session_id: sessionId,
      agent,
      role: field.choice("Role", "Who wrote it.", ["user", "assistant", "system"]),
      text: field.text("Text", "Text of the message."),
      thinking: field.text("Thinking", "The agent's reasoning, if it is in the log."),
      model: field.text("Model", "The model that answered."),
      sent_at: field.instant("Sent", "When it was written; absent if the log has no times."),
      parent_id: field.text("Parent", "The previous log line in the conversation."),
      images: field.count("Images", "How many images were sent with it; they are not imported."),
      is_sidechain: sidechain,
      is_meta: field.flag(
        "Added by the agent",
        "Whether the agent's program wrote it on your behalf: context, notices, commands.",
      ),
      is_cut: cut,
    }),
    time: "sent_at",
    views: [
      {
        id: "activity",
        label: "Times only, no text",
        fields: ["id", "session_id", "agent", "role", "model", "sent_at"],
      },
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
    description: "Tools that the agent used, such as commands, edits and searches, with their input.",
    display: { label: "Tool calls", detail: "Commands the agent ran and files it read and wrote, with their content" },
    semantics: "append_only",
    schema: recordSchema("Agent tool call", {
      id: field.text("Id", "The session and the call's id in it."),
      session_id: sessionId,
      agent,
      name: field.text("Tool", "Name of the tool."),
      input: field.text("Input", "Input of the tool; JSON if it takes several arguments."),
      called_at: field.instant("Called", "When it was called; absent if the log has no times."),
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
    description: "What the tools returned.",
    display: { label: "Tool results", detail: "Output of commands and content of files that the agent read" },
    semantics: "append_only",
    schema: recordSchema("Agent tool result", {
      id: field.text("Id", "Id of the call."),
      session_id: sessionId,
      agent,
      output: field.text("Output", "Output of the tool, as the agent saw it."),
      is_error: field.flag("Failed", "Whether the tool reported a failure."),
      finished_at: field.instant("Finished", "When it finished; absent if the log has no times."),
      images: field.count("Images", "How many images it returned; they are not imported."),
      is_sidechain: sidechain,
      is_cut: cut,
    }),
    time: "finished_at",
    search: ["output"],
    aggregations: { group_by: ["agent", "is_error", "session_id"] },
  },
]);
