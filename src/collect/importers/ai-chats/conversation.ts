// The records of a conversation from any service: one for the conversation, and one per message.
import type { JsonObject } from "../../../contract/json.ts";

export interface ChatConversation {
  data: JsonObject;
  messages: JsonObject[];
  /** The number of messages without text. Services use such messages internally. */
  empty: number;
}
