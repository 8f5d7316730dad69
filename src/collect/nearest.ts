// Suggests the nearest known format for a file that no importer recognises, and says how to get it.

interface Nearest {
  /** File extensions, without the dot. */
  endings: string;
  advice: string;
}

const BY_NAME: readonly Nearest[] = [
  {
    endings: "xls xlsx xlsm ods numbers",
    advice: "the nearest known format is a table: save each sheet as CSV and import that",
  },
  {
    endings: "doc docx odt rtf pages pdf ppt pptx odp key epub",
    advice:
      "documents are read from an indexed folder: `pdpp files roots add FOLDER --text` makes their text searchable",
  },
  {
    endings: "mp3 m4a ogg opus flac wav aac wma",
    advice:
      "the nearest known formats are photos and videos; audio is imported only with the chat or note that it belongs to",
  },
  {
    endings: "htm html mhtml",
    advice:
      "the nearest known formats are browser bookmarks and Google My Activity; many services also offer their export as JSON",
  },
  {
    endings: "txt log",
    advice:
      "the nearest known formats are WhatsApp chats, Kindle clippings and Markdown notes (rename the file to .md)",
  },
  {
    endings: "json",
    advice: "the nearest known format is a table: a list of objects, at the top level or inside an object",
  },
  {
    endings: "xml",
    advice:
      "the nearest known formats are Apple Health, SMS backups, camt statements, GPX, KML and TCX; a list can be imported as CSV or JSON",
  },
  { endings: "db sqlite sqlite3", advice: "it is not a SQLite database; a database would be imported as tables" },
  { endings: "yaml yml toml plist", advice: "the nearest known format is a table: CSV, JSON or NDJSON" },
  { endings: "kdbx 1pif 1pux", advice: "it is a password database, and secrets are not imported" },
];

export const UNKNOWN_FORMAT = "no importer supports this format";

/** Returns undefined if no known format is close. */
export function nearestFormat(path: string): string | undefined {
  const ending = /\.([a-z0-9]{2,8})$/i.exec(path)?.[1]?.toLowerCase();
  if (ending === undefined) return undefined;
  return BY_NAME.find(({ endings }) => endings.split(" ").includes(ending))?.advice;
}

/** Shown once per report: what else can be done about unknown formats. */
export const OWN_IMPORTER =
  "To add a missing format, see docs/build/writing-an-importer.md. CSV and NDJSON files are always imported as tables.";
