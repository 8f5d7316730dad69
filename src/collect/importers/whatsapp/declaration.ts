// Declares the streams of WhatsApp chat exports: messages and chats.
import { declareSource, field, hasMany, hasOne, recordSchema } from "../../../core/declare.ts";

export const whatsappDeclaration = declareSource("whatsapp", "WhatsApp", [
  {
    name: "messages",
    description: "Messages of exported chats, with their pictures and files when they were exported too.",
    display: { label: "Messages", detail: "Text, sender and time, with pictures and files" },
    kind: "message",
    roles: { text: "text", "from.name": "sender_name", conversation: "chat_name", attachments: "file" },
    schema: recordSchema("WhatsApp message", {
      id: field.text("Id", "Made of chat, time, sender and text: an export has no ids."),
      chat_id: field.text("Chat id", "Where it was written."),
      chat_name: field.text("Chat", "Name of the chat, or of the people in it when the export has none."),
      kind: field.choice("Kind", "system: what WhatsApp itself says in the chat.", ["message", "media", "system"]),
      sender_name: field.text("Sender", "As the phone's address book calls them."),
      text: field.text("Text", "The message; of media the caption."),
      sent_at: field.instant("Sent", "When it was sent; to the minute on Android."),
      is_edited: field.flag("Edited", "It was changed after sending."),
      file_name: field.text("File", "Name of the picture, voice or document."),
      file: field.blobRef("Bytes", "The file, when it was exported too."),
    }),
    time: "sent_at",
    views: [
      { id: "activity", label: "Who and when, no text", fields: ["id", "chat_id", "sender_name", "kind", "sent_at"] },
      {
        id: "conversation",
        label: "What was said",
        fields: ["id", "chat_id", "chat_name", "sender_name", "text", "sent_at"],
      },
    ],
    related: { chat: hasOne("chats", "chat_id") },
    search: ["text", "sender_name"],
    aggregations: {
      count_distinct: ["chat_id", "sender_name"],
      group_by: ["chat_name", "sender_name", "kind"],
    },
  },
  {
    name: "chats",
    description: "Exported chats.",
    display: { label: "Chats", detail: "Names of chats and of the people in them" },
    kind: "conversation",
    roles: { title: "name", participants: "participants", time: "last_message_at" },
    schema: recordSchema("WhatsApp chat", {
      id: field.text("Id", "Made of the chat's name, or of its first message."),
      name: field.text("Name", "Of the person or group."),
      participants: field.texts("Participants", "Everybody who wrote."),
      message_count: field.count("Messages", "How many the export has."),
      first_message_at: field.instant("First message", "When somebody wrote first."),
      last_message_at: field.instant("Last message", "When somebody wrote last."),
    }),
    cursor_field: "last_message_at",
    related: { messages: hasMany("messages", "chat_id") },
    ranges: ["last_message_at", "message_count"],
    search: ["name"],
    aggregations: { sum: ["message_count"], max: ["message_count"] },
  },
]);
