// The body of a download that may be read only while the caller's grant is valid. The grant is checked again while the
// bytes are sent.
import type { Readable } from "node:stream";

export interface CheckedBody {
  bytes: Readable;
  /**
   * The announced length. If a body ends early, the connection is closed, so that the client does not mistake it for
   * complete.
   */
  length: number;
  /** Rejects if the caller may no longer read this. */
  recheck(): Promise<unknown>;
  /** Closes the connection. Absent if there is no socket. */
  abort?: () => void;
  /** Called once, when no more bytes will be sent. */
  ended(sent: number): void;
}

/**
 * G-08: the grant is checked after this many bytes, and at least this often while the client reads nothing, so a
 * revoked download ends in well under 1 s.
 */
const RECHECK_BYTES = 4 * 1024 * 1024;
const RECHECK_MS = 250;

export function checkedBody({ bytes, length, recheck, abort, ended }: CheckedBody): ReadableStream<Uint8Array> {
  const pieces = bytes.iterator();
  let sent = 0;
  let unchecked = 0;
  let checking: Promise<unknown> | undefined;
  let checkedAt = performance.now();

  const check = (): Promise<unknown> => {
    checking ??= recheck().then(() => {
      checking = undefined;
      checkedAt = performance.now();
    });
    return checking;
  };
  const isDue = (): boolean => unchecked >= RECHECK_BYTES || performance.now() - checkedAt >= RECHECK_MS;

  let cut: (error: unknown) => void;
  // If a client does not read, nothing is pulled, and the connection would stay open until it times out.
  const timer = setInterval(() => {
    if (isDue()) check().catch(cut);
  }, RECHECK_MS);
  timer.unref();
  bytes.once("close", () => {
    clearInterval(timer);
    ended(sent);
  });

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        cut = (error) => {
          bytes.destroy();
          // A failing stream would be logged as a server error. Closing the connection is enough, because it cancels
          // the stream.
          if (abort === undefined) controller.error(error);
          else abort();
        };
      },
      async pull(controller) {
        try {
          const { done, value } = await pieces.next();
          if (done) {
            if (sent < length) throw new Error("the file became shorter while it was being read");
            controller.close();
            return;
          }
          const piece = value as Uint8Array;
          unchecked += piece.byteLength;
          if (isDue()) {
            unchecked = piece.byteLength;
            await check();
          }
          sent += piece.byteLength;
          controller.enqueue(piece);
        } catch (error) {
          cut(error);
        }
      },
      cancel: () => void bytes.destroy(),
    },
    { highWaterMark: 0 },
  );
}
