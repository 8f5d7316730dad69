// Bear backups and folders of text bundles: Markdown text with its metadata and files.
import type { JsonValue } from "../../../contract/json.ts";
import { wholeEntry } from "../../entry.ts";
import { folderOf, joinPath, nameOf } from "../attached-file.ts";
import { isoInstant } from "../iso-instant.ts";
import { countIn, isObject, objectIn, textIn, textsIn } from "../json-fields.ts";
import { type AppFile, firstLine, NOTE_BYTES_MAX, type NoteReader, tagsIn } from "./app-note.ts";

const FACTS_BYTES_MAX = 1024 * 1024;
const TEXTS = ["text.md", "text.markdown", "text.txt"];

/** The entry is the bundle's info.json. */
export const readBear: NoteReader = async function* (entry, beside) {
  const bundle = folderOf(entry.path);
  const facts = JSON.parse((await wholeEntry(entry, FACTS_BYTES_MAX)).toString("utf8")) as JsonValue;
  const about = isObject(facts) ? objectIn(facts, "net.shinyfrog.bear") : {};
  if (countIn(about, "encrypted") === 1) {
    yield { skip: "the note is encrypted: remove its password in Bear and export again" };
    return;
  }
  const text = TEXTS.map((name) => beside(joinPath(bundle, name))).find((one) => one !== undefined);
  const body = text === undefined ? "" : (await wholeEntry(text, NOTE_BYTES_MAX)).toString("utf8").toWellFormed();
  const created = isoInstant(textIn(about, "creationDate"));
  const own = textsIn(about, "tags");
  yield {
    app: "bear",
    id: textIn(about, "uniqueIdentifier"),
    fallbackKey: `${nameOf(bundle)} ${created ?? ""}`,
    title: firstLine(body) ?? nameOf(bundle).replace(/\.textbundle$/, ""),
    body,
    format: "markdown",
    created_at: created,
    updated_at: isoInstant(textIn(about, "modificationDate")) ?? created,
    tags: own.length > 0 ? own : tagsIn(body),
    is_pinned: countIn(about, "pinned") === 1,
    is_archived: countIn(about, "archived") === 1,
    is_trashed: countIn(about, "trashed") === 1,
    files: [...body.matchAll(/\]\((assets\/[^()\s]{1,500})\)/g)].map(([, path]): AppFile => {
      const plain = decoded(path!);
      return { name: nameOf(plain), entry: beside(joinPath(bundle, plain)) };
    }),
  };
};

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
