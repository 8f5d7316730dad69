// Detects file types by extension, which costs nothing, and by the first bytes, which requires opening the file.
import { isUtf8 } from "node:buffer";

const TYPES: Record<string, string> = {
  "application/epub+zip": "epub",
  "application/gzip": "gz tgz",
  "application/java-archive": "jar",
  "application/json": "json jsonl ndjson map geojson ipynb",
  "application/msword": "doc",
  "application/mbox": "mbox",
  "application/pdf": "pdf",
  "application/pgp-encrypted": "pgp gpg asc",
  "application/postscript": "ps eps ai",
  "application/rtf": "rtf",
  "application/vnd.android.package-archive": "apk",
  "application/vnd.apple.installer+xml": "pkg mpkg",
  "application/vnd.debian.binary-package": "deb",
  "application/vnd.ms-excel": "xls",
  "application/vnd.ms-outlook": "msg pst ost",
  "application/vnd.ms-powerpoint": "ppt",
  "application/vnd.oasis.opendocument.presentation": "odp",
  "application/vnd.oasis.opendocument.spreadsheet": "ods",
  "application/vnd.oasis.opendocument.text": "odt",
  "application/vnd.openxmlformats-officedocument.presentationml.presentation": "pptx",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
  "application/vnd.rar": "rar",
  "application/vnd.sqlite3": "db sqlite sqlite3",
  "application/wasm": "wasm",
  "application/x-7z-compressed": "7z",
  "application/x-apple-diskimage": "dmg",
  "application/x-bittorrent": "torrent",
  "application/x-bzip2": "bz2",
  "application/x-executable": "exe dll so dylib elf",
  "application/x-iso9660-image": "iso img",
  "application/x-mobipocket-ebook": "mobi azw azw3",
  "application/x-object": "o a obj lib",
  "application/x-raw-disk-image": "qcow2 vmdk vdi vhd vhdx",
  "application/x-rpm": "rpm",
  "application/x-sh": "sh bash zsh fish",
  "application/x-tar": "tar",
  "application/x-xz": "xz",
  "application/xml": "xml xsd xsl plist",
  "application/yaml": "yaml yml",
  "application/zip": "zip",
  "application/zstd": "zst",
  "audio/aac": "aac",
  "audio/aiff": "aif aiff",
  "audio/flac": "flac",
  "audio/midi": "mid midi",
  "audio/mp4": "m4a m4b",
  "audio/mpeg": "mp3",
  "audio/ogg": "ogg oga opus",
  "audio/wav": "wav",
  "audio/x-ms-wma": "wma",
  "font/otf": "otf",
  "font/ttf": "ttf ttc",
  "font/woff": "woff",
  "font/woff2": "woff2",
  "image/avif": "avif",
  "image/bmp": "bmp",
  "image/gif": "gif",
  "image/heic": "heic heif",
  "image/jpeg": "jpg jpeg jpe jfif",
  "image/jxl": "jxl",
  "image/png": "png",
  "image/svg+xml": "svg",
  "image/tiff": "tif tiff",
  "image/vnd.adobe.photoshop": "psd",
  "image/webp": "webp",
  "image/x-icon": "ico",
  "image/x-raw": "raw arw cr2 cr3 dng nef orf raf rw2",
  "message/rfc822": "eml emlx",
  "text/calendar": "ics",
  "text/css": "css scss less",
  "text/csv": "csv",
  "text/html": "html htm xhtml",
  "text/javascript": "js mjs cjs jsx",
  "text/markdown": "md markdown",
  "text/plain": "txt text log conf ini cfg toml env",
  "text/tab-separated-values": "tsv",
  "text/typescript": "ts mts cts tsx",
  "text/vcard": "vcf",
  "text/x-c": "c h cc cpp cxx hpp hh",
  "text/x-go": "go",
  "text/x-java": "java kt scala",
  "text/x-python": "py pyi",
  "text/x-ruby": "rb",
  "text/x-rust": "rs",
  "text/x-sql": "sql",
  "text/x-tex": "tex bib",
  "video/mp4": "mp4 m4v",
  "video/mpeg": "mpg mpeg",
  "video/quicktime": "mov",
  "video/webm": "webm",
  "video/x-matroska": "mkv",
  "video/x-ms-wmv": "wmv",
  "video/x-msvideo": "avi",
};

export const UNKNOWN_TYPE = "application/octet-stream";

const BY_EXTENSION = new Map(
  Object.entries(TYPES).flatMap(([type, extensions]) => extensions.split(" ").map((one) => [one, type] as const)),
);

export const typeOfExtension = (extension: string): string => BY_EXTENSION.get(extension) ?? UNKNOWN_TYPE;

export function typeOfName(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? UNKNOWN_TYPE : typeOfExtension(name.slice(dot + 1).toLowerCase());
}

/** The first bytes of each format, as one character per byte. `?` matches any byte. */
const MAGIC: readonly (readonly [at: number, bytes: string, type: string])[] = [
  [0, "%PDF-", "application/pdf"],
  [0, "\x89PNG\r\n\x1a\n", "image/png"],
  [0, "\xff\xd8\xff", "image/jpeg"],
  [0, "GIF8", "image/gif"],
  [0, "RIFF????WEBP", "image/webp"],
  [0, "RIFF????WAVE", "audio/wav"],
  [0, "RIFF????AVI ", "video/x-msvideo"],
  [4, "ftypheic", "image/heic"],
  [4, "ftypavif", "image/avif"],
  [4, "ftypM4A", "audio/mp4"],
  [4, "ftypqt", "video/quicktime"],
  [4, "ftyp", "video/mp4"],
  [0, "II*\0", "image/tiff"],
  [0, "MM\0*", "image/tiff"],
  [0, "BM", "image/bmp"],
  [0, "8BPS", "image/vnd.adobe.photoshop"],
  [0, "\x1a\x45\xdf\xa3", "video/x-matroska"],
  [0, "OggS", "audio/ogg"],
  [0, "fLaC", "audio/flac"],
  [0, "ID3", "audio/mpeg"],
  [0, "PK\x03\x04", "application/zip"],
  [0, "\x1f\x8b", "application/gzip"],
  [0, "BZh", "application/x-bzip2"],
  [0, "\xfd7zXZ\0", "application/x-xz"],
  [0, "7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"],
  [0, "Rar!\x1a\x07", "application/vnd.rar"],
  [0, "\x28\xb5\x2f\xfd", "application/zstd"],
  [257, "ustar", "application/x-tar"],
  [0, "SQLite format 3\0", "application/vnd.sqlite3"],
  [0, "\x7fELF", "application/x-executable"],
  [0, "MZ", "application/x-executable"],
  [0, "\0asm", "application/wasm"],
  [0, "{\\rtf", "application/rtf"],
  [0, "%!PS", "application/postscript"],
  [0, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/msword"],
  [0, "From ", "application/mbox"],
  [0, "#!", "application/x-sh"],
  [0, "<?xml", "application/xml"],
];

export const MAGIC_BYTES = 512;

/**
 * Detects the type from the first bytes of a file. If they only reveal a family (a zip, text), the name can narrow it
 * down.
 */
export function typeOfBytes(head: Uint8Array, name: string): string {
  const named = typeOfName(name);
  const text = Buffer.from(head.buffer, head.byteOffset, head.length).toString("latin1");
  const found = MAGIC.find(([at, bytes]) =>
    [...bytes].every((character, index) => character === "?" || text[at + index] === character),
  )?.[2];
  if (found === undefined) {
    const isText = looksLikeText(head);
    if (isText === isTextType(named)) return named;
    return isText ? "text/plain" : UNKNOWN_TYPE;
  }
  return FAMILIES[found]?.test(named) ? named : found;
}

/** For each general format, the types that are built on it. */
const FAMILIES: Record<string, RegExp> = {
  "application/zip": /officedocument|opendocument|epub|java-archive|android/,
  "application/msword": /ms-excel|ms-powerpoint|ms-outlook/,
  "application/xml": /svg|html|plist|xml/,
  "video/x-matroska": /webm/,
  "application/x-sh": /^text\//,
};

export const isTextType = (type: string): boolean =>
  type.startsWith("text/") || /json|xml|yaml|x-sh$|rfc822|postscript|svg/.test(type);

function looksLikeText(head: Uint8Array): boolean {
  // The last character may be truncated.
  return (
    head.length > 0 && !head.some(isControl) && [0, 1, 2, 3].some((cut) => isUtf8(head.subarray(0, head.length - cut)))
  );
}

const isControl = (byte: number): boolean => byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d, 0x1b].includes(byte);
