// The records of a conversation of any service: its own and those of its messages.
import type { JsonObject } from "../../../contract/json.ts";

export interface ChatConversation {
  data: JsonObject;
  messages: JsonObject[];
  /** Messages without any text, which services keep for themselves. */
  empty: number;
}
