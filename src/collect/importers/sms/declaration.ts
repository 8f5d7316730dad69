// Declares the streams of a phone's message backup: messages including calls, and conversations.
import { declareSource, field } from "../../../core/declare.ts";
import { conversationsStream, messagesStream } from "../chat-streams.ts";

const parts = ["address", "number"] as const;

export const smsDeclaration = declareSource("sms", "SMS", [
  messagesStream("SMS", {
    parts,
    without: ["edited_at", "reply_to_id", "reactions"],
    extra: {
      subject: field.text("Subject", "Subject line of the message."),
      duration_seconds: field.count("Duration", "Length of a call in seconds."),
    },
  }),
  conversationsStream("SMS", parts),
]);
