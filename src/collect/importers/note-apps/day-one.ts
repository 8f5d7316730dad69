// Day One: journals as JSON, with photos, videos, recordings and documents in folders next to them, named by MD5.
import type { JsonObject } from "../../../contract/json.ts";
import { folderOf, joinPath, nameOf } from "../attached-file.ts";
import { isoInstant } from "../iso-instant.ts";
import { flagIn, isObject, objectIn, objectsIn, textIn, textsIn } from "../json-fields.ts";
import { jsonItems } from "../json-items.ts";
import { type AppFile, firstLine, type NoteReader } from "./app-note.ts";

const MEDIA = [
  { list: "photos", folder: "photos" },
  { list: "videos", folder: "videos" },
  { list: "audios", folder: "audios" },
  { list: "pdfAttachments", folder: "pdfs" },
];

export const readDayOne: NoteReader = async function* (entry, beside) {
  const journal = nameOf(entry.path).replace(/\.json$/i, "");
  for await (const item of jsonItems(entry, (path) => path.length === 2 && path[0] === "entries")) {
    const { offset } = item;
    if ("problem" in item) {
      yield { problem: item.problem, offset };
      continue;
    }
    const id = isObject(item.value) ? textIn(item.value, "uuid") : undefined;
    if (!isObject(item.value) || id === undefined) {
      yield { problem: "an entry without an id", offset };
      continue;
    }
    const day = item.value;
    const created = isoInstant(textIn(day, "creationDate"));
    // Day One escapes characters that Markdown would treat as markup.
    const body = (textIn(day, "text") ?? "").replace(/\\([.!()+\-#])/g, "$1");
    const location = objectIn(day, "location");
    const name = [textIn(location, "placeName"), textIn(location, "localityName"), textIn(location, "country")]
      .filter((part) => part !== undefined)
      .join(", ");
    yield {
      app: "dayone",
      id,
      title: firstLine(body),
      body,
      format: "markdown",
      created_at: created,
      updated_at: isoInstant(textIn(day, "modifiedDate")) ?? created,
      tags: textsIn(day, "tags"),
      notebook: journal,
      ...(name === "" ? {} : { place: { name, ...coordinates(location) } }),
      is_pinned: flagIn(day, "pinned") || flagIn(day, "isPinned"),
      files: MEDIA.flatMap(({ list, folder }) =>
        objectsIn(day, list).map((file) => mediaOf(file, joinPath(folderOf(entry.path), folder), beside)),
      ),
      offset,
    };
  }
};

function coordinates(location: JsonObject): { latitude?: number; longitude?: number } {
  const { latitude, longitude } = location;
  return typeof latitude === "number" && typeof longitude === "number" ? { latitude, longitude } : {};
}

const ENDINGS: Record<string, string> = { photos: "jpeg", videos: "mp4", audios: "m4a", pdfs: "pdf" };

function mediaOf(file: JsonObject, folder: string, beside: Parameters<NoteReader>[1]): AppFile {
  const md5 = textIn(file, "md5") ?? "";
  const type = textIn(file, "type") ?? ENDINGS[nameOf(folder)]!;
  const found = [type, ENDINGS[nameOf(folder)]!, "jpeg", "jpg", "mp3", "mov"]
    .map((ending) => beside(joinPath(folder, `${md5}.${ending}`)))
    .find((one) => one !== undefined);
  const name = textIn(file, "title") ?? textIn(file, "pdfName") ?? textIn(file, "filename") ?? `${md5}.${type}`;
  return { name, entry: md5 === "" ? undefined : found };
}
