// Archives built by hand for tests, valid and hostile. Any value in a header can be wrong.
import { crc32, deflateRawSync } from "node:zlib";

export interface ZipItem {
  name: string | Buffer;
  content: string | Buffer;
  /** 0 means stored, 8 deflated (the default). */
  method?: number;
  flags?: number;
  /** Wrong values for the headers. */
  size?: number;
  crc?: number;
  /** Uses the data of another item, by its index. */
  dataOf?: number;
  extra?: Buffer;
  /** Sizes and checksum follow the data, as in archives from programs that do not know them in advance. */
  isStreamed?: boolean;
}

export function zipOf(items: readonly ZipItem[], { comment = "" } = {}): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  const offsets: number[] = [];
  let at = 0;
  for (const item of items) {
    const name = Buffer.from(item.name as string);
    const source = Buffer.from((item.dataOf === undefined ? item : items[item.dataOf]!).content as string);
    const method = item.method ?? 8;
    const packed = method === 8 ? deflateRawSync(source) : source;
    const extra = item.extra ?? Buffer.alloc(0);
    const facts = Buffer.alloc(24);
    facts.writeUInt16LE(item.flags ?? 0x800, 0);
    facts.writeUInt16LE(method, 2);
    facts.writeUInt32LE(0x58210000, 4);
    facts.writeUInt32LE(item.crc ?? crc32(source), 8);
    facts.writeUInt32LE(packed.length, 12);
    facts.writeUInt32LE(item.size ?? source.length, 16);
    facts.writeUInt16LE(name.length, 20);
    facts.writeUInt16LE(extra.length, 22);
    offsets.push(item.dataOf === undefined ? at : offsets[item.dataOf]!);
    if (item.dataOf === undefined) {
      const own = Buffer.from(facts);
      if (item.isStreamed) own.fill(0, 8, 20).writeUInt16LE(0x808, 0);
      const behind = item.isStreamed ? [Buffer.from("PK\x07\x08", "latin1"), facts.subarray(8, 20)] : [];
      const local = Buffer.concat([Buffer.from("PK\x03\x04\x14\0", "latin1"), own, name, extra, packed, ...behind]);
      parts.push(local);
      at += local.length;
    }
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offsets.at(-1)!, 10);
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\0\x14\0", "latin1"), facts, rest, name, extra]));
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(items.length, 8);
  end.writeUInt16LE(items.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(at, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([...parts, listed, end, Buffer.from(comment)]);
}

export interface TarItem {
  name: string | Buffer;
  content?: string | Buffer;
  /** 0 file, 1 hard link, 2 symbolic link, 5 folder, x and g pax, L and K GNU, S sparse. */
  type?: string;
  link?: string;
  /** Wrong values for the header. */
  size?: number;
  prefix?: string;
  /** Changes the header before its checksum is computed. */
  patch?: (header: Buffer) => void;
  /** Inserted between the header and the content, and not counted in the size. */
  between?: Buffer;
  badSum?: boolean;
}

export function tarOf(items: readonly TarItem[], { end = true } = {}): Buffer {
  const parts = items.flatMap((item) => {
    const content = Buffer.from((item.content ?? "") as string);
    const header = Buffer.alloc(512);
    Buffer.from(item.name as string).copy(header, 0, 0, 100);
    header.write("0000644\0", 100, "latin1");
    header.write(`${(item.size ?? content.length).toString(8).padStart(11, "0")} `, 124, "latin1");
    header.write("14371573200 ", 136, "latin1");
    header.write(item.type ?? "0", 156, "latin1");
    header.write(item.link ?? "", 157, "latin1");
    header.write("ustar\x0000", 257, "latin1");
    header.write(item.prefix ?? "", 345, "latin1");
    item.patch?.(header);
    header.fill(" ", 148, 156);
    const sum = header.reduce((total, byte) => total + byte, item.badSum ? 1 : 0);
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
    const padding = Buffer.alloc((512 - (content.length % 512)) % 512);
    return [header, item.between ?? Buffer.alloc(0), content, padding];
  });
  return Buffer.concat([...parts, Buffer.alloc(end ? 1024 : 0)]);
}

/** pax attributes. The length at the start of each line includes itself. */
export function pax(attributes: Record<string, string>): Buffer {
  return Buffer.concat(
    Object.entries(attributes).map(([name, value]) => {
      const rest = ` ${name}=${value}\n`;
      let length = Buffer.byteLength(rest) + 1;
      while (String(length).length + Buffer.byteLength(rest) !== length) length++;
      return Buffer.from(length + rest);
    }),
  );
}
