// Reads values from a JSON file of any size: those at wanted paths are parsed one at a time, and the rest is skipped.
import type { JsonValue } from "../../contract/json.ts";
import { JSON_DEPTH_MAX } from "../../contract/limits.ts";
import type { Entry } from "../entry.ts";

/** Keys and indexes from the root: `["chats", "list", 3, "name"]`. */
export type JsonPath = readonly (string | number)[];

export type JsonItem = { path: JsonPath; offset: number } & ({ value: JsonValue } | { problem: string });

interface JsonItemsOptions {
  /** Set if other text precedes the JSON: `window.YTD.tweets.part0 = [`. */
  behindPrefix?: boolean;
  itemBytesMax?: number;
  /** Replaces JSON.parse, for callers that must keep numbers exact. */
  parse?: (text: string) => JsonValue;
}

/** One item is held entirely in memory. No item that people wrote comes close to this size. */
const ITEM_BYTES_MAX = 16 * 1024 * 1024;
/** The maximum nesting above the items. Real exports have five levels. */
const FRAMES_MAX = 100;
const KEY_BYTES_MAX = 4096;

const [QUOTE, BACKSLASH, COMMA, COLON, OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = [34, 92, 44, 58, 123, 125, 91, 93];
const isSpace = (byte: number): boolean => byte === 32 || byte === 10 || byte === 13 || byte === 9;
const isScalarEnd = (byte: number): boolean => isSpace(byte) || byte === COMMA || byte === CLOSE || byte === CLOSE_LIST;

interface JsonFrame {
  isList: boolean;
  expects: "key" | "colon" | "value" | "comma";
}

/** A value that is being read or skipped: a string, a scalar, or a container that is needed in full. */
interface OpenValue {
  use: "key" | "item" | "nothing";
  kind: "string" | "scalar" | "container";
  offset: number;
  depth: number;
  inString: boolean;
  escaped: boolean;
  parts: Buffer[];
  bytes: number;
  problem?: string;
}

/** Throws if the file is not JSON or is truncated. A broken item is reported as one problem. */
export async function* jsonItems(
  entry: Entry,
  wanted: (path: JsonPath) => boolean,
  options?: JsonItemsOptions,
): AsyncGenerator<JsonItem> {
  for await (const items of jsonItemRuns(entry, wanted, options)) for (const item of items) yield item;
}

/**
 * Like `jsonItems`, but awaits chunks of the file instead of each item. Each run must be read to its end before the
 * next.
 */
export async function* jsonItemRuns(
  entry: Entry,
  wanted: (path: JsonPath) => boolean,
  { behindPrefix = false, itemBytesMax = ITEM_BYTES_MAX, parse = JSON.parse }: JsonItemsOptions = {},
): AsyncGenerator<Iterable<JsonItem>> {
  const frames: JsonFrame[] = [];
  const path: (string | number)[] = [];
  let open: OpenValue | undefined;
  let begun = false;
  let ended = false;
  let base = 0;

  const broken = (offset: number): Error => new Error(`it contains invalid JSON at byte ${offset}`);

  const begin = (kind: OpenValue["kind"], use: OpenValue["use"], offset: number): OpenValue => ({
    use,
    kind,
    offset,
    depth: 0,
    inString: false,
    escaped: false,
    parts: [],
    bytes: 0,
  });

  function startValue(byte: number, offset: number): void {
    const isContainer = byte === OPEN || byte === OPEN_LIST;
    if (wanted(path)) {
      open = begin(isContainer ? "container" : byte === QUOTE ? "string" : "scalar", "item", offset);
    } else if (!isContainer) {
      open = begin(byte === QUOTE ? "string" : "scalar", "nothing", offset);
    } else {
      if (frames.length >= FRAMES_MAX)
        throw new Error(`it is nested more than ${FRAMES_MAX} levels deep at byte ${offset}`);
      frames.push({ isList: byte === OPEN_LIST, expects: byte === OPEN_LIST ? "value" : "key" });
      path.push(byte === OPEN_LIST ? 0 : "");
    }
  }

  function endValue(): void {
    const frame = frames.at(-1);
    if (frame === undefined) ended = true;
    else frame.expects = "comma";
  }

  /** Handles one byte between values. */
  function structure(byte: number, offset: number): void {
    if (isSpace(byte)) return;
    const frame = frames.at(-1);
    if (frame === undefined) {
      startValue(byte, offset);
      return;
    }
    if (byte === (frame.isList ? CLOSE_LIST : CLOSE) && frame.expects !== "colon") {
      frames.pop();
      path.pop();
      endValue();
    } else if (frame.expects === "key" && byte === QUOTE) open = begin("string", "key", offset);
    else if (frame.expects === "colon" && byte === COLON) frame.expects = "value";
    else if (frame.expects === "comma" && byte === COMMA) {
      frame.expects = frame.isList ? "value" : "key";
      if (frame.isList) path[path.length - 1] = (path.at(-1) as number) + 1;
    } else if (frame.expects === "value" && byte !== CLOSE && byte !== CLOSE_LIST && byte !== COMMA && byte !== COLON) {
      startValue(byte, offset);
    } else throw broken(offset);
  }

  /**
   * Keeps a part of a value. It is copied if the value continues in the next chunk, because the buffer may be reused.
   */
  function keep(value: OpenValue, part: Buffer, isLast: boolean): void {
    if (value.use === "nothing") return;
    value.bytes += part.length;
    const max = value.use === "key" ? KEY_BYTES_MAX : itemBytesMax;
    if (value.bytes > max) value.problem ??= `larger than ${max} bytes`;
    if (value.problem === undefined) value.parts.push(isLast ? part : Buffer.from(part));
    else value.parts = [];
  }

  /** Returns the item of a closed value, or undefined if there is nothing to report. */
  function close(value: OpenValue): JsonItem | undefined {
    open = undefined;
    if (value.use === "key") {
      path[path.length - 1] = value.problem === undefined ? keyOf(textOf(value)) : "";
      frames.at(-1)!.expects = "colon";
      return undefined;
    }
    const place = { path: [...path], offset: value.offset };
    endValue();
    if (value.use === "nothing") return undefined;
    if (value.problem !== undefined) return { ...place, problem: value.problem };
    try {
      return { ...place, value: parse(textOf(value)) as JsonValue };
    } catch {
      return { ...place, problem: "it is not JSON" };
    }
  }

  function* itemsIn(piece: Buffer): Generator<JsonItem> {
    for (let index = 0; index < piece.length && !ended; ) {
      const byte = piece[index]!;
      if (!begun) {
        const isOpening = byte === OPEN || byte === OPEN_LIST;
        const isMark = base + index < 3 && byte >= 0xbb;
        if (!isOpening && (behindPrefix || isMark || isSpace(byte))) {
          index++;
          continue;
        }
        if (!isOpening) throw broken(base + index);
        begun = true;
      }
      if (open === undefined) {
        structure(byte, base + index);
        if (open === undefined) {
          index++;
          continue;
        }
      }
      const current: OpenValue = open;
      const end = endOf(current, piece, index);
      keep(current, piece.subarray(index, end === -1 ? piece.length : end), end !== -1);
      index = end === -1 ? piece.length : end;
      if (end === -1) continue;
      const item = close(current);
      if (item !== undefined) yield item;
    }
  }

  for await (const chunk of entry.open()) {
    const piece = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    yield itemsIn(piece);
    if (ended) return;
    base += piece.length;
  }
  throw new Error(begun ? `it is truncated at byte ${base}` : "it contains no JSON");
}

/** Returns the index after the end of the open value in this chunk, or -1. These loops see every byte of a file. */
function endOf(value: OpenValue, piece: Buffer, from: number): number {
  const { length } = piece;
  let index = from;
  if (value.kind === "scalar") {
    for (; index < length; index++) if (isScalarEnd(piece[index]!)) return index;
    return -1;
  }
  if (value.inString) {
    index = endOfString(value, piece, index);
    if (index === -1 || value.kind === "string") return index;
  }
  for (; index < length; index++) {
    const byte = piece[index]!;
    if (byte === QUOTE) {
      const end = endOfString(value, piece, index + 1);
      if (end === -1 || value.kind === "string") return end;
      index = end - 1;
    } else if (byte === OPEN || byte === OPEN_LIST) {
      if (++value.depth > JSON_DEPTH_MAX) value.problem ??= `nested more than ${JSON_DEPTH_MAX} levels deep`;
    } else if ((byte === CLOSE || byte === CLOSE_LIST) && --value.depth === 0) return index + 1;
  }
  return -1;
}

/** Returns the index after the closing quote of a string that has already begun, or -1. */
function endOfString(value: OpenValue, piece: Buffer, from: number): number {
  const { length } = piece;
  let index = value.escaped ? from + 1 : from;
  value.escaped = false;
  value.inString = false;
  for (; index < length; index++) {
    const byte = piece[index]!;
    if (byte === QUOTE) return index + 1;
    if (byte === BACKSLASH) index++;
  }
  value.inString = true;
  // The character after a backslash is the first of the next chunk.
  value.escaped = index > length;
  return -1;
}

const textOf = ({ parts }: OpenValue): string => (parts.length === 1 ? parts[0]! : Buffer.concat(parts)).toString();

function keyOf(text: string): string {
  try {
    return JSON.parse(text) as string;
  } catch {
    return text.slice(1, -1);
  }
}
