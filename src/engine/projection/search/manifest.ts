// The manifest: the index's segments, the version it covers, and the shapes it was built with.
import { crc32 } from "node:zlib";
import { SEARCH } from "../../../core/search/limits.ts";

export interface SearchManifest {
  through: number;
  /** The signature of the shape that each stream was indexed with. */
  shapes: [number, string][];
  segments: { name: string; dead?: string; documents: number; live: number; bytes: number }[];
}

/** A change of tokeniser, Unicode version or file format requires a new index. */
const FORMAT = `3 unicode ${process.versions.unicode} icu ${process.versions.icu} term ${SEARCH.termBytes} parts ${SEARCH.parts}`;

export function writeManifest(manifest: SearchManifest): Uint8Array {
  const body = JSON.stringify({ format: FORMAT, ...manifest });
  return new TextEncoder().encode(`${crc32(body)}\n${body}`);
}

/** Returns undefined if the manifest is damaged or has another format. The index is then rebuilt. */
export function readManifest(bytes: Uint8Array): SearchManifest | undefined {
  const text = new TextDecoder().decode(bytes);
  const line = text.indexOf("\n");
  const body = text.slice(line + 1);
  if (line < 1 || text.slice(0, line) !== String(crc32(body))) return undefined;
  const { format, ...manifest } = JSON.parse(body) as SearchManifest & { format: string };
  return format === FORMAT ? manifest : undefined;
}
