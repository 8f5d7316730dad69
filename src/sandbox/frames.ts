// Messages between a sandboxed process and its parent: a header with two lengths, JSON, then raw bytes.

/**
 * JSON rather than V8's serializer, because the parent reads messages from a process that a hostile file may control.
 */
export interface Frame {
  message: unknown;
  bytes: Uint8Array<ArrayBuffer>;
  /** The size of the whole frame in memory. */
  size: number;
}

const HEAD_BYTES = 8;
/** A plan lists every file of a large folder, and a single record can be as large as the heap it was parsed in. */
const PART_BYTES_MAX = 256 * 1024 * 1024;

/** Returns everything before the raw bytes: the header and the JSON. */
export function frameStart(message: object, bytes: number): Buffer {
  const json = Buffer.from(JSON.stringify(message));
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32LE(json.length, 0);
  head.writeUInt32LE(bytes, 4);
  return Buffer.concat([head, json]);
}

/** Accepts chunks as they arrive and returns the complete frames. Throws if a frame is too large or not JSON. */
export class FrameDecoder {
  #head = Buffer.alloc(HEAD_BYTES);
  #headFilled = 0;
  #json: Buffer = Buffer.alloc(0);
  #payload: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  #filled = 0;

  take(piece: Uint8Array): Frame[] {
    const frames: Frame[] = [];
    let at = 0;
    while (at < piece.length) {
      at += this.#headFilled < HEAD_BYTES ? this.#takeHead(piece, at) : this.#takeBody(piece, at);
      if (this.#headFilled < HEAD_BYTES || this.#filled < this.#json.length + this.#payload.length) continue;
      const size = HEAD_BYTES + this.#json.length + this.#payload.length;
      frames.push({ message: JSON.parse(this.#json.toString()), bytes: this.#payload, size });
      this.#headFilled = 0;
    }
    return frames;
  }

  #takeHead(piece: Uint8Array, at: number): number {
    const taken = piece.subarray(at, at + HEAD_BYTES - this.#headFilled);
    this.#head.set(taken, this.#headFilled);
    this.#headFilled += taken.length;
    if (this.#headFilled === HEAD_BYTES) {
      const [json, payload] = [this.#head.readUInt32LE(0), this.#head.readUInt32LE(4)];
      if (json === 0 || json > PART_BYTES_MAX || payload > PART_BYTES_MAX)
        throw new RangeError(`a message of ${json} and ${payload} bytes is not allowed`);
      this.#json = Buffer.allocUnsafe(json);
      // Each frame needs its own buffer, even if it is empty, because the buffer of a batch is transferred to the
      // engine's thread.
      this.#payload = new Uint8Array(payload);
      this.#filled = 0;
    }
    return taken.length;
  }

  #takeBody(piece: Uint8Array, at: number): number {
    const isJson = this.#filled < this.#json.length;
    const target = isJson ? this.#json : this.#payload;
    const offset = isJson ? this.#filled : this.#filled - this.#json.length;
    const taken = piece.subarray(at, at + target.length - offset);
    target.set(taken, offset);
    this.#filled += taken.length;
    return taken.length;
  }
}
