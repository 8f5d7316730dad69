// Forms with files (RFC 7578). Parts are read one after another as they arrive, so that even a large file needs little
// memory.
import { PdppError } from "../../contract/errors.ts";

export interface FormPart {
  name: string;
  /** Set for a file; empty if none was chosen. */
  filename?: string;
  /** Must be read to the end before the next part, or not at all. */
  bytes: AsyncIterable<Buffer>;
}

const HEADERS_MAX = 16 * 1024;
const TYPE = /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i;

export const isMultipart = (request: Request): boolean => TYPE.test(request.headers.get("content-type") ?? "");

export async function* multipart(request: Request, body: AsyncIterable<Uint8Array>): AsyncGenerator<FormPart> {
  const [, quoted, plain] = TYPE.exec(request.headers.get("content-type") ?? "") ?? [];
  const line = Buffer.from(`\r\n--${quoted ?? plain}`);
  const pieces = piecesOf(body);
  // The first boundary has no line break before it.
  await drain(pieces.until(line));
  for (;;) {
    const after = await whole(pieces.until(Buffer.from("\n")), HEADERS_MAX);
    if (after.startsWith("--")) return;
    if (after.trim() !== "") throw malformed("unexpected data follows a boundary");
    const headers = await headersOf(pieces);
    const disposition = headers.find((header) => /^content-disposition\s*:/i.test(header)) ?? "";
    const bytes = pieces.until(line);
    yield { name: parameter(disposition, "name") ?? "", ...filenameIn(disposition), bytes };
    await drain(bytes);
  }
}

/** Returns the text of a part that is not a file. */
export const partText = ({ bytes }: FormPart, limit: number): Promise<string> => whole(bytes, limit);

async function headersOf(pieces: Pieces): Promise<string[]> {
  const headers: string[] = [];
  for (let size = 0; ; ) {
    const header = await whole(pieces.until(Buffer.from("\r\n")), HEADERS_MAX);
    if (header === "") return headers;
    size += header.length;
    if (size > HEADERS_MAX) throw malformed("the headers of a part are too long");
    headers.push(header);
  }
}

function filenameIn(disposition: string): { filename?: string } {
  const filename = parameter(disposition, "filename");
  return filename === undefined ? {} : { filename };
}

/**
 * Decodes a value as the HTML standard defines it: only the three characters that would end the value are
 * percent-encoded.
 */
function parameter(disposition: string, name: string): string | undefined {
  const [, value] = new RegExp(`;\\s*${name}="([^"]*)"`, "i").exec(disposition) ?? [];
  return value?.replace(/%(22|0D|0A)/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

interface Pieces {
  /** Yields the bytes before the mark; the mark itself is skipped. */
  until(mark: Buffer): AsyncGenerator<Buffer>;
}

function piecesOf(body: AsyncIterable<Uint8Array>): Pieces {
  const source = body[Symbol.asyncIterator]();
  let held: Buffer = Buffer.from("\r\n");
  return {
    async *until(mark) {
      for (;;) {
        const at = held.indexOf(mark);
        if (at !== -1) {
          const piece = held.subarray(0, at);
          held = held.subarray(at + mark.length);
          if (piece.length > 0) yield piece;
          return;
        }
        // The mark may begin in the last bytes.
        const safe = held.length - mark.length + 1;
        if (safe > 0) {
          const piece = held.subarray(0, safe);
          held = held.subarray(safe);
          yield piece;
        }
        const { done, value } = await source.next();
        if (done) throw malformed("it ends too early");
        held = Buffer.concat([held, value]);
      }
    },
  };
}

async function whole(bytes: AsyncIterable<Buffer>, limit: number): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of bytes) {
    size += part.length;
    if (size > limit) throw malformed("a field is too long");
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

async function drain(bytes: AsyncIterable<Buffer>): Promise<void> {
  for await (const _part of bytes) {
    // Discard the bytes.
  }
}

const malformed = (what: string): PdppError =>
  new PdppError("invalid_request", `the form cannot be read: ${what}`, {
    next_step: "Open the page again and send the form from there.",
  });
