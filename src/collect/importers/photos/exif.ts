// Metadata that a camera or a person wrote into an image file: EXIF and IPTC, read by exifr.
import exifr from "exifr";
import type { JsonObject } from "../../../contract/json.ts";
import { present } from "../json-fields.ts";
import { localMillis } from "../local-time.ts";

const OPTIONS = {
  tiff: true,
  ifd0: {},
  exif: true,
  gps: true,
  iptc: true,
  xmp: false,
  icc: false,
  jfif: false,
  ihdr: false,
  interop: false,
  makerNote: false,
  userComment: false,
  mergeOutput: false,
  reviveValues: false,
  translateValues: false,
} as const;

type ExifBlock = Record<string, unknown>;

export interface ImageFacts {
  data: JsonObject;
  /** The time on the camera's clock, in milliseconds as if it were UTC. */
  local?: number;
  /** Minutes east of UTC, if the file states it. */
  offset?: number;
}

/** Throws if the metadata cannot be read. */
export async function imageFacts(bytes: Buffer): Promise<ImageFacts> {
  const found = ((await exifr.parse(bytes, OPTIONS)) ?? {}) as Record<string, ExifBlock | undefined>;
  const { ifd0 = {}, exif = {}, gps = {}, iptc = {} } = found;
  const [clock, offsetText] =
    exif.DateTimeOriginal !== undefined
      ? [exif.DateTimeOriginal, exif.OffsetTimeOriginal ?? exif.OffsetTime]
      : [exif.CreateDate, exif.OffsetTimeDigitized ?? exif.OffsetTime];
  const local = clockMillis(clock);
  const offset = local === undefined ? undefined : (offsetMinutes(offsetText) ?? offsetByGps(local, gps));
  const { latitude, longitude } = gps as { latitude?: unknown; longitude?: unknown };
  const isPlace = inRange(latitude, 90) && inRange(longitude, 180) && !(latitude === 0 && longitude === 0);
  const data = present({
    orientation: whole(ifd0.Orientation, 1, 8),
    width: whole(exif.ExifImageWidth ?? ifd0.ImageWidth, 1, 1e6),
    height: whole(exif.ExifImageHeight ?? ifd0.ImageHeight, 1, 1e6),
    ...(isPlace ? { latitude: latitude as number, longitude: longitude as number, altitude: altitudeOf(gps) } : {}),
    city: words(iptc.City),
    country: words(iptc.Country),
    camera: cameraOf(words(ifd0.Make), words(ifd0.Model)),
    lens: words(exif.LensModel),
    exposure_seconds: positive(exif.ExposureTime),
    f_number: positive(exif.FNumber),
    iso: whole(Array.isArray(exif.ISO) ? exif.ISO[0] : exif.ISO, 1, 1e8),
    focal_length_mm: positive(exif.FocalLength),
    caption: words(iptc.Caption) ?? words(ifd0.ImageDescription),
    author: words(iptc.Byline) ?? words(ifd0.Artist),
    keywords: keywordsOf(iptc.Keywords),
  });
  return { data, ...(local === undefined ? {} : { local }), ...(offset === undefined ? {} : { offset }) };
}

/** Returns the preview that the camera stored, or undefined if it is not a JPEG of a reasonable size. */
const PREVIEW_BYTES_MAX = 1024 * 1024;
export async function previewOf(bytes: Buffer): Promise<Uint8Array | undefined> {
  try {
    const preview = (await exifr.thumbnail(bytes)) as Uint8Array | undefined;
    const isJpeg = preview !== undefined && preview[0] === 0xff && preview[1] === 0xd8;
    return isJpeg && preview.byteLength <= PREVIEW_BYTES_MAX ? preview : undefined;
  } catch {
    return undefined;
  }
}

const CLOCK = /^(\d{4})[:-](\d\d)[:-](\d\d)[ T](\d\d):(\d\d):(\d\d)/;
function clockMillis(value: unknown): number | undefined {
  const [, ...digits] = (typeof value === "string" && CLOCK.exec(value)) || [];
  const [year = 0, month = 0, day = 0, hour, minute, second] = digits.map(Number);
  // A camera whose clock was never set writes 0000:00:00.
  return digits.length === 0 || year < 1800 ? undefined : localMillis(year, month, day, hour, minute, second);
}

const OFFSET = /^([+-])(\d\d):?(\d\d)$/;
function offsetMinutes(value: unknown): number | undefined {
  if (value === "Z") return 0;
  const [, sign, hours, minutes] = (typeof value === "string" && OFFSET.exec(value.trim())) || [];
  const total = Number(hours) * 60 + Number(minutes);
  return sign === undefined || total > 14 * 60 ? undefined : sign === "-" ? -total : total;
}

/**
 * GPS time is UTC, so its difference from the camera's clock is the offset, if it is close to a multiple of a quarter
 * of an hour.
 */
function offsetByGps(local: number, gps: ExifBlock): number | undefined {
  const [, year, month, day] =
    (typeof gps.GPSDateStamp === "string" && /^(\d{4}):(\d\d):(\d\d)$/.exec(gps.GPSDateStamp)) || [];
  const time = Array.isArray(gps.GPSTimeStamp) ? gps.GPSTimeStamp.map(Number) : [];
  const [hour = Number.NaN, minute = Number.NaN, second = Number.NaN] = time;
  const utc = localMillis(Number(year), Number(month), Number(day), hour, minute, Math.floor(second));
  if (utc === undefined || Number.isNaN(utc)) return undefined;
  const minutes = (local - utc) / 60_000;
  const quarter = Math.round(minutes / 15) * 15;
  return Math.abs(minutes - quarter) <= 2 && Math.abs(quarter) <= 14 * 60 ? quarter : undefined;
}

const inRange = (value: unknown, most: number): value is number =>
  typeof value === "number" && Number.isFinite(value) && Math.abs(value) <= most;

function altitudeOf(gps: ExifBlock): number | undefined {
  const { GPSAltitude: altitude, GPSAltitudeRef: reference } = gps;
  if (!inRange(altitude, 100_000)) return undefined;
  const isBelow = reference === 1 || (reference as { 0?: number } | undefined)?.[0] === 1;
  return isBelow ? -altitude : altitude;
}

const positive = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) && value > 0 ? value : undefined;

const whole = (value: unknown, least: number, most: number): number | undefined =>
  Number.isInteger(value) && (value as number) >= least && (value as number) <= most ? (value as number) : undefined;

const TEXT_CHARACTERS_MAX = 10_000;
function words(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = value.replace(/[\0-\x08\x0b-\x1f]/g, "").trim();
  return text === "" ? undefined : text.slice(0, TEXT_CHARACTERS_MAX).toWellFormed();
}

function keywordsOf(value: unknown): string[] | undefined {
  const all = [value].flat().flatMap((one) => words(one) ?? []);
  return all.length === 0 ? undefined : all.slice(0, 1000);
}

/** Many model names already include the maker. */
function cameraOf(make: string | undefined, model: string | undefined): string | undefined {
  if (make === undefined || model === undefined) return model ?? make;
  return model.toLowerCase().startsWith(make.toLowerCase()) ? model : `${make} ${model}`;
}
