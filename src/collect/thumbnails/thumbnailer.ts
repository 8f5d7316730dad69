// Creates thumbnails in a separate sandboxed process, which gets only the bytes of pictures. The decoders are native
// code, so only limits from outside can protect us (I-07, G-05).
import { z } from "zod";
import { programFile } from "../../program-file.ts";
import { type SandboxedProcess, startSandboxed } from "../../sandbox/sandboxed-process.ts";
import { type WatchLimits, watch } from "../../sandbox/watchdog.ts";
import { type InstalledDecoders, installedDecoders } from "./installed.ts";

const HEAP_MB = 64;
const YOUNG_MB = 8;
/** Decoding a picture of 50 megapixels takes a second and 200 MB. */
const LIMITS: WatchLimits = { residentMb: 640, silenceMs: 30_000, silentCpuMs: 15_000 };
/** The maximum size of a thumbnail, which comes from a process that a hostile picture may control. */
const THUMBNAIL_BYTES_MAX = 256 * 1024;

const thumbnailReply = z.strictObject({ made: z.boolean() });
export type ThumbnailReply = z.infer<typeof thumbnailReply>;

export interface ThumbnailerStart {
  /** The URL of the module that decodes HEIC. */
  heif?: string;
}

export interface Thumbnailer {
  /** Returns a small JPEG, or undefined if it cannot be created. Creates one at a time. */
  of(picture: Uint8Array): Promise<Uint8Array | undefined>;
  close(): Promise<void>;
}

export function openThumbnailer(
  { sharp, heif, reads }: InstalledDecoders = installedDecoders()!,
  limits: Partial<WatchLimits> = {},
): Thumbnailer {
  let starting: Promise<SandboxedProcess> | undefined;
  async function close(): Promise<void> {
    const child = await starting;
    starting = undefined;
    await child?.end();
  }
  return {
    close,
    async of(picture) {
      starting ??= startSandboxed({
        work: programFile(import.meta.url, "./work"),
        start: { ...(heif === undefined ? {} : { heif }) } satisfies ThumbnailerStart,
        reads,
        writes: [],
        native: sharp,
        heapMb: HEAP_MB,
        youngMb: YOUNG_MB,
      });
      const child = await starting;
      const dog = watch(child.pid, { ...LIMITS, ...limits }, () => child.kill());
      try {
        dog.expect();
        child.onBytes = dog.heard;
        child.send({ picture: true }, picture);
        const frame = await child.next();
        const reply = thumbnailReply.safeParse(frame?.message).data;
        if (reply !== undefined) return reply.made && isSmallJpeg(frame!.bytes) ? frame!.bytes : undefined;
      } finally {
        dog.stop();
      }
      // The process was killed or crashed, so the next picture gets a new one.
      await close();
      return undefined;
    },
  };
}

const isSmallJpeg = (bytes: Uint8Array): boolean =>
  bytes.byteLength <= THUMBNAIL_BYTES_MAX && bytes[0] === 0xff && bytes[1] === 0xd8;
