// Frames between a sandboxed process and its parent.
import { expect, test } from "vitest";
import { FrameDecoder, frameStart } from "./frames.ts";

const frame = (message: object, text: string): Buffer =>
  Buffer.concat([frameStart(message, Buffer.byteLength(text)), Buffer.from(text)]);

test("G-05 frames are decoded no matter how they are split into chunks", () => {
  const all = Buffer.concat([frame({ a: "ä" }, "bytes"), frame({ b: 1 }, ""), frame({ c: [] }, "x")]);
  for (const size of [1, 3, 7, all.length]) {
    const decoder = new FrameDecoder();
    const found: unknown[] = [];
    for (let at = 0; at < all.length; at += size)
      for (const { message, bytes } of decoder.take(all.subarray(at, at + size)))
        found.push([message, Buffer.from(bytes).toString()]);
    expect(found).toEqual([
      [{ a: "ä" }, "bytes"],
      [{ b: 1 }, ""],
      [{ c: [] }, "x"],
    ]);
  }
});

test("G-05 the bytes of every frame can be transferred to a thread, even if there are no bytes", () => {
  const decoder = new FrameDecoder();
  for (const { bytes } of decoder.take(Buffer.concat([frame({ a: 1 }, ""), frame({ b: 1 }, "")])))
    expect(structuredClone(bytes, { transfer: [bytes.buffer] })).toHaveLength(0);
});

test("G-05 a frame that is too large, empty or not JSON is refused", () => {
  const head = (json: number, payload: number): Buffer => {
    const bytes = Buffer.alloc(8);
    bytes.writeUInt32LE(json, 0);
    bytes.writeUInt32LE(payload, 4);
    return bytes;
  };
  expect(() => new FrameDecoder().take(head(2 ** 31, 0))).toThrow(RangeError);
  expect(() => new FrameDecoder().take(head(2, 2 ** 31))).toThrow(RangeError);
  expect(() => new FrameDecoder().take(head(0, 0))).toThrow(RangeError);
  expect(() => new FrameDecoder().take(Buffer.concat([head(1, 0), Buffer.from("{")]))).toThrow(SyntaxError);
});
