// Records that belong with a given one: the other emails in its thread, or the messages before and after it in its
// conversation.
import type { RecordRead } from "../../../contract/record.ts";
import type { StreamMetadata } from "../../../contract/schema-document.ts";
import { timeFieldIn } from "../../../core/title.ts";
import type { Visit } from "../owner-page.ts";
import { kindFields } from "./explore/stream-kind.ts";

const THREAD_MAX = 40;
const MESSAGES_MAX = 12;

/** Returns the records oldest first, including the record itself. Empty if the kind has no such relation. */
export async function recordsAround(
  { look }: Pick<Visit, "look">,
  found: RecordRead,
  metadata: StreamMetadata,
): Promise<RecordRead[]> {
  const { kind, roles = {}, field_capabilities: can } = metadata;
  const field = kind === "email" ? roles.thread?.[0] : kind === "message" ? roles.conversation?.[0] : undefined;
  const value = found.data[field ?? ""];
  if (field === undefined || typeof value !== "string" || can[field]?.exact_filter !== true) return [];
  const place = { connection_id: found.connection_id, stream: found.stream };
  const read = async (query: object): Promise<RecordRead[]> => {
    const page = await look("records", { ...place, fields: kindFields(metadata), ...query });
    return page.data.filter((record) => "data" in record);
  };
  if (kind === "email") {
    const thread = await read({ filter: { [field]: value }, order: "asc", limit: THREAD_MAX, texts: "full" });
    return thread.some(({ id }) => id === found.id) ? thread.map((mail) => (mail.id === found.id ? found : mail)) : [];
  }
  const time = timeFieldIn(metadata);
  const at = found.data[time ?? ""];
  const ranges = can[time ?? ""]?.range_filter ?? [];
  if (time === undefined || typeof at !== "string" || !ranges.includes("gte") || !ranges.includes("lt")) return [];
  const [before, behind] = await Promise.all([
    read({ filter: { [field]: value, [time]: { lt: at } }, order: "desc", limit: MESSAGES_MAX }),
    read({ filter: { [field]: value, [time]: { gte: at } }, order: "asc", limit: MESSAGES_MAX }),
  ]);
  return [...before.reverse(), ...behind].map((record) => (record.id === found.id ? found : record));
}
