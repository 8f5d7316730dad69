// Photos and videos: their metadata, Takeout's sidecar files, and the files themselves as blobs.
import { createHash } from "node:crypto";
import type { JsonObject } from "../../../contract/json.ts";
import { formatBytes } from "../../../core/format-bytes.ts";
import { type Entry, headOf } from "../../entry.ts";
import {
  type EntryPreview,
  entriesFrom,
  HEAD_BYTES,
  type ImportAnswers,
  type ImportContext,
  type ImportEvent,
  type Importer,
  type ImporterQuestion,
  type Recognition,
} from "../../importer.ts";
import { HEIC_ADVICE, THUMBNAIL_ADVICE } from "../../thumbnails/installed.ts";
import { nameOf } from "../attached-file.ts";
import { localClock, timeZoneQuestion } from "../local-time.ts";
import { copiesAmong } from "./copies.ts";
import { photosDeclaration } from "./declaration.ts";
import { type ImageFacts, imageFacts, previewOf } from "./exif.ts";
import { imageSize, imageType } from "./image.ts";
import { isSidecar, isSidecarName, type SidecarFacts, sidecarFacts, sidecarsOf } from "./sidecar.ts";
import { type VideoFacts, type VideoType, videoReader, videoType } from "./video.ts";

/** EXIF data is in the first megabyte or, in some HEIC files, after the picture. A blob is held entirely in memory. */
const READ_BYTES_MAX = 48 * 1024 * 1024;
/** A picture of at most this size loads as fast as a preview, so it needs no preview. */
const SMALL_BYTES_MAX = 32 * 1024;
/** How many pictures are examined for a plan. */
const PLAN_SAMPLE = 5;

export const photosImporter: Importer = {
  name: "photos",
  title: "Photos and videos (EXIF, MP4, QuickTime, Google Photos)",
  from: ["Any folder of pictures and videos", "Google Photos: takeout.google.com"],
  recognise,
  async plan({ entries }) {
    const pictures = entries.filter(({ path }) => !isSidecarName(path));
    return {
      account: { key: "photos", name: "Photos" },
      declaration: photosDeclaration,
      streams: [{ stream: "photos", count: pictures.length }],
      questions: [
        originalsQuestion(pictures),
        ...((await lackOffset(pictures.slice(0, PLAN_SAMPLE))) ? [timeZoneQuestion("A camera")] : []),
      ],
      warnings: [...tooLarge(pictures), ...withoutPoster(pictures)],
    };
  },
  async *run(input, context) {
    const pictures = input.entries.filter(({ path }) => !isSidecarName(path));
    const copies = await copiesAmong(pictures);
    const sidecarOf = sidecarsOf(input.entries);
    const used = new Set(pictures.flatMap(({ path }) => sidecarOf(path)?.path ?? []));
    for (const { entry, position } of entriesFrom(input, context)) {
      if (position === true) continue;
      const original = copies.get(entry.path);
      if (isSidecarName(entry.path)) {
        if (!used.has(entry.path))
          yield { kind: "skip", entry, reason: "metadata of a picture that is not part of the import" };
      } else if (original !== undefined)
        yield { kind: "skip", entry, reason: "a copy of another picture in this import" };
      else yield* photo(entry, sidecarOf(entry.path), context);
      yield { kind: "checkpoint", entry, position: true };
    }
  },
};

/** I-07: the pictures are stored, unless the owner decides against it. */
function originalsQuestion(pictures: readonly Entry[]): ImporterQuestion {
  const bytes = pictures.reduce((sum, { size }) => sum + Math.max(0, size), 0);
  return {
    id: "originals",
    text: `Copy the pictures and videos themselves (${formatBytes(bytes)}), or only their metadata?`,
    options: [
      { value: "keep", label: "copy them; they can be seen and downloaded here" },
      { value: "leave", label: "only dates, places and previews; the files stay where they are" },
    ],
    default: "keep",
  };
}

function tooLarge(pictures: readonly Entry[]): string[] {
  const large = pictures.filter(({ size }) => size > READ_BYTES_MAX).length;
  return large === 0
    ? []
    : [
        `Files larger than ${READ_BYTES_MAX / 1024 ** 2} MB (${large} here) stay where they are, and only their dates, places and lengths are imported.`,
      ];
}

const VIDEO_NAME = /\.(?:mp4|m4v|mov|qt|3gp|3g2)$/i;

/** I-07: the plan lists the files that get no thumbnail. */
const withoutPoster = (pictures: readonly Entry[]): string[] =>
  pictures.some(({ path }) => VIDEO_NAME.test(path))
    ? [
        "Thumbnails are created for videos in HEVC, AV1 and Motion JPEG. Videos in other codecs, such as H.264, have no thumbnail but can be played on their pages.",
      ]
    : [];

const RAW_OR_TIFF = /\.(?:tiff?|dng|nef|cr2|arw|pef|orf|rw2)$/i;
const SCORES: Record<string, number> = {
  "image/jpeg": 60,
  "image/heic": 65,
  "image/avif": 50,
  "image/png": 45,
  "image/webp": 45,
};

function recognise({ path, head }: EntryPreview): Recognition | undefined {
  if (isSidecarName(path)) {
    return isSidecar(head) ? { score: 90, reason: "Google Photos metadata of a picture" } : undefined;
  }
  const type = imageType(head);
  if (videoType(head, path) !== undefined) return { score: 60, reason: "video" };
  if (type === undefined || (type === "image/tiff" && !RAW_OR_TIFF.test(path))) return undefined;
  return { score: SCORES[type] ?? 60, reason: "photo" };
}

async function lackOffset(entries: readonly Entry[]): Promise<boolean> {
  for (const entry of entries) {
    try {
      const { local, offset } = await imageFacts(Buffer.from(await headOf(entry, 256 * 1024)));
      if (local !== undefined && offset === undefined) return true;
    } catch {
      // The run reports what is wrong with the file.
    }
  }
  return false;
}

async function* photo(entry: Entry, sidecar: Entry | undefined, context: ImportContext): AsyncGenerator<ImportEvent> {
  let file: ReadFile;
  try {
    file = await read(entry);
  } catch (error) {
    yield { kind: "error", entry, message: (error as Error).message };
    return;
  }
  const { bytes, size, sha256, video } = file;
  const image = imageType(bytes.subarray(0, HEAD_BYTES));
  const type = image ?? video?.type;
  if (type === undefined) {
    yield { kind: "error", entry, message: "it is neither a picture nor a video" };
    return;
  }
  let facts: VideoFacts = video?.facts ?? { data: {} };
  try {
    if (image !== undefined) facts = await imageFacts(bytes);
  } catch (error) {
    yield {
      kind: "skip",
      entry,
      reason: `its EXIF cannot be read; the picture is kept without it: ${(error as Error).message}`,
      count: 0,
    };
  }
  let notes: SidecarFacts = { data: {} };
  try {
    if (sidecar !== undefined) notes = await sidecarFacts(sidecar);
  } catch (error) {
    yield { kind: "error", entry: sidecar!, message: (error as Error).message };
  }
  let time: JsonObject = {};
  try {
    time = timeOf(facts, notes.takenAt ?? facts.instant, context.answers);
  } catch (error) {
    yield { kind: "error", entry, message: (error as Error).message };
    return;
  }
  const { preview, lack } =
    image === undefined ? await smallPoster(video?.poster, context) : await smallPicture(bytes, size, context);
  if (lack !== undefined) yield { kind: "skip", entry, reason: lack, count: 0 };
  const wantsOriginal = context.answers.originals !== "leave";
  if (wantsOriginal && size > READ_BYTES_MAX)
    yield {
      kind: "skip",
      entry,
      reason: `the file is larger than ${READ_BYTES_MAX / 1024 ** 2} MB: only its metadata is kept`,
      count: 0,
    };
  const id = context.makeId(Buffer.from(sha256, "hex").toString("base64url").slice(0, 22));
  const data: JsonObject = {
    id,
    name: nameOf(entry.path).toWellFormed(),
    path: entry.path.toWellFormed(),
    media_type: type,
    size_bytes: size,
    sha256,
    // Text that people and Google added later takes precedence over text from the camera. The location from the camera
    // is more exact.
    ...notes.data,
    ...facts.data,
    ...("caption" in notes.data ? { caption: notes.data.caption! } : {}),
    ...(image === undefined ? {} : imageSize(image, bytes)),
    ...time,
    ...(preview === undefined ? {} : { thumbnail: await context.blob(preview, "image/jpeg") }),
    ...(wantsOriginal && size <= READ_BYTES_MAX ? { picture: await context.blob(bytes, type) } : {}),
  };
  yield {
    kind: "record",
    stream: "photos",
    key: id,
    data,
    entry,
    offset: 0,
  };
}

interface SmallPicture {
  preview?: Uint8Array;
  /** The reason there is no preview. */
  lack?: string;
}
const NO_PREVIEW: SmallPicture = {};

/** I-07: returns the preview that the camera stored, or else a new one. */
async function smallPicture(bytes: Buffer, size: number, { thumbnail, answers }: ImportContext): Promise<SmallPicture> {
  const stored = await previewOf(bytes);
  if (stored !== undefined) return { preview: stored };
  if (size <= SMALL_BYTES_MAX && answers.originals !== "leave") return NO_PREVIEW;
  if (size > READ_BYTES_MAX) return { lack: "it has no thumbnail, and it is too large for one to be created" };
  if (thumbnail === undefined)
    return {
      lack: `it has no thumbnail; run ${THUMBNAIL_ADVICE} and import it again to create one`,
    };
  const preview = await thumbnail(bytes);
  return preview === undefined
    ? { lack: `it has no thumbnail, and creating one failed; HEIC needs ${HEIC_ADVICE}` }
    : { preview };
}

/**
 * I-07: the thumbnail of a video that has a cover, or whose codec stores frames as pictures. Other videos have no
 * thumbnail, but their page plays them.
 */
async function smallPoster(poster: Buffer | undefined, { thumbnail }: ImportContext): Promise<SmallPicture> {
  if (poster === undefined) return { lack: "no thumbnail can be created for a video in this codec" };
  if (thumbnail === undefined)
    return { lack: `it has no thumbnail; run ${THUMBNAIL_ADVICE} and import it again to create one` };
  const preview = await thumbnail(poster);
  return preview === undefined ? { lack: `no thumbnail could be created; HEVC needs ${HEIC_ADVICE}` } : { preview };
}

interface ReadFile {
  bytes: Buffer;
  size: number;
  sha256: string;
  video?: { type: VideoType; facts: VideoFacts; poster: Buffer | undefined };
}

/** The digest covers all bytes, including those that are not kept. A video's metadata may come after the kept bytes. */
async function read(entry: Entry): Promise<ReadFile> {
  const hash = createHash("sha256");
  const parts: Uint8Array[] = [];
  const type = videoType(await headOf(entry, HEAD_BYTES), entry.path);
  const video = type === undefined ? undefined : videoReader();
  let size = 0;
  for await (const part of entry.open()) {
    hash.update(part);
    video?.take(part);
    if (size < READ_BYTES_MAX) parts.push(part);
    size += part.byteLength;
  }
  const facts = video?.facts();
  const bytes = Buffer.concat(parts);
  return {
    bytes,
    size,
    sha256: hash.digest("hex"),
    ...(type === undefined || facts === undefined ? {} : { video: { type, facts, poster: video?.poster(bytes) } }),
  };
}

/**
 * Returns a single time with its offset, never a local time next to a different instant: the camera's clock with its
 * offset, or else the instant from Google or the video, or else the clock in the time zone from the answer.
 */
function timeOf({ local, offset }: ImageFacts, noted: string | undefined, answers: ImportAnswers): JsonObject {
  if (local === undefined) return noted === undefined ? {} : { taken_at: noted, is_offset_known: true };
  const clock = new Date(local).toISOString().slice(0, 19);
  if (offset !== undefined) {
    return { taken_at: `${clock}${zoneText(offset)}`, is_offset_known: true };
  }
  // The offset of the camera's clock follows from Google's instant. If no real offset fits, the clock was wrong and is
  // ignored.
  if (noted !== undefined) {
    const ahead = local - Date.parse(noted);
    const minutes = Math.round(ahead / QUARTER_MS) * 15;
    const isOffset = isOffsetInUse(minutes) && Math.abs(ahead - minutes * MINUTE_MS) < MINUTE_MS;
    return isOffset
      ? { taken_at: `${clock}${zoneText(minutes)}`, is_offset_known: true }
      : { taken_at: noted, is_offset_known: true };
  }
  const minutes = Math.round((local - Date.parse(localClock(answers)(local))) / MINUTE_MS);
  return { taken_at: `${clock}${zoneText(minutes)}`, is_offset_known: false };
}

const MINUTE_MS = 60_000;
const QUARTER_MS = 15 * MINUTE_MS;
/** Offsets in use that are not whole hours, in minutes. */
const ODD_OFFSETS = [-570, -210, 210, 270, 330, 345, 390, 525, 570, 630, 765];
const isOffsetInUse = (minutes: number): boolean =>
  (minutes % 60 === 0 && Math.abs(minutes) <= 14 * 60) || ODD_OFFSETS.includes(minutes);

/** Formats minutes as `+02:00`. */
function zoneText(offset: number): string {
  const digits = (value: number): string => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
  return offset === 0 ? "Z" : `${offset < 0 ? "-" : "+"}${digits(hours)}:${digits(minutes)}`;
}
