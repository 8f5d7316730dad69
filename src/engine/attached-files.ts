// Files attached to records of any connection, for the job that recognises their text: unprocessed records, and
// progress (I-10).

import type { z } from "zod";
import type { JsonObject, JsonValue } from "../contract/json.ts";
import type { RecognitionRead } from "../contract/recognition.ts";
import { ATTACHED_TEXT_STREAM, type recognitionPut } from "../contract/recognition-request.ts";
import { hasAttachedText, withAttachedText } from "../core/attached-text.ts";
import { fieldWith, rolesOf, timeFieldOf } from "../core/roles.ts";
import type { StreamShape } from "../core/scope.ts";
import type { BlobRow } from "../store/rows.ts";
import type { FeedRow, ReadView, WriteView } from "../store/store.ts";
import type { Caller } from "./caller.ts";
import { ATTACHED_TEXT } from "./write/connection-items.ts";
import { idKeyOf } from "./write/id-keys.ts";
import { putConnector, requireConnection } from "./write/sources.ts";

const SETTINGS = "settings";
/** How many feed rows are read for one page, and how many records with files a page contains. */
const ROWS_MAX = 1000;
const RECORDS_MAX = 20;
const NAME_MAX = 300;

interface StoredSettings {
  paused: boolean;
  photos: boolean;
}

interface StoredPosition {
  version: number;
  recognition: string;
  looked_at: number;
  found: number;
  /** True if texts may be stored for this stream's records. */
  has_texts: boolean;
}

export interface AttachedFile extends Pick<BlobRow, "blobId" | "generation" | "sizeBytes"> {
  mimeType: string;
}

export interface AttachedRecord {
  version: number;
  id: string;
  name: string;
  at?: string;
  files: AttachedFile[];
}

export interface AttachedPage extends StoredSettings {
  /** Absent if everything has been processed. */
  page?: {
    connection_id: string;
    stream: string;
    id_key?: string;
    /**
     * True if texts may be stored for this stream's records. If a record no longer has files, its text is then deleted.
     */
    has_texts: boolean;
    records: AttachedRecord[];
    /** The page covers everything up to this version. */
    version: number;
  };
}

const settingsOf = async (view: ReadView, subjectId: string): Promise<StoredSettings> =>
  ((await view.item(subjectId, ATTACHED_TEXT, SETTINGS))?.body as unknown as StoredSettings | undefined) ?? {
    paused: false,
    photos: false,
  };

const placeOf = ({ connectionId, name }: Pick<StreamShape, "connectionId" | "name">): string =>
  `${connectionId} ${name}`;

const positionOf = async (
  view: ReadView,
  subjectId: string,
  stream: StreamShape,
): Promise<StoredPosition | undefined> =>
  (await view.item(subjectId, ATTACHED_TEXT, placeOf(stream)))?.body as unknown as StoredPosition | undefined;

const streamsWithFiles = ({ catalog }: Caller): StreamShape[] =>
  catalog.streams.filter(({ name, blobFields }) => blobFields.size > 0 && name !== ATTACHED_TEXT_STREAM);

export async function readRecognition(view: ReadView, caller: Caller): Promise<RecognitionRead> {
  const { paused, photos } = await settingsOf(view, caller.subjectId);
  const sum = { looked_at: 0, found: 0, waiting: 0 };
  const now = await view.version();
  for (const stream of streamsWithFiles(caller)) {
    const position = await positionOf(view, caller.subjectId, stream);
    sum.looked_at += position?.looked_at ?? 0;
    sum.found += position?.found ?? 0;
    const rows = await view.changes(stream.streamNo, position?.version ?? 0, now, ROWS_MAX);
    sum.waiting += rows.filter((row) => filesIn(row, stream).length > 0).length;
  }
  return { object: "recognition", paused, photos, ...sum };
}

export async function putRecognition(
  view: WriteView,
  caller: Caller,
  { paused, photos }: z.infer<typeof recognitionPut>,
  now: number,
): Promise<RecognitionRead> {
  const before = await settingsOf(view, caller.subjectId);
  const body = { paused: paused ?? before.paused, photos: photos ?? before.photos };
  const { subjectId } = caller;
  await view.putItem(subjectId, { kind: ATTACHED_TEXT, id: SETTINGS, holder: null, createdAt: now, dueAt: null, body });
  return readRecognition(view, caller);
}

/** The next records, in any stream, that have not been processed with this version of the recognition. */
export async function nextAttached(
  view: ReadView,
  caller: Caller,
  { recognition }: { recognition: string },
): Promise<AttachedPage> {
  const settings = await settingsOf(view, caller.subjectId);
  const wanted = recognitionOf(recognition, settings);
  const now = await view.version();
  for (const stream of settings.paused ? [] : streamsWithFiles(caller)) {
    const position = await positionOf(view, caller.subjectId, stream);
    const from = position?.recognition === wanted ? Math.min(position.version, now) : 0;
    const rows = await view.changes(stream.streamNo, from, now, ROWS_MAX);
    if (rows.length === 0) continue;
    const has_texts = position?.has_texts ?? false;
    const page = await pageOf(view, stream, rows, has_texts);
    const id_key = await idKeyOf(view, caller.subjectId, stream.connectionId);
    const place = { connection_id: stream.connectionId, stream: stream.name };
    return { ...settings, page: { ...place, ...(id_key === undefined ? {} : { id_key }), has_texts, ...page } };
  }
  return settings;
}

/** Changed settings cause everything to be processed again. */
export const recognitionOf = (recognition: string, { photos }: { photos: boolean }): string =>
  `${recognition}${photos ? " with photos" : ""}`;

async function pageOf(
  view: ReadView,
  stream: StreamShape,
  rows: readonly FeedRow[],
  hasTexts: boolean,
): Promise<{ records: AttachedRecord[]; version: number }> {
  const records: AttachedRecord[] = [];
  let version = 0;
  let withFiles = 0;
  for (const row of rows) {
    const found = filesIn(row, stream);
    if (found.length > 0 && ++withFiles > RECORDS_MAX) break;
    version = row.version;
    if (found.length === 0 && !hasTexts) continue;
    const files: AttachedFile[] = [];
    for (const { blobId, mimeType } of found) {
      const blob = await view.blob(blobId);
      if (blob !== undefined) files.push({ blobId, generation: blob.generation, sizeBytes: blob.sizeBytes, mimeType });
    }
    records.push({ version, id: row.id, files, ...aboutOf(row, stream) });
  }
  return { records, version };
}

/** Thumbnails are skipped if the picture itself is stored, because they contain nothing new. */
function filesIn({ data }: FeedRow, stream: StreamShape): { blobId: string; mimeType: string }[] {
  if (data === null || !data.includes('"blob_id"')) return [];
  const record = JSON.parse(data) as JsonObject;
  const small = rolesOf(stream.declaration.schema)?.fields.thumbnail ?? [];
  const found = new Map<string, string>();
  const look = (value: JsonValue | undefined): void => {
    if (value === null || typeof value !== "object") return;
    const { blob_id, mime_type } = value as JsonObject;
    if (typeof blob_id === "string") found.set(blob_id, typeof mime_type === "string" ? mime_type : "");
    else for (const inner of Object.values(value)) look(inner);
  };
  for (const name of stream.blobFields) if (!small.includes(name)) look(record[name]);
  return [...found]
    .filter(([, type]) => /^(?:image\/|application\/(?:pdf|octet-stream)|$)/.test(type))
    .map(([blobId, mimeType]) => ({ blobId, mimeType }));
}

function aboutOf({ data, id }: FeedRow, { declaration, name: stream }: StreamShape): { name: string; at?: string } {
  const record = data === null ? {} : (JSON.parse(data) as JsonObject);
  const roles = rolesOf(declaration.schema);
  const timeField = timeFieldOf(declaration, roles);
  const titleField = roles && fieldWith(roles, "title");
  const [title, time] = [titleField && record[titleField], timeField && record[timeField]];
  const isInstant = typeof time === "string" && /T.*(?:Z|[+-]\d\d:\d\d)$/.test(time);
  return {
    name: (typeof title === "string" && title !== "" ? title : `${stream} ${id}`).slice(0, NAME_MAX),
    ...(isInstant ? { at: time } : {}),
  };
}

export async function keepAttached(
  view: WriteView,
  caller: Caller,
  { connection_id, stream, recognition, version, looked_at, found }: Omit<StoredPosition, "has_texts"> & AttachedPlace,
  now: number,
): Promise<Record<string, never>> {
  requireConnection(caller, connection_id);
  const id = placeOf({ connectionId: connection_id, name: stream });
  const before = (await view.item(caller.subjectId, ATTACHED_TEXT, id))?.body as unknown as StoredPosition | undefined;
  const counted = before?.recognition === recognition ? before : { looked_at: 0, found: 0 };
  const body: StoredPosition = {
    version,
    recognition,
    looked_at: looked_at + counted.looked_at,
    found: found + counted.found,
    has_texts: found > 0 || (before?.has_texts ?? false),
  };
  await view.putItem(caller.subjectId, {
    kind: ATTACHED_TEXT,
    id,
    holder: connection_id,
    createdAt: now,
    dueAt: null,
    body: body as unknown as JsonValue,
  });
  return {};
}

interface AttachedPlace {
  connection_id: string;
  stream: string;
}

/** Declares the stream for recognised texts when the first text is stored. */
export async function openAttachedText(
  view: WriteView,
  caller: Caller,
  { connection_id }: { connection_id: string },
  now: number,
): Promise<Record<string, never>> {
  const { connectorKey, sourceId } = requireConnection(caller, connection_id);
  const { declaration } = caller.catalog.sources.find((source) => source.sourceId === sourceId)!;
  if (!hasAttachedText(declaration))
    await putConnector(view, caller, { connector_key: connectorKey, declaration: withAttachedText(declaration) }, now);
  return {};
}
