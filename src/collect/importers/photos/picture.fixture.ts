// Small pictures with the EXIF that a test needs, written byte by byte.

type Value = string | number | readonly (readonly [numerator: number, denominator: number])[];
type Tags = Record<number, Value | undefined>;

interface Picture {
  main?: Tags;
  exif?: Tags;
  gps?: Tags;
  thumbnail?: Buffer;
  width?: number;
  height?: number;
}

/** Writes one TIFF directory: 12-byte entries, followed by the values that did not fit into them. */
function directory(tags: Tags, start: number, next: number): Buffer {
  const names = Object.keys(tags)
    .map(Number)
    .sort((one, other) => one - other);
  const head = Buffer.alloc(2 + names.length * 12 + 4);
  head.writeUInt16LE(names.length, 0);
  const rest: Buffer[] = [];
  let free = start + head.length;
  names.forEach((name, index) => {
    const value = tags[name]!;
    const at = 2 + index * 12;
    const isText = typeof value === "string";
    const isNumber = typeof value === "number";
    const bytes = isText ? Buffer.from(`${value}\0`) : isNumber ? Buffer.alloc(4) : Buffer.alloc(value.length * 8);
    if (isNumber) bytes.writeUInt32LE(value);
    else if (!isText) value.flat().forEach((part, place) => void bytes.writeUInt32LE(part, place * 4));
    head.writeUInt16LE(name, at);
    head.writeUInt16LE(isText ? 2 : isNumber ? 4 : 5, at + 2);
    head.writeUInt32LE(isText ? bytes.length : isNumber ? 1 : value.length, at + 4);
    if (bytes.length <= 4) bytes.copy(head, at + 8);
    else {
      head.writeUInt32LE(free, at + 8);
      rest.push(bytes);
      free += bytes.length;
    }
  });
  head.writeUInt32LE(next, head.length - 4);
  return Buffer.concat([head, ...rest]);
}

const segment = (marker: number, body: Buffer): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
};

export function jpeg({ main = {}, exif, gps, thumbnail, width = 8, height = 6 }: Picture = {}): Buffer {
  const links: Tags = { ...main, ...(exif ? { 34665: 0 } : {}), ...(gps ? { 34853: 0 } : {}) };
  const parts: Buffer[] = [];
  let place = 8 + directory(links, 8, 0).length;
  const add = (tags: Tags | undefined): number => {
    if (tags === undefined) return 0;
    const at = place;
    parts.push(directory(tags, at, 0));
    place += parts.at(-1)!.length;
    return at;
  };
  const exifAt = add(exif);
  const gpsAt = add(gps);
  let thumbnailAt = 0;
  if (thumbnail !== undefined) {
    const size = directory({ 259: 6, 513: 0, 514: 0 }, place, 0).length;
    thumbnailAt = add({ 259: 6, 513: place + size, 514: thumbnail.length });
    parts.push(thumbnail);
  }
  const first = directory(
    { ...links, ...(exif ? { 34665: exifAt } : {}), ...(gps ? { 34853: gpsAt } : {}) },
    8,
    thumbnailAt,
  );
  const tiff = Buffer.concat([Buffer.from("II*\0\x08\0\0\0", "latin1"), first, ...parts]);
  const frame = Buffer.from([8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  frame.writeUInt16BE(height, 1);
  frame.writeUInt16BE(width, 3);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe1, Buffer.concat([Buffer.from("Exif\0\0", "latin1"), tiff])),
    segment(0xc0, frame),
    Buffer.from([0xff, 0xd9]),
  ]);
}
