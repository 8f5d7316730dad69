// The EXIF block that a phone writes into a picture: its clock, model and position.

export interface CameraFacts {
  /** The camera's clock, with its offset: 2025-05-16T11:02:09+01:00. */
  takenAt: string;
  latitude: number;
  longitude: number;
  caption: string;
}

const MODEL = "Fairphone 5";
const TAG = {
  description: 270,
  model: 272,
  exposure: 34665,
  position: 34853,
  taken: 36867,
  offset: 36881,
  latitudeSide: 1,
  latitude: 2,
  longitudeSide: 3,
  longitude: 4,
};
type Ratio = readonly [numerator: number, denominator: number];
type Value = string | number | readonly Ratio[];
type Tags = Readonly<Record<number, Value>>;

/** Builds a TIFF with three directories: the picture, the exposure and the position. */
export function exifBlock({ takenAt, latitude, longitude, caption }: CameraFacts): Uint8Array {
  const clock = takenAt.slice(0, 19).replace(/-/g, ":").replace("T", " ");
  const about = { [TAG.description]: caption, [TAG.model]: MODEL };
  const exposure = { [TAG.taken]: clock, [TAG.offset]: takenAt.slice(19).replace("Z", "+00:00") };
  const position = {
    [TAG.latitudeSide]: latitude < 0 ? "S" : "N",
    [TAG.latitude]: degrees(latitude),
    [TAG.longitudeSide]: longitude < 0 ? "W" : "E",
    [TAG.longitude]: degrees(longitude),
  };
  const first = (exposureAt: number, positionAt: number) =>
    directory({ ...about, [TAG.exposure]: exposureAt, [TAG.position]: positionAt }, START);
  const exposureAt = START + first(0, 0).length;
  const middle = directory(exposure, exposureAt);
  const positionAt = exposureAt + middle.length;
  return Buffer.concat([
    Buffer.from("II*\0\x08\0\0\0", "latin1"),
    first(exposureAt, positionAt),
    middle,
    directory(position, positionAt),
  ]);
}

const START = 8;

/** Degrees, minutes and hundredths of a second. */
function degrees(value: number): readonly Ratio[] {
  const seconds = Math.round(Math.abs(value) * 360_000);
  return [
    [Math.floor(seconds / 360_000), 1],
    [Math.floor(seconds / 6000) % 60, 1],
    [seconds % 6000, 100],
  ];
}

/** Writes entries of 12 bytes in tag order, then the values that did not fit into them. */
function directory(tags: Tags, start: number): Buffer {
  const entries = Object.entries(tags).map(([tag, value]) => [Number(tag), value] as const);
  const head = Buffer.alloc(2 + entries.length * 12 + 4);
  head.writeUInt16LE(entries.length, 0);
  const rest: Buffer[] = [];
  let free = start + head.length;
  for (const [index, [tag, value]] of entries.entries()) {
    const { type, count, bytes } = encoded(value);
    const at = 2 + index * 12;
    head.writeUInt16LE(tag, at);
    head.writeUInt16LE(type, at + 2);
    head.writeUInt32LE(count, at + 4);
    if (bytes.length <= 4) bytes.copy(head, at + 8);
    else {
      head.writeUInt32LE(free, at + 8);
      rest.push(bytes);
      free += bytes.length;
    }
  }
  return Buffer.concat([head, ...rest]);
}

function encoded(value: Value): { type: number; count: number; bytes: Buffer } {
  if (typeof value === "string") {
    const bytes = Buffer.from(`${value}\0`);
    return { type: 2, count: bytes.length, bytes };
  }
  const numbers = typeof value === "number" ? [value] : value.flat();
  const bytes = Buffer.alloc(numbers.length * 4);
  for (const [index, number] of numbers.entries()) bytes.writeUInt32LE(number, index * 4);
  return typeof value === "number" ? { type: 4, count: 1, bytes } : { type: 5, count: value.length, bytes };
}
