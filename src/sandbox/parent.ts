// Sends and receives messages inside a sandboxed process, over two descriptors that are read and written as files. A
// socket object would give the sandboxed code access to the network classes.
import { read, writeSync } from "node:fs";
import { type Frame, FrameDecoder, frameStart } from "./frames.ts";

const FROM_PARENT = 3;
const TO_PARENT = 4;
const PIECE_BYTES = 256 * 1024;

/**
 * Writes synchronously, so that the parent knows which file was being read even if native code never returns. Blocks
 * while the parent is busy storing records, which bounds the memory of both.
 */
export function tellParent(message: object, bytes: Uint8Array = new Uint8Array(0)): void {
  for (const part of [frameStart(message, bytes.byteLength), bytes]) {
    for (let at = 0; at < part.byteLength; ) at += writeSync(TO_PARENT, part, at);
  }
}

/** `onEnd` is called when the parent has closed its end or has exited. */
export function onParentMessage(onFrame: (frame: Frame) => void, onEnd: () => void): void {
  const decoder = new FrameDecoder();
  const buffer = Buffer.allocUnsafeSlow(PIECE_BYTES);
  const next = (): void =>
    read(FROM_PARENT, buffer, 0, PIECE_BYTES, null, (error, count) => {
      if (error !== null || count === 0) return onEnd();
      for (const frame of decoder.take(buffer.subarray(0, count))) onFrame(frame);
      next();
    });
  next();
}
