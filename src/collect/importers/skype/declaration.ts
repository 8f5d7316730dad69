// Declares the streams of Skype's export and its old database: messages and conversations.
import { declareSource } from "../../../core/declare.ts";
import { conversationsStream, messagesStream } from "../chat-streams.ts";

const parts = ["handle"] as const;

export const skypeDeclaration = declareSource("skype", "Skype", [
  messagesStream("Skype", { parts, without: ["reply_to_id", "reactions"] }),
  conversationsStream("Skype", parts),
]);
