// Yields the bytes in a gzip file. For a truncated file, everything that can be unpacked comes first and then the
// error, with the same result every time.
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
    // End the stream only after all input has been read, because ending it early discards buffered data.
    gunzip.end();
    yield* gunzip;
  } finally {
    // Close the file even if the reader stops early.
    packed.destroy();
    gunzip.destroy();
  }
}
