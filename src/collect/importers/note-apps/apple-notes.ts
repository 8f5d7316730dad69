// Apple Notes: the Mac's database (NoteStore.sqlite), in which the text of each note is a gzipped protocol buffer, and
// the pages of an Apple Journal export.
import { gunzipSync } from "node:zlib";
import { monthNumber } from "../../../core/month-names.ts";
import { wholeEntry } from "../../entry.ts";
import { type ForeignRow, logOf, openForeign } from "../foreign-sqlite.ts";
import { htmlText } from "../mail/html-text.ts";
import { type FoundNote, NOTE_BYTES_MAX, type NoteReader } from "./app-note.ts";

const OBJECTS = "ZICCLOUDSYNCINGOBJECT";
/** The seconds between 1970 and 2001, when Apple's time starts. */
const APPLE_EPOCH = 978_307_200;
const TIMES = {
  created: ["ZCREATIONDATE3", "ZCREATIONDATE1", "ZCREATIONDATE2", "ZCREATIONDATE"],
  changed: ["ZMODIFICATIONDATE1", "ZMODIFICATIONDATE"],
};

export const readAppleNotes: NoteReader = async function* (entry) {
  const database = await openForeign(entry, await logOf(entry));
  try {
    const columns = new Set(database.tables.get(OBJECTS) ?? []);
    if (columns.size === 0 || !database.tables.has("ZICNOTEDATA")) {
      yield { problem: "it does not have the tables of Apple Notes" };
      return;
    }
    const all = [...columns].map((name) => `note."${name.replaceAll('"', '""')}"`).join(", ");
    const folder = columns.has("ZFOLDER") && columns.has("ZTITLE2") ? "folder.ZTITLE2" : "NULL";
    const join = folder === "NULL" ? "" : `LEFT JOIN ${OBJECTS} folder ON folder.Z_PK = note.ZFOLDER`;
    const rows = database.rows(
      `SELECT ${all}, data.ZDATA AS text, ${folder} AS notebook FROM ZICNOTEDATA data JOIN ${OBJECTS} note ON note.Z_PK = data.ZNOTE ${join} ORDER BY note.Z_PK`,
    );
    for (const row of rows) yield noteOf(row);
  } finally {
    await database.close();
  }
};

function noteOf(row: ForeignRow): FoundNote {
  const offset = Number(row.Z_PK);
  if (Number(row.ZISPASSWORDPROTECTED ?? 0) === 1)
    return { skip: "the note is locked: remove its lock in Notes and import again", offset };
  const title = textOf(row.ZTITLE1) ?? textOf(row.ZTITLE2) ?? textOf(row.ZTITLE);
  const created = timeOf(row, TIMES.created);
  let body: string | undefined;
  try {
    body = row.text instanceof Uint8Array ? noteText(row.text) : undefined;
  } catch {
    return { problem: "its text cannot be unpacked", offset };
  }
  return {
    app: "applenotes",
    id: textOf(row.ZIDENTIFIER),
    fallbackKey: `${created ?? ""} ${title ?? ""}`,
    title,
    body: body ?? textOf(row.ZSNIPPET) ?? "",
    format: "plain",
    created_at: created,
    updated_at: timeOf(row, TIMES.changed) ?? created,
    notebook: textOf(row.notebook),
    is_trashed: Number(row.ZMARKEDFORDELETION ?? 0) === 1,
    files: [],
    ...(body === undefined ? { left: ["the full text, because the database has only its beginning"] } : {}),
    offset,
  };
}

const textOf = (value: ForeignRow[string] | undefined): string | undefined =>
  typeof value === "string" && value !== "" ? value.toWellFormed() : undefined;

function timeOf(row: ForeignRow, names: readonly string[]): string | undefined {
  const seconds = names
    .map((name) => row[name])
    .find((value) => typeof value === "number" || typeof value === "bigint");
  const time = new Date((Number(seconds) + APPLE_EPOCH) * 1000);
  return seconds === undefined || Number.isNaN(time.getTime()) || time.getUTCFullYear() > 9999
    ? undefined
    : time.toISOString();
}

/**
 * Extracts the text: field 2 (the document), then field 3 (the note), then field 2 (the text). U+FFFC marks an
 * attachment.
 */
function noteText(data: Uint8Array): string | undefined {
  let bytes: Uint8Array | undefined = gunzipSync(data, { maxOutputLength: NOTE_BYTES_MAX * 4 });
  for (const field of [2, 3, 2]) bytes = bytes === undefined ? undefined : fieldOf(bytes, field);
  return bytes === undefined ? undefined : Buffer.from(bytes).toString("utf8").replaceAll("\ufffc", "").trim();
}

/** Returns the first bytes field with this number in a protocol buffer. */
function fieldOf(message: Uint8Array, wanted: number): Uint8Array | undefined {
  let at = 0;
  const number = (): number => {
    let [value, factor] = [0, 1];
    for (; at < message.length; factor *= 128) {
      const byte = message[at++]!;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
      if (factor > 2 ** 49) break;
    }
    throw new Error("it ends too early");
  };
  while (at < message.length) {
    const key = number();
    const [field, kind] = [Math.floor(key / 8), key % 8];
    if (kind === 0) number();
    else if (kind === 1) at += 8;
    else if (kind === 5) at += 4;
    else if (kind === 2) {
      const length = number();
      if (field === wanted) return message.subarray(at, at + length);
      at += length;
    } else throw new Error("it is not a protocol buffer");
  }
  return undefined;
}

export const readJournal: NoteReader = async function* (entry) {
  const html = (await wholeEntry(entry, NOTE_BYTES_MAX)).toString("utf8").toWellFormed();
  const header = partOf(html, "pageHeader");
  const [, day, month, year] = /(\d{1,2}) (\p{L}+) (\d{4})/u.exec(header) ?? [];
  const number = monthNumber(month ?? "");
  const date = number === 0 ? undefined : `${year}-${String(number).padStart(2, "0")}-${day!.padStart(2, "0")}`;
  const created = date === undefined || Number.isNaN(Date.parse(date)) ? undefined : new Date(date).toISOString();
  const title = partOf(html, "title");
  const start = html.search(/class=['"]bodyText['"]/);
  const body = start === -1 ? "" : htmlText(`<div ${html.slice(start)}`);
  const assets = [
    ...html.matchAll(/<div class="(?:gridItemOverlay[^"]*|activityType|activityMetrics|mediaTitle)">([^<]{1,200})</g),
  ];
  yield {
    app: "journal",
    fallbackKey: `${header} ${title}`,
    title: title || header,
    body: [partOf(html, "reflectionPrompt"), body, assets.map(([, text]) => htmlText(text!)).join(" · ")]
      .filter((part) => part !== "")
      .join("\n\n"),
    format: "plain",
    created_at: created,
    updated_at: created,
    files: [],
  };
};

/** Returns the text of the first element of this class, up to its first tag. */
function partOf(html: string, name: string): string {
  const start = html.search(new RegExp(`<div class=['"]${name}['"]>`));
  if (start === -1) return "";
  const from = html.indexOf(">", start) + 1;
  return htmlText(html.slice(from, html.indexOf("<", from))).trim();
}
