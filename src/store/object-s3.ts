// Stores objects in an S3-compatible bucket: small ones in one request, larger ones as a multipart upload.

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import {
  type ByteRange,
  checkName,
  isExpected,
  type ListedObject,
  type ObjectStorage,
  otherBytes,
  type S3Place,
  type StoredObject,
} from "./objects.ts";
import { refusal, type S3Client, type S3Timeouts, s3Client } from "./s3-client.ts";

/**
 * S3 allows 10,000 parts, so an object can be up to 160 GB. A part is in memory once, and twice while it is being sent.
 */
const PART_BYTES = 16 * 1024 * 1024;
const FIRST_BYTES = 64 * 1024;
const READ_BYTES = 1024 * 1024;
const DELETES_AT_ONCE = 8;

export function s3Objects(place: S3Place, timeouts?: S3Timeouts): ObjectStorage {
  const client = s3Client(place, timeouts);

  async function put(
    name: string,
    bytes: AsyncIterable<Uint8Array>,
    expected: Partial<StoredObject> = {},
  ): Promise<StoredObject> {
    const key = checkName(name);
    const digesting = createHash("sha256");
    let sizeBytes = 0;
    let upload: MultipartUpload | undefined;
    try {
      let last: Uint8Array<ArrayBuffer> = new Uint8Array();
      for await (const { part, ends } of inParts(bytes)) {
        digesting.update(part);
        sizeBytes += part.byteLength;
        last = part;
        if (ends) break;
        upload ??= await beginUpload(client, key);
        await upload.add(part);
      }
      const stored = { sizeBytes, sha256: digesting.digest("hex") };
      // Check before the last request, because until then the name does not exist.
      if (!isExpected(stored, expected)) throw otherBytes(name);
      if (upload === undefined) await client.must({ method: "PUT", key, body: last });
      else {
        if (last.byteLength > 0) await upload.add(last);
        await upload.complete(sizeBytes);
      }
      return stored;
    } catch (error) {
      await upload?.abort();
      throw error;
    }
  }

  return {
    place,
    aside: place.aside,
    put,
    async adopt(name, path, expected) {
      try {
        await put(name, createReadStream(path, { highWaterMark: READ_BYTES }), expected);
      } finally {
        await rm(path, { force: true });
      }
    },
    async open(name, range) {
      const headers: Record<string, string> = range === undefined ? {} : { range: `bytes=${range.start}-${range.end}` };
      const answer = await client.ask({ method: "GET", key: checkName(name), headers, streams: true }, [404]);
      if (answer.refused !== undefined) {
        if (answer.refused.code === "NoSuchBucket") throw refusal(answer.refused);
        return undefined;
      }
      const bytes = client.bytesOf(answer.response);
      return Readable.from(range === undefined ? bytes : cut(bytes, range), { objectMode: false });
    },
    async size(name) {
      return sizeOf(client, checkName(name));
    },
    async delete(names) {
      const left = names.map(checkName);
      const run = async (): Promise<void> => {
        for (let key = left.pop(); key !== undefined; key = left.pop())
          await client.ask({ method: "DELETE", key }, [404]);
      };
      await Promise.all(Array.from({ length: DELETES_AT_ONCE }, run));
    },
    async *list(prefix) {
      let token: string | undefined;
      do {
        const { text } = await client.must({
          method: "GET",
          query: {
            "list-type": "2",
            prefix: place.prefix + prefix,
            ...(token === undefined ? {} : { "continuation-token": token }),
          },
        });
        yield* listedIn(text, place.prefix);
        token = textOf(text, "NextContinuationToken");
      } while (token !== undefined);
    },
    async check() {
      await client.must({ method: "GET", query: { "list-type": "2", "max-keys": "1", prefix: place.prefix } });
    },
    mayHold: () => true,
  };
}

async function sizeOf(client: S3Client, key: string): Promise<number | undefined> {
  const answer = await client.ask({ method: "HEAD", key }, [404]);
  return answer.refused === undefined ? Number(answer.response.headers.get("content-length")) : undefined;
}

interface MultipartUpload {
  add(part: Uint8Array<ArrayBuffer>): Promise<void>;
  complete(sizeBytes: number): Promise<void>;
  abort(): Promise<void>;
}

const LOOKS = 10;
const LOOK_MS = 200;

async function beginUpload(client: S3Client, key: string): Promise<MultipartUpload> {
  const { text } = await client.must({ method: "POST", key, query: { uploads: "" } });
  const uploadId = textOf(text, "UploadId");
  if (uploadId === undefined) throw refusal({ status: 200, code: "without an UploadId" });
  const etags: string[] = [];
  return {
    async add(part) {
      const query = { partNumber: String(etags.length + 1), uploadId };
      const { response } = await client.must({ method: "PUT", key, query, body: part });
      etags.push(response.headers.get("etag") ?? "");
    },
    async complete(sizeBytes) {
      const parts = etags.map(
        (etag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${escaped(etag)}</ETag></Part>`,
      );
      const body = Buffer.from(`<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`);
      const answer = await client.ask({ method: "POST", key, query: { uploadId }, body }, [404]);
      // S3 may begin its response with a success status and fail later.
      const failed = answer.refused ?? refusedIn(answer.text);
      if (failed === undefined) return;
      // An attempt whose response was lost may have succeeded, or may still succeed.
      for (let look = 0; failed.code === "NoSuchUpload" && look < LOOKS; look++) {
        if ((await sizeOf(client, key)) === sizeBytes) return;
        await wait(LOOK_MS);
      }
      throw refusal(failed);
    },
    async abort() {
      // If the abort fails too, the bucket's lifecycle rules remove the parts.
      await client.ask({ method: "DELETE", key, query: { uploadId } }, [404]).catch(() => undefined);
    },
  };
}

const refusedIn = (text: string) =>
  text.includes("<Error>") ? { status: 200, code: textOf(text, "Code") ?? "" } : undefined;

/** Yields whole parts, then the rest, which may be empty. All parts share one buffer. */
async function* inParts(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ part: Uint8Array<ArrayBuffer>; ends: boolean }> {
  let held = Buffer.allocUnsafeSlow(FIRST_BYTES);
  let size = 0;
  for await (let piece of bytes) {
    while (size + piece.byteLength >= PART_BYTES) {
      if (held.byteLength < PART_BYTES) held = grown(held, size, PART_BYTES);
      held.set(piece.subarray(0, PART_BYTES - size), size);
      piece = piece.subarray(PART_BYTES - size);
      size = 0;
      yield { part: held, ends: false };
    }
    const needed = size + piece.byteLength;
    if (needed > held.byteLength) held = grown(held, size, Math.min(PART_BYTES, Math.max(needed, 2 * held.byteLength)));
    held.set(piece, size);
    size = needed;
  }
  yield { part: held.subarray(0, size), ends: true };
}

function grown(held: Buffer, used: number, bytes: number): Buffer<ArrayBuffer> {
  const larger = Buffer.allocUnsafeSlow(bytes);
  larger.set(held.subarray(0, used));
  return larger;
}

/** Yields no more than was requested, whatever the server sends. */
async function* cut(bytes: AsyncIterable<Uint8Array>, { start, end }: ByteRange): AsyncGenerator<Uint8Array> {
  let left = end - start + 1;
  for await (const piece of bytes) {
    yield piece.subarray(0, left);
    left -= piece.byteLength;
    if (left <= 0) return;
  }
}

function* listedIn(text: string, prefix: string): Generator<ListedObject> {
  for (const [, contents] of text.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
    yield {
      name: (textOf(contents!, "Key") ?? "").slice(prefix.length),
      sizeBytes: Number(textOf(contents!, "Size")),
      modifiedAt: Date.parse(textOf(contents!, "LastModified") ?? ""),
    };
  }
}

function textOf(text: string, element: string): string | undefined {
  const found = new RegExp(`<${element}>([^<]*)</${element}>`).exec(text)?.[1];
  return found === undefined || found === "" ? undefined : unescaped(found);
}

const ENTITIES: Record<string, string> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

const unescaped = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return ENTITIES[name] ?? whole;
    return String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
  });

const escaped = (text: string): string => text.replace(/[<>&]/g, (sign) => `&#${sign.charCodeAt(0)};`);
