// The files of a record: every blob reference in its data, with a name.
import type { JsonObject, JsonValue } from "../../../contract/record.ts";
import { blobAddress } from "./explore/addresses.ts";
import type { StreamField } from "./explore/stream-fields.ts";
import { blobIn } from "./explore/values.ts";

export interface RecordFile {
  name: string;
  type: string;
  bytes: number;
  href: string;
  /** True for a picture that every browser can show, and that is small enough to be shown next to others. */
  picture: boolean;
  /** True for a video format that browsers play, if they support its codec. */
  video: boolean;
  /** The value as stored in the record. */
  value: string;
}

const FILES_MAX = 24;
const DEPTH_MAX = 4;
const PICTURE_BYTES_MAX = 8_000_000;
const PICTURES = /^image\/(png|jpeg|gif|webp|avif|bmp)$/;
const VIDEOS = /^video\/(mp4|quicktime|3gpp|webm)$/;
const NAMES = ["filename", "file_name", "name", "title"];

export function recordFiles(connectionId: string, data: JsonObject, fields: readonly StreamField[]): RecordFile[] {
  const files: RecordFile[] = [];
  const look = (value: JsonValue, name: string, depth: number): void => {
    if (value === null || typeof value !== "object" || depth > DEPTH_MAX || files.length >= FILES_MAX) return;
    if (Array.isArray(value)) {
      for (const item of value) look(item, name, depth + 1);
      return;
    }
    const own = NAMES.map((key) => value[key]).find((given) => typeof given === "string" && given !== "");
    const called = typeof own === "string" ? own : name;
    const blob = blobIn(value);
    if (blob !== undefined) {
      const { blob_id, mime_type: type, size_bytes: bytes } = blob;
      const picture = PICTURES.test(type) && bytes <= PICTURE_BYTES_MAX;
      const href = blobAddress(connectionId, blob_id);
      const video = VIDEOS.test(type);
      files.push({ name: called, type, bytes, href, picture, video, value: JSON.stringify(value, null, 2) });
      return;
    }
    for (const inner of Object.values(value)) look(inner, called, depth + 1);
  };
  for (const [name, value] of Object.entries(data))
    look(value, fields.find((field) => field.name === name)?.label ?? name, 0);
  return files;
}
