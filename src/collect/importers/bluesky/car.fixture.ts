// Writes CAR files for tests: a repository of records whose search tree is a single node.
import { hash } from "node:crypto";

type Value = null | boolean | number | string | Buffer | Value[] | { [name: string]: Value };

const head = (major: number, length: number): Buffer => {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  const bytes = Buffer.alloc(5);
  bytes[0] = (major << 5) | 26;
  bytes.writeUInt32BE(length, 1);
  return bytes;
};

function cbor(value: Value): Buffer {
  if (value === null) return Buffer.from([0xf6]);
  if (typeof value === "boolean") return Buffer.from([value ? 0xf5 : 0xf4]);
  if (typeof value === "number") return head(0, value);
  if (typeof value === "string") return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)]);
  if (Buffer.isBuffer(value.link))
    return Buffer.concat([Buffer.from([0xd8, 42]), cbor(Buffer.concat([Buffer.from([0]), value.link]))]);
  return Buffer.concat([
    head(5, Object.keys(value).length),
    ...Object.entries(value).flatMap(([name, own]) => [cbor(name), cbor(own)]),
  ]);
}

const section = (...parts: Buffer[]): Buffer => {
  let length = parts.reduce((sum, part) => sum + part.length, 0);
  const prefix: number[] = [];
  for (; length >= 0x80; length = Math.floor(length / 0x80)) prefix.push((length & 0x7f) | 0x80);
  return Buffer.concat([Buffer.from([...prefix, length]), ...parts]);
};

const idOf = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from([1, 0x71, 0x12, 0x20]), hash("sha256", bytes, "buffer")]);

/** Records by their path in the repository, such as `app.bsky.feed.post/3k`. */
export function carOf(did: string, records: Record<string, Value>): Buffer {
  const blocks = Object.entries(records).map(([path, value]) => ({ path, bytes: cbor(value) }));
  let before = "";
  const entries = blocks.map(({ path, bytes }) => {
    let shared = 0;
    while (shared < before.length && before[shared] === path[shared]) shared++;
    before = path;
    return { p: shared, k: Buffer.from(path.slice(shared)), v: { link: idOf(bytes) }, t: null };
  });
  const node = cbor({ l: null, e: entries });
  const commit = cbor({ did, version: 3, data: { link: idOf(node) } });
  const all = [...blocks.map(({ bytes }) => bytes), node, commit];
  return Buffer.concat([
    section(cbor({ roots: [{ link: idOf(commit) }], version: 1 })),
    ...all.map((bytes) => section(idOf(bytes), bytes)),
  ]);
}
