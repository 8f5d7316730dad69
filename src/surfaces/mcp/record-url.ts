// The address of a record's page, for people and for citations.
import { recordPath } from "../../core/record-path.ts";

export function recordUrl(origin: string, place: { connection_id: string; stream: string; id?: string }): string {
  return `${origin}${recordPath(place)}`;
}
