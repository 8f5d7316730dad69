// Records in prose: one line of ours, one line of JSON that is the source's own, then what goes on elsewhere.
import type { BlobSeen, BoundedRecord, CutField } from "./bounded-record.ts";
import { quoted } from "./plain.ts";
import { callText } from "./tool.ts";

export function recordLines(record: BoundedRecord, label: string): string {
  const { provenance, ingested_at, display_name } = record;
  const facts = [
    `emitted_at ${record.emitted_at}`,
    ...(record.deleted ? [`deleted_at ${record.deleted_at}`] : []),
    ...(ingested_at === undefined ? [] : [`ingested_at ${ingested_at}`]),
    ...(provenance === undefined ? [] : [`provenance ${JSON.stringify(provenance)}`]),
    ...(display_name === undefined ? [] : [quoted(display_name)]),
  ];
  const head = `${label} ${record.handle} (${facts.join(", ")})`;
  if (record.deleted) return `${head} deleted`;
  const lines = [head, JSON.stringify(record.data)];
  lines.push(...continuations(record));
  for (const [relation, { data, has_more }] of Object.entries(record.expanded ?? {})) {
    lines.push(`expanded ${relation}: ${data.length}${has_more ? ", has_more" : ""}`);
    for (const related of data) lines.push(recordLines(related, "-"));
  }
  return lines.join("\n");
}

function continuations(record: BoundedRecord): string[] {
  const { cut = [], blobs = [], fields_left_out } = record;
  return [
    ...cut.map(cutLine),
    ...blobs.map(blobLine),
    ...blobsLeftOut(record),
    ...(fields_left_out === undefined
      ? []
      : [`[${fields_left_out} more fields: name them in fields; schema(stream) lists them]`]),
  ];
}

export function cutLine({ field, shown_chars, total_chars, next_id }: CutField): string {
  return `[${field}: ${total_chars - shown_chars} more characters after ${shown_chars} of ${total_chars}: ${callText("fetch", { id: next_id })}]`;
}

export function blobLine({ field, mime_type, size_bytes, id }: BlobSeen): string {
  return `[${field}: blob ${JSON.stringify(mime_type ?? "of unknown type")}, ${size_bytes ?? "?"} bytes: ${callText("fetch", { id })}]`;
}

/** Their ids stand in the field, whole or in its windows. */
export function blobsLeftOut({ blobs_left_out, connection_id }: BoundedRecord): string[] {
  if (blobs_left_out === undefined) return [];
  const id = `pdpp://blob/${connection_id}/BLOB_ID`;
  return [`[${blobs_left_out} more blobs, each with its blob_id in the field: ${callText("fetch", { id })}]`];
}
