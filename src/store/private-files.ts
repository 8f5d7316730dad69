// Recognises files of a home by their content, so that a copy is never served, wherever it is and whatever its name
// (G-07).

/** An open file that can be read synchronously or asynchronously. */
export interface ReadableHandle {
  read(
    buffer: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): { bytesRead: number } | Promise<{ bytesRead: number }>;
}

/** "PSTR", which is in the header of all our databases. */
export const APPLICATION_ID = 0x50535452;
/** Precedes the bytes of a home's key. */
export const KEY_HEADER = Buffer.from("postern-home-key\n");

/** The first bytes of a backup's packs, manifests and archives. */
const BACKUP_HEADERS = ["postern-pack\n", "postern-snapshot\n", "postern-home\0"];

const HEAD_BYTES = 100;
const SQLITE = Buffer.from("SQLite format 3\0");
const APPLICATION_ID_AT = 68;

/**
 * A write-ahead log does not identify its application. Ours have 8 KB pages, which are rare elsewhere, and a log alone
 * is of no use.
 */
const LOGS = [0x377f0682, 0x377f0683];
const LOG_PAGE_BYTES = 8192;

/** Databases of older versions are not marked, but their table definitions are at the beginning of the file. */
const SCHEMA_BYTES = 256 * 1024;
const TABLES =
  /CREATE TABLE (access_grant \(|entry \(n INTEGER PRIMARY KEY, at INTEGER NOT NULL, grant_id|manifest \(kind TEXT NOT NULL, stream_no)/;

/** The format that `pdpp connect` writes. */
const CREDENTIALS = /^\{\s*"version": 1,\s*"servers": \{/;

export async function isPrivateFile(handle: ReadableHandle): Promise<boolean> {
  const head = await beginning(handle, HEAD_BYTES);
  if (head.subarray(0, KEY_HEADER.length).equals(KEY_HEADER) || CREDENTIALS.test(head.toString("latin1"))) return true;
  if (BACKUP_HEADERS.some((header) => head.toString("latin1", 0, header.length) === header)) return true;
  if (head.length < HEAD_BYTES) return false;
  if (LOGS.includes(head.readUInt32BE(0))) return head.readUInt32BE(8) === LOG_PAGE_BYTES;
  if (!head.subarray(0, SQLITE.length).equals(SQLITE)) return false;
  if (head.readUInt32BE(APPLICATION_ID_AT) === APPLICATION_ID) return true;
  return TABLES.test((await beginning(handle, SCHEMA_BYTES)).toString("latin1"));
}

async function beginning(handle: ReadableHandle, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await handle.read(buffer, 0, length, 0);
  return buffer.subarray(0, bytesRead);
}
