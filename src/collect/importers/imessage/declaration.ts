// Declares the streams of a Messages database: messages and conversations.
import { declareSource, field } from "../../../core/declare.ts";
import { conversationsStream, messagesStream } from "../chat-streams.ts";

const parts = ["address", "number"] as const;

export const imessageDeclaration = declareSource("imessage", "iMessage", [
  messagesStream("iMessage", {
    parts,
    extra: {
      service: field.text("Service", "iMessage, SMS or RCS."),
      subject: field.text("Subject", "Subject line of the message."),
      read_at: field.instant("Read", "When it was read."),
    },
  }),
  conversationsStream("iMessage", parts),
]);
