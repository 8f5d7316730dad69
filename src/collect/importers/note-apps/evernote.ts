// Evernote ENEX: notes in XML, each with its text as XHTML and its files in base64.
import { SaxesParser } from "saxes";
import { textOf } from "../decode.ts";
import { htmlText } from "../mail/html-text.ts";
import { parsedPieces } from "../xml-pieces.ts";
import { type AppFile, type FoundNote, NOTE_BYTES_MAX, type NoteReader } from "./app-note.ts";

const DEPTH_MAX = 20;
/** The limit for one file in base64. */
const FILE_CHARACTERS_MAX = 90_000_000;
const FIELD_CHARACTERS_MAX = 10_000;
const TAGS_MAX = 1000;

/** The elements whose text is kept. */
const FIELDS = new Set([
  "title",
  "created",
  "updated",
  "tag",
  "content",
  "source-url",
  "place-name",
  "latitude",
  "longitude",
  "mime",
  "file-name",
  "data",
]);

interface OpenNote {
  fields: Map<string, string>;
  tags: string[];
  files: AppFile[];
  file?: Map<string, string>;
  left: Set<string>;
  offset: number;
}

export const readEvernote: NoteReader = async function* (entry) {
  // Notes contain characters and entities that XML does not allow. Such an error costs a word, not the file.
  const parser = new SaxesParser({ fragment: true });
  const ready: FoundNote[] = [];
  const path: string[] = [];
  let note: OpenNote | undefined;
  let text = "";
  let isCut = false;
  let faults = 0;
  parser.on("error", ({ message }) => {
    faults++;
    if (faults > 1000) throw new Error(`more than 1000 errors, the last one: ${message}`);
  });
  parser.on("opentag", ({ name }) => {
    path.push(name);
    if (path.length > DEPTH_MAX) throw new Error(`nested more than ${DEPTH_MAX} levels deep`);
    if (name === "note") note = { fields: new Map(), tags: [], files: [], left: new Set(), offset: parser.position };
    if (name === "resource" && note !== undefined) note.file = new Map();
    [text, isCut] = ["", false];
  });
  const add = (more: string): void => {
    const name = path.at(-1);
    if (note === undefined || name === undefined || !FIELDS.has(name)) return;
    const max = name === "data" ? FILE_CHARACTERS_MAX : name === "content" ? NOTE_BYTES_MAX * 4 : FIELD_CHARACTERS_MAX;
    if (text.length + more.length > max) isCut = true;
    else text += more;
  };
  parser.on("text", add);
  parser.on("cdata", add);
  parser.on("closetag", ({ name }) => {
    path.pop();
    if (note === undefined) return;
    if (name === "note") {
      ready.push(noteOf(note));
      note = undefined;
    } else if (name === "resource") {
      if (note.file !== undefined) note.files.push(fileOf(note.file, note.left));
      note.file = undefined;
    } else if (FIELDS.has(name)) {
      if (isCut) note.left.add(`${name === "data" ? "a file" : name} that is too large`);
      const value = name === "content" || name === "data" ? text : text.trim();
      if (name === "tag") {
        if (note.tags.length < TAGS_MAX && value !== "") note.tags.push(value);
      } else if (note.file !== undefined) note.file.set(name, value);
      // Use only the note's own fields, because tasks and recognised words also have titles and dates.
      else if (path.at(-1) === "note" || path.at(-1) === "note-attributes") note.fields.set(name, value);
    }
    text = "";
  });
  for await (const found of parsedPieces(parser, withoutPreamble(textOf(entry)), ready)) yield found;
  if (note !== undefined) yield { problem: "the file ends inside a note", offset: (note as OpenNote).offset };
};

/** Removes the document type declaration, which could declare entities. Notes do not need it. */
async function* withoutPreamble(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let start: string | undefined = "";
  for await (const piece of pieces) {
    if (start === undefined) {
      yield piece;
      continue;
    }
    start += piece;
    const root = start.indexOf("<en-export");
    if (root === -1 && start.length < 65_536) continue;
    if (root === -1) throw new Error("it does not begin like an Evernote export");
    yield start.slice(root);
    start = undefined;
  }
}

function noteOf({ fields, tags, files, left, offset }: OpenNote): FoundNote {
  const title = fields.get("title") || undefined;
  const content = fields.get("content") ?? "";
  if (/<en-crypt/.test(content)) left.add("encrypted text");
  const [latitude, longitude] = [numberOf(fields.get("latitude")), numberOf(fields.get("longitude"))];
  const name = fields.get("place-name") || undefined;
  return {
    app: "evernote",
    fallbackKey: `${fields.get("created") ?? ""} ${title ?? ""}`,
    title,
    // If a list item begins with a block, its marker is on a line by itself.
    body: htmlText(readable(content)).replace(/^(-(?: \[[ x]\])?)\n+/gm, "$1 "),
    format: "plain",
    created_at: timeOf(fields.get("created")),
    updated_at: timeOf(fields.get("updated")) ?? timeOf(fields.get("created")),
    tags,
    url: fields.get("source-url") || undefined,
    ...(name === undefined && latitude === undefined ? {} : { place: { name, latitude, longitude } }),
    files,
    left: [...left],
    offset,
  };
}

/** Converts check boxes to text and removes encrypted parts. Evernote writes no attributes longer than this limit. */
const readable = (content: string): string =>
  withoutEncrypted(content).replace(/<(en-todo|li)\b([^<>]{0,2000})>/g, (tag, name: string, attributes: string) => {
    const isChecked = /checked="true"|--en-checked:\s{0,5}true/.test(attributes);
    const isBox = name === "en-todo" || attributes.includes("--en-checked");
    return `${name === "li" ? tag : ""}${isBox ? `[${isChecked ? "x" : " "}] ` : ""}`;
  });

function withoutEncrypted(content: string): string {
  const parts: string[] = [];
  let at = 0;
  for (let start = content.indexOf("<en-crypt"); start !== -1; start = content.indexOf("<en-crypt", at)) {
    parts.push(content.slice(at, start));
    const end = content.indexOf("</en-crypt>", start);
    at = end === -1 ? content.length : end + "</en-crypt>".length;
  }
  parts.push(content.slice(at));
  return parts.join("");
}

function fileOf(fields: ReadonlyMap<string, string>, left: Set<string>): AppFile {
  const type = fields.get("mime") || "application/octet-stream";
  const name = fields.get("file-name") || `file.${type.split("/")[1]?.replace(/[^a-z0-9]/gi, "") || "bin"}`;
  const base64 = fields.get("data") ?? "";
  if (base64.trim() === "") {
    left.add("a file without content");
    return { name };
  }
  return { name, inline: { base64, type: /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : "application/octet-stream" } };
}

function timeOf(text: string | undefined): string | undefined {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text ?? "") ?? [];
  const time = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

function numberOf(text: string | undefined): number | undefined {
  const value = text ? Number(text) : Number.NaN;
  return Number.isFinite(value) && Math.abs(value) <= 180 ? value : undefined;
}
