// Thumbnails that a parser requests from its parent: chunks of the picture arrive, and the thumbnail is sent back.
import type { SandboxedProcess } from "../../sandbox/sandboxed-process.ts";
import type { ToParser } from "../messages.ts";
import { installedDecoders } from "./installed.ts";
import { openThumbnailer, type Thumbnailer } from "./thumbnailer.ts";

/** The maximum number of bytes that an importer reads from a picture. */
const PICTURE_BYTES_MAX = 64 * 1024 * 1024;

export interface RequestedThumbnails {
  areMade: boolean;
  /** Replies to the child after the last chunk. Returns false if the picture is larger than allowed. */
  take(child: SandboxedProcess, isLast: boolean, piece: Uint8Array): Promise<boolean>;
  /** Drops a picture that will not be completed. */
  forget(): void;
  close(): Promise<void>;
}

export function requestedThumbnails(decoders = installedDecoders()): RequestedThumbnails {
  let pieces: Uint8Array[] = [];
  let size = 0;
  let thumbnailer: Thumbnailer | undefined;
  const forget = (): void => {
    pieces = [];
    size = 0;
  };
  return {
    areMade: decoders !== undefined,
    forget,
    async take(child, isLast, piece) {
      pieces.push(piece);
      size += piece.byteLength;
      if (size > PICTURE_BYTES_MAX) return false;
      if (!isLast) return true;
      const picture = Buffer.concat(pieces);
      forget();
      thumbnailer ??= decoders && openThumbnailer(decoders);
      const small = await thumbnailer?.of(picture);
      child.send({ thumbnail: small !== undefined } satisfies ToParser, small);
      return true;
    },
    close: async () => thumbnailer?.close(),
  };
}
