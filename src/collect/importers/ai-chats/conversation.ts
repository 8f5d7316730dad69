// What a conversation of any service comes to: its own record and those of its messages.
import type { JsonObject } from "../../../contract/json.ts";

export interface ChatConversation {
  data: JsonObject;
  messages: JsonObject[];
  /** Messages without any text, which services keep for themselves. */
  empty: number;
}
