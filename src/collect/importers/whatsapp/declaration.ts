// Declares the streams of WhatsApp chat exports: messages and chats.
import { declareSource, field, hasMany, hasOne, recordSchema } from "../../../core/declare.ts";

export const whatsappDeclaration = declareSource("whatsapp", "WhatsApp", [
  {
    name: "messages",
    description: "Messages in exported chats, with their pictures and files if they were exported.",
    display: { label: "Messages", detail: "Text, sender and time, with pictures and files" },
    kind: "message",
    roles: { text: "text", "from.name": "sender_name", conversation: "chat_name", attachments: "file" },
    schema: recordSchema("WhatsApp message", {
      id: field.text("Id", "Derived from the chat, the time, the sender and the text, because an export has no ids."),
      chat_id: field.text("Chat id", "Id of the chat it belongs to."),
      chat_name: field.text("Chat", "Name of the chat, or of the people in it if the export does not name it."),
      kind: field.choice("Kind", "system for notices that WhatsApp adds to the chat.", ["message", "media", "system"]),
      sender_name: field.text("Sender", "Name of the sender in the phone's address book."),
      text: field.text("Text", "Text of the message, or the caption of media."),
      sent_at: field.instant("Sent", "When it was sent; to the minute on Android."),
      is_edited: field.flag("Edited", "Whether it was edited after sending."),
      file_name: field.text("File", "Name of the picture, voice message or document."),
      file: field.blobRef("Bytes", "The file, if it was exported."),
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
      id: field.text("Id", "Derived from the chat's name, or from its first message."),
      name: field.text("Name", "Name of the person or group."),
      participants: field.texts("Participants", "Everyone who wrote in the chat."),
      message_count: field.count("Messages", "How many messages are in the export."),
      first_message_at: field.instant("First message", "When the first message was sent."),
      last_message_at: field.instant("Last message", "When the last message was sent."),
    }),
    cursor_field: "last_message_at",
    related: { messages: hasMany("messages", "chat_id") },
    ranges: ["last_message_at", "message_count"],
    search: ["name"],
    aggregations: { sum: ["message_count"], max: ["message_count"] },
  },
]);
