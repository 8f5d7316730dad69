// Reads the boxes in MP4, QuickTime and HEIF files: each has a size, a four-letter type, and a body that may contain
// boxes.

export interface MediaBox {
  type: string;
  body: Buffer;
}

const BOXES_MAX = 10_000;

export function* boxesIn(bytes: Buffer): Generator<MediaBox> {
  let count = 0;
  for (let at = 0; at + 8 <= bytes.length && count < BOXES_MAX; count++) {
    const size = bytes.readUInt32BE(at);
    if (size < 8) return;
    yield { type: bytes.toString("latin1", at + 4, at + 8), body: bytes.subarray(at + 8, at + size) };
    at += size;
  }
}

/** Follows the path through the first box of each type, and returns the body of the last. */
export function boxIn(bytes: Buffer, ...path: string[]): Buffer | undefined {
  let body: Buffer | undefined = bytes;
  for (const type of path) {
    body = body === undefined ? undefined : bodyOf(body, type);
  }
  return body;
}

function bodyOf(bytes: Buffer, type: string): Buffer | undefined {
  for (const box of boxesIn(bytes)) if (box.type === type) return box.body;
  return undefined;
}

export function boxOf(type: string, ...parts: Uint8Array[]): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(parts.reduce((sum, { byteLength }) => sum + byteLength, 8));
  head.write(type, 4, "latin1");
  return Buffer.concat([head, ...parts]);
}
