// What WhatsApp chat exports hold, declared: messages and chats.
import { blobRef, choice, count, declareSource, flag, instant, list, ranges, recordSchema, selectable, text } from "../declare.ts";

export const whatsappDeclaration = declareSource("whatsapp", "WhatsApp", [
  {
    name: "messages",
    description: "Messages of exported chats, with their pictures and files when they were exported too.",
    display: { label: "Messages", detail: "What was written, by whom and when, with pictures and files" },
    semantics: "mutable_state",
    schema: recordSchema("WhatsApp message", {
      id: text("Id", "Made of chat, time, sender and text: an export has no ids."),
      chat_id: text("Chat id", "Where it was written."),
      chat_name: text("Chat", "Name of the chat, when the export tells it."),
      kind: choice("Kind", "system: what WhatsApp itself says in the chat.", ["message", "media", "system"]),
      sender_name: text("Sender", "As the phone's address book calls them."),
      text: text("Text", "The message; of media the caption."),
      sent_at: instant("Sent", "When it was sent; to the minute on Android."),
      is_edited: flag("Edited", "It was changed after sending."),
      file_name: text("File", "Name of the picture, voice or document."),
      file: blobRef("Bytes", "The file, when it was exported too."),
    }),
    primary_key: ["id"],
    cursor_field: "sent_at",
    consent_time_field: "sent_at",
    selection: selectable,
    views: [
      { id: "activity", label: "Who and when, no text", fields: ["id", "chat_id", "sender_name", "kind", "sent_at"] },
      {
        id: "conversation",
        label: "What was said",
        fields: ["id", "chat_id", "chat_name", "sender_name", "text", "sent_at"],
      },
    ],
    relationships: [{ name: "chat", stream: "chats", foreign_key: "chat_id", cardinality: "has_one" }],
    query: {
      range_filters: ranges("sent_at"),
      expand: [{ name: "chat" }],
      search: { lexical_fields: ["text", "sender_name"] },
      aggregations: {
        count: true,
        count_distinct: ["chat_id", "sender_name"],
        group_by: ["chat_name", "sender_name", "kind"],
        group_by_time: ["sent_at"],
        min: ["sent_at"],
        max: ["sent_at"],
      },
    },
  },
  {
    name: "chats",
    description: "Exported chats.",
    display: { label: "Chats", detail: "Names of chats and of the people in them" },
    semantics: "mutable_state",
    schema: recordSchema("WhatsApp chat", {
      id: text("Id", "Made of the chat's name, or of its first message."),
      name: text("Name", "Of the person or group."),
      participants: list("Participants", "Everybody who wrote.", { type: "string" }),
      message_count: count("Messages", "How many the export has."),
      first_message_at: instant("First message", "When somebody wrote first."),
      last_message_at: instant("Last message", "When somebody wrote last."),
    }),
    primary_key: ["id"],
    cursor_field: "last_message_at",
    selection: selectable,
    relationships: [{ name: "messages", stream: "messages", foreign_key: "chat_id", cardinality: "has_many" }],
    query: {
      range_filters: ranges("last_message_at", "message_count"),
      expand: [{ name: "messages", default_limit: 10, max_limit: 50 }],
      search: { lexical_fields: ["name"] },
      aggregations: { count: true, sum: ["message_count"], max: ["message_count"] },
    },
  },
]);
