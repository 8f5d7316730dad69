// What one line or item of a service's history comes to.
import type { JsonObject } from "../../../contract/json.ts";

export type MediaFound =
  /** `parts` name it: the same in every export. */
  | { stream: "listens" | "views"; at: string; parts: readonly string[]; data: JsonObject }
  | { skip: string }
  | { error: string };
