// Google Keep in a Takeout: one JSON file per note, with its pictures and recordings next to it.

import type { JsonObject, JsonValue } from "../../../contract/json.ts";
import { wholeEntry } from "../../entry.ts";
import { folderOf, joinPath } from "../attached-file.ts";
import { countIn, flagIn, instantOf, isObject, objectsIn, textIn } from "../json-fields.ts";
import { type AppFile, NOTE_BYTES_MAX, type NoteReader } from "./app-note.ts";

export const readKeep: NoteReader = async function* (entry, beside) {
  const note = parsed((await wholeEntry(entry, NOTE_BYTES_MAX)).toString("utf8"));
  if (!isObject(note)) {
    yield { problem: "it is not valid JSON: the note is damaged" };
    return;
  }
  const [created, updated] = [timeOf(note, "createdTimestampUsec"), timeOf(note, "userEditedTimestampUsec")];
  const list = objectsIn(note, "listContent");
  const lines = list.map((item) => `- [${flagIn(item, "isChecked") ? "x" : " "}] ${textIn(item, "text") ?? ""}`);
  const links = objectsIn(note, "annotations").flatMap((one) => textIn(one, "url") ?? []);
  const title = textIn(note, "title");
  yield {
    app: "keep",
    // Keep notes have no id; the creation time in microseconds is nearly unique.
    fallbackKey: `${countIn(note, "createdTimestampUsec") ?? ""} ${title ?? ""}`,
    title,
    body: [textIn(note, "textContent") ?? "", lines.join("\n")].filter((part) => part !== "").join("\n"),
    format: list.length > 0 ? "markdown" : "plain",
    created_at: created ?? updated,
    updated_at: updated ?? created,
    tags: objectsIn(note, "labels").flatMap((label) => textIn(label, "name") ?? []),
    url: links[0],
    is_pinned: flagIn(note, "isPinned"),
    is_archived: flagIn(note, "isArchived"),
    is_trashed: flagIn(note, "isTrashed"),
    files: objectsIn(note, "attachments").flatMap((file): AppFile[] => {
      const path = textIn(file, "filePath");
      if (path === undefined) return [];
      // Old exports refer to .jpg files as .jpeg.
      const found = [path, path.replace(/\.jpeg$/, ".jpg")].map((name) => beside(joinPath(folderOf(entry.path), name)));
      return [{ name: path, entry: found.find((one) => one !== undefined) }];
    }),
  };
};

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function timeOf(note: JsonObject, name: string): string | undefined {
  const micros = countIn(note, name);
  return micros === undefined || micros === 0 ? undefined : instantOf(micros / 1_000_000);
}
