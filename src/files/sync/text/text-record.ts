// Decides which files may have text, and builds the record for a file's text.
import type { JsonObject } from "../../../contract/record.ts";
import { type NumberedEntries, nameAt, TYPE } from "../../leaf.ts";
import { typeOfName, UNKNOWN_TYPE } from "../../mime.ts";
import { printable } from "../../printable.ts";
import { timeText } from "../../read/node-view.ts";
import { extensionOf, nodeIdOf, pathIn, type SyncedFolder } from "../record-of.ts";
import type { Extracted } from "./extract.ts";
import { formatOf, type Pictures, type TextFormat } from "./formats.ts";

/** Office documents are unpacked in memory, and larger ones contain mostly pictures. */
const DOCUMENT_BYTES_MAX = 32 * 1024 * 1024;

export interface TextCandidate {
  nodeId: string;
  number: number;
  path: string;
  name: string;
  nameBytes: Uint8Array;
  format: TextFormat;
  size: number;
  time: number;
}

export function isTextCandidate(entries: NumberedEntries, at: number, pictures: Pictures): boolean {
  if ((entries.modes[at]! & TYPE.mask) !== TYPE.file || entries.sizes[at] === 0) return false;
  const format = formatAt(entries, at, pictures);
  return format !== undefined && (format === "plain" || entries.sizes[at]! <= DOCUMENT_BYTES_MAX);
}

function formatAt(entries: NumberedEntries, at: number, pictures: Pictures): TextFormat | undefined {
  const name = printable(nameAt(entries, at));
  return formatOf(name, extensionOf(name), pictures);
}

export function textCandidate(
  folder: SyncedFolder,
  entries: NumberedEntries,
  at: number,
  pictures: Pictures,
): TextCandidate {
  const nameBytes = Uint8Array.from(nameAt(entries, at));
  const name = printable(nameBytes);
  return {
    nodeId: nodeIdOf(folder, entries, at),
    number: entries.numbers[at]!,
    path: pathIn(folder, name),
    name,
    nameBytes,
    format: formatAt(entries, at, pictures)!,
    size: entries.sizes[at]!,
    time: entries.times[at]!,
  };
}

export function textRecord(
  { path, name, size, time }: TextCandidate,
  { text, isCut, isRecognised }: Extracted,
): JsonObject {
  const type = typeOfName(name);
  return {
    path,
    name,
    type: type === UNKNOWN_TYPE ? "text/plain" : type,
    size,
    modified_at: timeText(time),
    text,
    is_cut: isCut,
    ...(isRecognised ? { is_recognised: true } : {}),
  };
}
