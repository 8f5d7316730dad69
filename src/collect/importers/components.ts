// Splits calendars and address books into their components, one at a time: BEGIN:VEVENT … END:VEVENT.
import { isUtf8 } from "node:buffer";
import { type Entry, linesOf } from "../entry.ts";

export interface TextComponent {
  /** In upper case. */
  name: string;
  /** The component's own lines, unfolded, without those of nested components. */
  lines: string[];
  /** The byte offset of the first line. */
  offset: number;
  /** Why the component is incomplete. */
  broken?: string;
}

/** Components can contain photos and attached files, but a real component is never larger than this. */
const COMPONENT_BYTES_MAX = 16 * 1024 * 1024;
const DEPTH_MAX = 20;

interface OpenComponent {
  name: string;
  lines: Buffer[];
  offset: number;
  bytes: number;
}

/** Yields every component, nested ones before those that contain them. */
export async function* componentsOf(entry: Entry): AsyncGenerator<TextComponent> {
  const open: OpenComponent[] = [];
  const finish = ({ name, lines, offset, bytes }: OpenComponent, lost = false): TextComponent => {
    const broken = lost
      ? `${name} has no END line`
      : bytes > COMPONENT_BYTES_MAX
        ? `${name} is larger than ${COMPONENT_BYTES_MAX} bytes`
        : undefined;
    return { name, lines: unfolded(lines), offset, ...(broken === undefined ? {} : { broken }) };
  };
  for await (const { bytes, offset } of linesOf(entry)) {
    const mark =
      bytes.length < 200
        ? /^\ufeff?\s?(BEGIN|END)[ \t]*:[ \t]*([A-Za-z0-9_-]+)\s*$/i.exec(bytes.toString("utf8"))
        : null;
    const name = mark?.[2]?.toUpperCase() ?? "";
    if (mark?.[1]?.toUpperCase() === "BEGIN") {
      // If a component of the same name is still open, its END is missing.
      const same = open.findIndex((one) => one.name === name);
      if (same !== -1 && !holdsCard(open.at(-1)!)) for (const lost of open.splice(same)) yield finish(lost, true);
      if (open.length < DEPTH_MAX) open.push({ name, lines: [], offset, bytes: 0 });
    } else if (mark !== null) {
      const at = open.findLastIndex((one) => one.name === name);
      if (at === -1) continue;
      const [own, ...inner] = open.splice(at);
      for (const lost of inner) yield finish(lost, true);
      yield finish(own!);
    } else {
      const own = open.at(-1);
      if (own === undefined) continue;
      own.bytes += bytes.length + 1;
      if (own.bytes <= COMPONENT_BYTES_MAX) own.lines.push(Buffer.from(bytes));
      else own.lines = [];
    }
  }
  for (const lost of open.reverse()) yield finish(lost, true);
}

/**
 * A line that begins with a space or tab continues the previous one. In vCard 2.1, so does the line after a trailing
 * "=".
 */
function unfolded(raw: readonly Buffer[]): string[] {
  const lines: Buffer[][] = [];
  let soft = false;
  for (const bytes of raw) {
    const line = bytes.at(-1) === 13 ? bytes.subarray(0, -1) : bytes;
    const own = lines.at(-1);
    if (soft && own !== undefined) own.push(line);
    else if ((line[0] === 32 || line[0] === 9) && own !== undefined) own.push(line.subarray(1));
    else if (line.length > 0) lines.push([line]);
    const first = lines.at(-1)?.[0];
    const isQuoted: boolean =
      soft || (first !== undefined && /^[^:]{0,300}QUOTED-PRINTABLE/i.test(first.subarray(0, 300).toString("latin1")));
    soft = isQuoted && line.at(-1) === 61;
    if (soft) {
      const parts = lines.at(-1)!;
      parts[parts.length - 1] = parts.at(-1)!.subarray(0, -1);
    }
  }
  // Join the bytes before decoding, because a fold can be inside a character.
  return lines.map((parts) => text(parts.length === 1 ? parts[0]! : Buffer.concat(parts)));
}

/** vCard 2.1 nests the card of an assistant inside another card. */
const holdsCard = ({ lines }: OpenComponent): boolean =>
  /^AGENT[^:]*:\s*$/i.test(lines.at(-1)?.toString("latin1") ?? "");

/** Bytes that are not UTF-8 are decoded with their CHARSET, or else with the most common encoding. */
function text(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString("utf8");
  const label = /^[^:]{0,200}CHARSET="?([\w-]{2,40})/i.exec(bytes.subarray(0, 300).toString("latin1"))?.[1];
  return decoderOf(label).decode(bytes);
}

export function decoderOf(label: string | undefined): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(label ?? "windows-1252");
  } catch {
    return new TextDecoder("windows-1252");
  }
}
