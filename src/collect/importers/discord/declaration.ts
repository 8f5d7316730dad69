// Declares the streams of Discord exports: messages and conversations.
import { declareSource, field } from "../../../core/declare.ts";
import { conversationsStream, messagesStream } from "../chat-streams.ts";

const parts = ["handle"] as const;

export const discordDeclaration = declareSource("discord", "Discord", [
  messagesStream("Discord", {
    parts,
    extra: { server: field.text("Server", "Name of the server; absent for direct messages.") },
  }),
  conversationsStream("Discord", parts),
]);
