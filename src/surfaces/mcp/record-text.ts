// Lines that show where a record continues: the next call for a cut field or a blob.
import { counted } from "../../core/counted.ts";
import type { BlobSeen, BoundedRecord, CutField } from "./bounded-record.ts";
import { callText } from "./tool.ts";

export function cutLine(cut: CutField): string {
  const { field, shown_chars, total_chars, next_id, items, part_id } = cut;
  const size = items === undefined ? "" : `list of ${counted(items, "item")}, `;
  const part = part_id === undefined ? "" : `; one part: ${callText("fetch", { id: part_id })}${partNames(cut)}`;
  return `[${field}: ${size}${shown_chars} of ${counted(total_chars, "character")}, the rest: ${callText("fetch", { id: next_id })}${part}]`;
}

const partNames = ({ items, members = [] }: CutField): string =>
  items === undefined
    ? `, member ${members.map((name) => JSON.stringify(name)).join(", ")} …`
    : `, index 0 to ${items - 1}`;

export function blobLine({ field, mime_type, size_bytes, id }: BlobSeen): string {
  return `[${field}: blob ${JSON.stringify(mime_type ?? "of unknown type")}, ${size_bytes ?? "?"} bytes: ${callText("fetch", { id })}]`;
}

/** The ids of these blobs are in the field, either complete or in its windows. */
export function blobsLeftOut({
  blobs_left_out,
  connection_id,
}: Pick<BoundedRecord, "blobs_left_out" | "connection_id">): string[] {
  if (blobs_left_out === undefined) return [];
  const id = `pdpp://blob/${connection_id}/BLOB_ID`;
  return [`[${blobs_left_out} more blobs, each with its blob_id in the field: ${callText("fetch", { id })}]`];
}
