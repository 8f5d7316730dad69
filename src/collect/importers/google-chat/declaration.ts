// Declares the streams of Google Chat and Hangouts in Takeout: messages and conversations.
import { declareSource } from "../../../core/declare.ts";
import { conversationsStream, messagesStream } from "../chat-streams.ts";

const parts = ["address"] as const;

export const googleChatDeclaration = declareSource("google-chat", "Google Chat", [
  messagesStream("Google Chat", { parts }),
  conversationsStream("Google Chat", parts),
]);
