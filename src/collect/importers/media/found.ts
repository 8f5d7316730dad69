// The result of one line or item in a service's history.
import type { JsonValue } from "../../../contract/json.ts";

export type MediaFound =
  /** `parts` identify the item and are the same in every export. Undefined `fields` are omitted. */
  | { stream: "listens" | "views"; parts: readonly string[]; fields: Record<string, JsonValue | undefined> }
  | { skip: string }
  | { error: string };
