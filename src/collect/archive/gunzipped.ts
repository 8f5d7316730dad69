// The bytes in a gzip file. Of one that is cut off everything that can be unpacked comes first, and the error then: every time the same.
import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";

export async function* gunzipped(file: string): AsyncGenerator<Uint8Array> {
  const packed = createReadStream(file);
  const gunzip = createGunzip();
  let failure: Error | undefined;
  let wake: () => void = () => undefined;
  gunzip.on("readable", () => wake());
  gunzip.on("error", (error) => {
    failure = error;
    wake();
  });
  try {
    for await (const part of packed) {
      let isTaken = false;
      gunzip.write(part, () => {
        isTaken = true;
        wake();
      });
      for (;;) {
        const bytes: Uint8Array | null = gunzip.read();
        if (bytes !== null) yield bytes;
        else if (failure !== undefined) throw failure;
        else if (isTaken) break;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    }
    // Only now that all of it was read: an end that comes too early throws away what still waits.
    gunzip.end();
    yield* gunzip;
  } finally {
    // A reader that stops also closes the file.
    packed.destroy();
    gunzip.destroy();
  }
}
