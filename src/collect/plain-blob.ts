// A Blob for a parser's thread. postal-mime joins the lines of every part through a Blob. Each of Node's Blobs takes a
// trip through the event loop, and together these took three quarters of the time: with this class, 4,593 messages
// without their files take 270 ms instead of 1,100.

type BlobPiece = string | ArrayBuffer | Uint8Array;

/** Has only the methods that the importers' libraries use. Anything else fails at once. */
class PlainBlob {
  readonly size: number;
  readonly type: string;
  readonly #parts: readonly BlobPiece[];

  constructor(parts: readonly BlobPiece[] = [], { type = "" }: { type?: string } = {}) {
    this.#parts = parts;
    this.size = parts.reduce((sum, part) => sum + sizeOf(part), 0);
    this.type = type;
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    const whole = Buffer.from(new ArrayBuffer(this.size));
    let at = 0;
    for (const part of this.#parts) {
      if (typeof part === "string") whole.write(part, at);
      else whole.set(part instanceof ArrayBuffer ? new Uint8Array(part) : part, at);
      at += sizeOf(part);
    }
    return whole.buffer;
  }
}

const sizeOf = (part: BlobPiece): number => (typeof part === "string" ? Buffer.byteLength(part) : part.byteLength);

export function withPlainBlobs(): void {
  Object.defineProperty(globalThis, "Blob", { value: PlainBlob, configurable: true, writable: true });
}
