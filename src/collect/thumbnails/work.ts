// The process that creates thumbnails: it replies to each picture with a small JPEG, or reports that it cannot create
// one.
import type { SandboxedWork } from "../../sandbox/work.ts";
import { type DecodedPicture, heifDecoder } from "./heif.ts";
import type { ThumbnailerStart, ThumbnailReply } from "./thumbnailer.ts";

/** The part of sharp that is used here. */
interface Sharp {
  (bytes: Uint8Array, options: object): Pipeline;
  cache(on: boolean): void;
  concurrency(threads: number): void;
  block(what: { operation: string[] }): void;
  unblock(what: { operation: string[] }): void;
}
interface Pipeline {
  rotate(): Pipeline;
  resize(width: number, height: number, options: object): Pipeline;
  flatten(options: object): Pipeline;
  jpeg(options: object): Pipeline;
  toBuffer(): Promise<Buffer>;
}

/** The longest side: it looks sharp on a phone and takes about 20 KB. */
const SIDE = 320;
const QUALITY = 72;
/** Pictures from cameras are smaller. */
const PIXELS_MAX = 250_000_000;
/** Photo formats. All other loaders of the library stay disabled. */
const LOADERS = ["Jpeg", "Png", "Webp", "Nsgif", "Tiff", "Heif"].map((name) => `VipsForeignLoad${name}`);

export const work: SandboxedWork = (start, tell, native) => {
  const { heif } = start as ThumbnailerStart;
  const decode = heif === undefined ? undefined : heifDecoder(heif, SIDE);
  const sharp = (native as { default: Sharp }).default;
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: LOADERS });
  const reply = (answer: ThumbnailReply, bytes?: Uint8Array): void => tell(answer, bytes);
  const pipeline = (bytes: Uint8Array, decoded: DecodedPicture | undefined): Pipeline =>
    decoded === undefined
      ? sharp(bytes, { limitInputPixels: PIXELS_MAX, sequentialRead: true, failOn: "error" }).rotate()
      : sharp(decoded.pixels, { raw: { width: decoded.width, height: decoded.height, channels: 4 } });
  const small = async (bytes: Uint8Array): Promise<Buffer> =>
    pipeline(bytes, await decode?.(bytes))
      .resize(SIDE, SIDE, { fit: "inside", withoutEnlargement: true })
      .flatten({ background: "white" })
      .jpeg({ quality: QUALITY })
      .toBuffer();
  return (_message, bytes) =>
    void small(bytes).then(
      (made) => reply({ made: true }, made),
      () => reply({ made: false }),
    );
};
