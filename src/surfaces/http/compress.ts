// Compresses page text for callers that accept it, unless another site triggered the request (decision 0055).
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from "node:zlib";

/** Smaller text fits into one packet uncompressed. */
const SMALL_BYTES = 1000;

/** The fastest encodings come first. Higher levels hardly make pages smaller. */
const ENCODINGS: readonly (readonly [name: string, pack: (text: string) => Uint8Array<ArrayBuffer>])[] = [
  ["zstd", (text) => zstdCompressSync(text, { params: { [constants.ZSTD_c_compressionLevel]: 3 } })],
  ["br", (text) => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })],
  ["gzip", (text) => gzipSync(text, { level: 6 })],
];

export interface CompressedText {
  body: string | Uint8Array<ArrayBuffer>;
  headers: Record<string, string>;
}

/** For whole pages only. Events, MCP, downloads and `/v1` are sent uncompressed. */
export function packed(request: Request, text: string): CompressedText {
  const vary = { Vary: "Accept-Encoding" };
  const accepted = acceptedBy(request.headers.get("accept-encoding") ?? "");
  const [name, pack] = ENCODINGS.find(([encoding]) => accepted.has(encoding)) ?? [];
  if (pack === undefined || isForeign(request) || text.length < SMALL_BYTES) return { body: text, headers: vary };
  return { body: pack(text), headers: { ...vary, "Content-Encoding": name! } };
}

/** RFC 9110, section 12.5.3: a weight of 0 means "not acceptable". */
function acceptedBy(header: string): Set<string> {
  const parts = header
    .toLowerCase()
    .split(",")
    .map((part) => part.trim().split(/\s*;\s*/));
  return new Set(parts.filter((part) => !part.some((one) => /^q=0(?:\.0*)?$/.test(one))).map(([name]) => name!));
}

/**
 * The length of a compressed page reveals repetitions in it, so a page that another site requested is not compressed
 * (BREACH).
 */
const isForeign = (request: Request): boolean =>
  /^(?:cross-site|same-site)$/.test(request.headers.get("sec-fetch-site") ?? "");
