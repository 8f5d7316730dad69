// Declares the streams of AI chat exports: conversations and their messages.
import { declareSource, field, hasMany, hasOne, recordSchema } from "../../../core/declare.ts";

const service = field.choice("Service", "The service, such as ChatGPT or Claude.", ["chatgpt", "claude"]);

export const aiChatsDeclaration = declareSource("ai-chats", "AI chats", [
  {
    name: "conversations",
    description: "Conversations with an AI assistant.",
    display: { label: "Conversations", detail: "Titles and dates of your chats with an AI assistant" },
    kind: "conversation",
    roles: { title: "title", time: "created_at" },
    schema: recordSchema("AI conversation", {
      id: field.text("Id", "The service's own id for the conversation."),
      service,
      title: field.text("Title", "Title given by you or the service."),
      summary: field.text("Summary", "Summary written by the service."),
      model: field.text("Model", "The model it was started with."),
      project: field.text("Project", "The project or custom assistant that it belongs to."),
      created_at: field.instant("Started", "When it was started."),
      updated_at: field.instant("Changed", "When the last message was added."),
      message_count: field.count("Messages", "How many messages the conversation shows."),
      is_archived: field.flag("Archived", "Whether you archived it."),
      is_starred: field.flag("Starred", "Whether you starred it."),
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
      id: field.text("Id", "The conversation and the message's id in it."),
      conversation_id: field.text("Conversation id", "Id of the conversation it belongs to."),
      conversation_title: field.text("Conversation", "Title of the conversation."),
      service,
      role: field.choice("Role", "Who wrote it.", ["user", "assistant", "system", "tool"]),
      author: field.text("Tool", "Name of the tool, if a tool answered."),
      text: field.text("Text", "Text of the message."),
      thinking: field.text("Thinking", "The assistant's reasoning, if it is in the export."),
      model: field.text("Model", "The model that answered."),
      sent_at: field.instant("Sent", "When it was written."),
      position: field.count("Position", "Position in the conversation as displayed, starting at 0."),
      is_replaced: field.flag(
        "Replaced",
        "Whether a newer version replaced it: an edited question or a second answer.",
      ),
      is_hidden: field.flag("Hidden", "Whether the service hides it."),
      attachments: field.texts("Attachments", "Names of the files that were sent with it."),
      images: field.count("Images", "How many images it shows; they are not imported."),
      is_cut: field.flag("Cut", "Whether the text was cut at 500,000 characters."),
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
