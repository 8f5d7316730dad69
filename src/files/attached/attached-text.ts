// Recognises text in files attached to records. It reads each stream's feed page by page, so it can resume where it
// stopped (I-10).
import { idMaker } from "../../collect/record-ids.ts";
import { ATTACHED_TEXT_STREAM } from "../../contract/recognition-request.ts";
import { type AttachedPage, type AttachedRecord, recognitionOf } from "../../engine/attached-files.ts";
import { blobName } from "../../engine/blob-files.ts";
import type { Credential } from "../../engine/caller.ts";
import type { EngineHost } from "../../engine/host.ts";
import type { ObjectStorage } from "../../engine/objects-place.ts";
import { recognitionName, type TextRecognition } from "../sync/text/recognition.ts";
import { type TextProcess, textProcess } from "../sync/text/text-process.ts";
import { attachedFormat } from "./picture-format.ts";

export interface AttachedTextOptions {
  host: EngineHost;
  objects: ObjectStorage;
  recognition: TextRecognition;
  credential: Credential;
  /** Aborts recognition immediately. The current record is processed again in the next run. */
  signal: AbortSignal;
  onProgress?: (progress: { looked: number; found: number }) => void;
}

/** Limited because a picture is decoded in memory. */
const FILE_BYTES_MAX = 32 * 1024 * 1024;
/** The limit for all files of one record together. */
const TEXT_CHARACTERS_MAX = 512 * 1024;

/** Runs until everything is processed or the signal aborts it. */
export async function readAttachedText(options: AttachedTextOptions): Promise<{ looked: number; found: number }> {
  const { host, credential, recognition, signal } = options;
  const name = recognitionName(recognition, false);
  const parser = textProcess({ recognition });
  const stop = (): void => void parser.close();
  signal.addEventListener("abort", stop);
  const progress = { looked: 0, found: 0 };
  try {
    while (!signal.aborted) {
      const page = await host.call("nextAttached", { recognition: name }, credential);
      if (page.page === undefined) break;
      await readPage({ ...options, parser }, page, page.page, recognitionOf(name, page), progress);
    }
  } finally {
    signal.removeEventListener("abort", stop);
    await parser.close();
  }
  return progress;
}

async function readPage(
  options: AttachedTextOptions & { parser: TextProcess },
  { photos }: AttachedPage,
  { connection_id, stream, id_key, has_texts, records, version }: NonNullable<AttachedPage["page"]>,
  recognition: string,
  progress: { looked: number; found: number },
): Promise<void> {
  const { host, credential, signal, onProgress } = options;
  const makeId = idMaker(id_key);
  const keep = (upTo: number, looked_at: number, found: number) =>
    host.call("keepAttached", { connection_id, stream, recognition, version: upTo, looked_at, found }, credential);
  let isOpen = has_texts;
  for (const record of records) {
    const text = await textOf(options, record, photos);
    if (signal.aborted) return;
    const key = makeId(`${stream}/${record.id}`);
    if (text !== undefined && !isOpen) await host.call("openAttachedText", { connection_id }, credential);
    isOpen ||= text !== undefined;
    if (isOpen) await store(options, connection_id, key, text && dataOf(key, stream, record, text));
    const hasFiles = record.files.length > 0;
    if (hasFiles) progress.looked++;
    if (text !== undefined) progress.found++;
    await keep(record.version, hasFiles ? 1 : 0, text === undefined ? 0 : 1);
    onProgress?.(progress);
  }
  await keep(version, 0, 0);
}

interface AttachedTextFound {
  text: string;
  isCut: boolean;
  isRecognised: boolean;
}

async function textOf(
  { objects, parser, signal }: AttachedTextOptions & { parser: TextProcess },
  { files }: AttachedRecord,
  photos: boolean,
): Promise<AttachedTextFound | undefined> {
  const parts: string[] = [];
  let [isCut, isRecognised] = [false, false];
  for (const { blobId, generation, sizeBytes } of files) {
    if (sizeBytes > FILE_BYTES_MAX || signal.aborted) continue;
    const stored = await objects.open(blobName(blobId, generation));
    if (stored === undefined) continue;
    const bytes = Buffer.concat(await stored.toArray());
    const format = attachedFormat(bytes, photos ? "photos" : "documents");
    const reply = format === undefined ? undefined : await parser.ask(format, bytes);
    if (reply === undefined || "problem" in reply || reply.text === "") continue;
    parts.push(reply.text);
    isCut ||= reply.isCut;
    isRecognised ||= reply.isRecognised === true;
  }
  const text = parts.join("\n\n");
  if (text === "") return undefined;
  const kept = text.slice(0, TEXT_CHARACTERS_MAX).toWellFormed();
  return { text: kept, isCut: isCut || kept.length < text.length, isRecognised };
}

const dataOf = (
  id: string,
  stream: string,
  { id: record_id, name, at, files }: AttachedRecord,
  { text, isCut, isRecognised }: AttachedTextFound,
) => ({
  id,
  name,
  record_stream: stream,
  record_id,
  size_bytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  ...(at === undefined ? {} : { at }),
  text,
  is_cut: isCut,
  ...(isRecognised ? { is_recognised: true } : {}),
});

/** Without data, deletes the record. */
async function store(
  { host, credential }: AttachedTextOptions,
  connection_id: string,
  key: string,
  data: object | undefined,
): Promise<void> {
  const line = JSON.stringify({
    key,
    emitted_at: new Date().toISOString(),
    ...(data === undefined ? { op: "delete" } : { data }),
  });
  const batch = { stream: ATTACHED_TEXT_STREAM, connection_id, text: line };
  const { changed, stream_no } = await host.call("syncBatch", batch, credential);
  if (changed > 0) host.changed(stream_no);
}
