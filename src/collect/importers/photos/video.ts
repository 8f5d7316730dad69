// Reads the metadata of a video from the boxes of MP4, QuickTime and 3GP, while the file is streamed.
import type { JsonObject } from "../../../contract/json.ts";
import { boxesIn, boxIn } from "../../media-boxes.ts";
import { present } from "../json-fields.ts";
import { localMillis } from "../local-time.ts";
import { numberOf, positionOf, rounded } from "../track.ts";
import type { ImageFacts } from "./exif.ts";
import { posterOf } from "./poster.ts";

export type VideoType = "video/mp4" | "video/quicktime" | "video/3gpp";

const OLD_BOXES = new Set(["moov", "mdat", "wide", "free", "skip", "pnot"]);

/** Recognised by its brand, which early QuickTime files lack. Audio alone is not a video. */
export function videoType(head: Uint8Array, path: string): VideoType | undefined {
  const ascii = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString("latin1", 4, 12);
  const box = ascii.slice(0, 4);
  if (box !== "ftyp") return OLD_BOXES.has(box) && /\.(?:mov|qt)$/i.test(path) ? "video/quicktime" : undefined;
  const brand = ascii.slice(4);
  if (brand === "qt  ") return "video/quicktime";
  if (/^3g[p2]/.test(brand)) return "video/3gpp";
  return /^(?:iso[m2-9]|mp4[12v]|avc1|M4V[ HP]|MSNV|dash|f4v |mmp4|XAVC)$/.test(brand) ? "video/mp4" : undefined;
}

export interface VideoFacts extends ImageFacts {
  /** The time of the device's clock in UTC, used if there is nothing better. */
  instant?: string;
}

/** The limit for the metadata box. The metadata of a day of video takes a few megabytes. */
const FACTS_BYTES_MAX = 32 * 1024 * 1024;
const HEADER_BYTES = 16;

/** Reads the file in chunks and keeps the metadata box, wherever it is. */
export function videoReader() {
  let header = Buffer.alloc(0);
  let left = 0;
  let kept: Buffer[] | undefined;
  let facts: Buffer | undefined;

  function begin(): void {
    const short = header.readUInt32BE(0);
    const isLong = short === 1;
    const size = isLong ? Number(header.readBigUInt64BE(8)) : short;
    const length = isLong ? HEADER_BYTES : 8;
    // 0 means up to the end of the file.
    left = size === 0 ? Number.POSITIVE_INFINITY : Math.max(0, size - length);
    const isWanted = header.toString("latin1", 4, 8) === "moov" && left <= FACTS_BYTES_MAX && facts === undefined;
    kept = isWanted ? [] : undefined;
    header = header.subarray(length);
  }

  function end(): void {
    if (kept !== undefined) facts = Buffer.concat(kept);
    kept = undefined;
  }

  return {
    take(piece: Uint8Array): void {
      let rest = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
      while (rest.length > 0 || (left === 0 && header.length >= HEADER_BYTES)) {
        if (left === 0) {
          end();
          const missing = Math.max(0, HEADER_BYTES - header.length);
          header = Buffer.concat([header, rest.subarray(0, missing)]);
          rest = rest.subarray(missing);
          if (header.length < HEADER_BYTES) return;
          begin();
          // With a short header, bytes of the next box were read too.
          rest = Buffer.concat([header, rest]);
          header = Buffer.alloc(0);
        }
        const own = rest.subarray(0, Math.min(left, rest.length));
        kept?.push(Buffer.from(own));
        left -= own.length;
        rest = rest.subarray(own.length);
      }
    },
    /** The result, available after the whole file has been read. */
    facts(): VideoFacts {
      end();
      return facts === undefined ? { data: {} } : movieFacts(facts);
    },
    /** Returns a still picture as a file. `start` is the first bytes of the video. */
    poster(start: Buffer): Buffer | undefined {
      end();
      return facts === undefined ? undefined : posterOf(facts, start);
    },
  };
}

function movieFacts(moov: Buffer): VideoFacts {
  const head = boxIn(moov, "mvhd");
  const user = boxIn(moov, "udta") ?? Buffer.alloc(0);
  const noted = appleNotes(boxIn(moov, "meta") ?? Buffer.alloc(0));
  const { local, offset } = clockOf(noted.get("com.apple.quicktime.creationdate"));
  const instant = head === undefined ? undefined : creationTime(head);
  const camera = [noted.get("com.apple.quicktime.make"), noted.get("com.apple.quicktime.model")].filter(Boolean);
  const data = present({
    ...frameSize(moov),
    duration_seconds: head === undefined ? undefined : duration(head),
    ...(placeIn(noted.get("com.apple.quicktime.location.ISO6709") ?? userText(user, "\xa9xyz")) ?? location(user)),
    camera: camera.length === 0 ? undefined : camera.join(" "),
    caption: noted.get("com.apple.quicktime.description") ?? userText(user, "\xa9des"),
  }) as JsonObject;
  return {
    data,
    ...(local === undefined ? {} : { local }),
    ...(offset === undefined ? {} : { offset }),
    ...(instant === undefined ? {} : { instant }),
  };
}

const SECONDS_TO_1970 = 2_082_844_800;

/** Seconds since 1904, although some devices count from 1970. Zero means that the clock was never set. */
function creationTime(mvhd: Buffer): string | undefined {
  const isLong = mvhd[0] === 1;
  if (mvhd.length < (isLong ? 12 : 8)) return undefined;
  const seconds = isLong ? Number(mvhd.readBigUInt64BE(4)) : mvhd.readUInt32BE(4);
  const unix = seconds >= SECONDS_TO_1970 ? seconds - SECONDS_TO_1970 : seconds;
  const isSensible = unix >= 631_152_000 && unix < 4_102_444_800;
  return isSensible ? new Date(unix * 1000).toISOString() : undefined;
}

function duration(mvhd: Buffer): number | undefined {
  const isLong = mvhd[0] === 1;
  if (mvhd.length < (isLong ? 32 : 20)) return undefined;
  const scale = mvhd.readUInt32BE(isLong ? 20 : 12);
  const length = isLong ? Number(mvhd.readBigUInt64BE(24)) : mvhd.readUInt32BE(16);
  const seconds = length / scale;
  return scale > 0 && seconds > 0 && seconds < 1e7 ? rounded(seconds, 2) : undefined;
}

/** Returns the size of the largest track. Audio tracks have no size. */
function frameSize(moov: Buffer): { width: number; height: number } | undefined {
  let best: { width: number; height: number } | undefined;
  for (const { type, body } of boxesIn(moov)) {
    const head = type === "trak" ? boxIn(body, "tkhd") : undefined;
    if (head === undefined || head.length < 84) continue;
    // Fixed-point numbers at the end of the box.
    const size = { width: head.readUInt16BE(head.length - 8), height: head.readUInt16BE(head.length - 4) };
    if (size.width > 0 && size.height > 0 && size.width * size.height > (best?.width ?? 0) * (best?.height ?? 0))
      best = size;
  }
  return best;
}

/** Two length bytes, two language bytes, then the text. */
function userText(user: Buffer, type: string): string | undefined {
  const body = boxIn(user, type);
  if (body === undefined || body.length < 4) return undefined;
  return words(body.toString("utf8", 4, 4 + body.readUInt16BE(0)));
}

/** `+27.5916+086.5640+8850/` */
const ISO6709 = /^([+-]\d{1,2}(?:\.\d{1,12})?)([+-]\d{1,3}(?:\.\d{1,12})?)([+-]\d{1,5}(?:\.\d{1,12})?)?/;
function placeIn(text: string | undefined): Record<string, number | undefined> | undefined {
  const [, latitude, longitude, altitude] = (text !== undefined && ISO6709.exec(text)) || [];
  const position = positionOf(numberOf(latitude), numberOf(longitude));
  return position && { ...position, altitude: numberOf(altitude) };
}

/** 3GP: name, role, then longitude and latitude as fixed-point numbers. */
function location(user: Buffer): Record<string, number> | undefined {
  const body = boxIn(user, "loci");
  const name = body === undefined ? -1 : body.indexOf(0, 6);
  if (body === undefined || name === -1 || name + 10 > body.length) return undefined;
  return positionOf(body.readInt32BE(name + 6) / 65_536, body.readInt32BE(name + 2) / 65_536);
}

const KEYS_MAX = 1000;

/**
 * One box contains the keys, and another the values by key number. MP4's `meta` starts with a version, but QuickTime's
 * does not.
 */
function appleNotes(meta: Buffer): Map<string, string> {
  const notes = new Map<string, string>();
  const body = boxIn(meta, "keys") === undefined ? meta.subarray(4) : meta;
  const [keys, list] = [boxIn(body, "keys"), boxIn(body, "ilst")];
  if (keys === undefined || list === undefined || keys.length < 8) return notes;
  const names: string[] = [];
  for (const box of boxesIn(keys.subarray(8))) {
    if (names.length >= KEYS_MAX) break;
    names.push(box.body.toString("utf8"));
  }
  for (const { type, body: item } of boxesIn(list)) {
    const name = names[Buffer.from(type, "latin1").readUInt32BE(0) - 1];
    const data = boxIn(item, "data");
    const isText = data !== undefined && data.length >= 8 && data.readUInt32BE(0) === 1;
    const text = isText ? words(data.toString("utf8", 8)) : undefined;
    if (name !== undefined && text !== undefined) notes.set(name, text);
  }
  return notes;
}

const TEXT_MAX = 10_000;
function words(text: string): string | undefined {
  const plain = text.replace(/[\0-\x08\x0b-\x1f]/g, "").trim();
  return plain === "" ? undefined : plain.slice(0, TEXT_MAX).toWellFormed();
}

/** `2019-07-24T16:25:57+0800` */
const CLOCK = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d+)?(Z|([+-])(\d\d):?(\d\d))$/;
function clockOf(text: string | undefined): { local?: number; offset?: number } {
  const [, year, month, day, hour, minute, second, zone, sign, hours, minutes] = (text && CLOCK.exec(text)) || [];
  if (year === undefined) return {};
  const [digits] = [[year, month, day, hour, minute, second].map(Number)];
  const local = localMillis(digits[0]!, digits[1]!, digits[2]!, digits[3], digits[4], digits[5]);
  if (local === undefined) return {};
  const ahead = zone === "Z" ? 0 : Number(hours) * 60 + Number(minutes);
  return ahead > 14 * 60 ? { local } : { local, offset: sign === "-" ? -ahead : ahead };
}
