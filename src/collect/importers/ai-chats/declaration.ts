// Declares the streams of exports of AI chats: conversations and their messages.
import { declareSource, field, hasMany, hasOne, recordSchema } from "../../../core/declare.ts";

const service = field.choice("Service", "Which service it was.", ["chatgpt", "claude"]);

export const aiChatsDeclaration = declareSource("ai-chats", "AI chats", [
  {
    name: "conversations",
    description: "Conversations with an AI assistant.",
    display: { label: "Conversations", detail: "Titles of your chats with an AI assistant, and when they were" },
    kind: "conversation",
    roles: { title: "title", time: "created_at" },
    schema: recordSchema("AI conversation", {
      id: field.text("Id", "As the service names it."),
      service,
      title: field.text("Title", "Given by you or the service."),
      summary: field.text("Summary", "Written by the service."),
      model: field.text("Model", "That it was begun with."),
      project: field.text("Project", "The project or custom assistant that it belongs to."),
      created_at: field.instant("Begun", "When it was begun."),
      updated_at: field.instant("Changed", "When something was last added."),
      message_count: field.count("Messages", "How many it shows."),
      is_archived: field.flag("Archived", "Whether you put it away."),
      is_starred: field.flag("Starred", "Whether you marked it."),
    }),
    cursor_field: "updated_at",
    consent_time_field: "created_at",
    views: [
      { id: "titles", label: "Titles and dates", fields: ["id", "service", "title", "created_at", "updated_at"] },
    ],
    related: { messages: hasMany("messages", "conversation_id") },
    ranges: ["created_at", "updated_at", "message_count"],
    search: ["title", "summary"],
    aggregations: {
      group_by: ["service", "model", "project", "is_archived"],
      group_by_time: ["created_at", "updated_at"],
      sum: ["message_count"],
      avg: ["message_count"],
      max: ["message_count", "updated_at"],
      min: ["created_at"],
    },
  },
  {
    name: "messages",
    description: "What you wrote to an AI assistant and what it answered.",
    display: { label: "Messages", detail: "Everything you wrote to an AI assistant, and its answers" },
    kind: "message",
    roles: {
      text: "text",
      "text.more": "thinking",
      "from.name": "role",
      conversation: "conversation_title",
      attachments: "attachments",
    },
    schema: recordSchema("AI message", {
      id: field.text("Id", "Conversation and id of the message in it."),
      conversation_id: field.text("Conversation id", "Where it was written."),
      conversation_title: field.text("Conversation", "Title of the conversation."),
      service,
      role: field.choice("Role", "Who wrote it.", ["user", "assistant", "system", "tool"]),
      author: field.text("Tool", "Which tool, where one answered."),
      text: field.text("Text", "What was written."),
      thinking: field.text("Thinking", "The assistant's reasoning, where the export has it."),
      model: field.text("Model", "That answered."),
      sent_at: field.instant("Sent", "When it was written."),
      position: field.count("Position", "Its place in the conversation as it is shown, from 0."),
      is_replaced: field.flag(
        "Replaced",
        "Whether another version took its place: an edited question, a second answer.",
      ),
      is_hidden: field.flag("Hidden", "Whether the service does not show it."),
      attachments: field.texts("Attachments", "Names of files that were sent along."),
      images: field.count("Images", "How many it shows; they stay in the export."),
      is_cut: field.flag("Cut", "Whether it was longer than what is kept of one text (500,000 characters)."),
    }),
    time: "sent_at",
    views: [
      {
        id: "activity",
        label: "When, no text",
        fields: ["id", "conversation_id", "service", "role", "model", "sent_at"],
      },
      {
        id: "conversation",
        label: "What was said",
        fields: ["id", "conversation_id", "conversation_title", "role", "text", "sent_at", "position", "is_replaced"],
      },
    ],
    related: { conversation: hasOne("conversations", "conversation_id") },
    ranges: ["position"],
    search: ["text", "conversation_title"],
    aggregations: {
      count_distinct: ["conversation_id"],
      group_by: ["conversation_title", "service", "role", "model", "is_replaced"],
    },
  },
]);
