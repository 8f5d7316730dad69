// Decides, before the first record is produced, which messages are copies of one another, so that every run keeps the
// same one.
import { createHash, hash } from "node:crypto";
import { firstWhere } from "../../../core/binary-search.ts";
import type { RawMessage } from "./split.ts";
import { bodyStart } from "./split.ts";

/** Longer than the headers of any message. */
const HEADER_LOOK = 256 * 1024;
/** 128 bits, because the sender of a message chooses its content. */
const CONTENT_DIGITS = 32;
const DIGEST_BYTES = CONTENT_DIGITS / 2;

export interface MailIdentity {
  /** The Message-ID without brackets, or a digest of the content. */
  id: string;
  date: string;
  /**
   * A digest of date and body. Anyone can send another message with a known Message-ID, and it must not replace the
   * first.
   */
  content: string;
}

/** `known` is the content digest from the survey, so that a mailbox is hashed only once. */
export function identityOf({ bytes }: Pick<RawMessage, "bytes">, known?: string): MailIdentity {
  const start = bodyStart(bytes, 0) ?? bytes.length;
  const headers = `\n${bytes.subarray(0, Math.min(start, HEADER_LOOK)).toString("latin1")}`;
  const date = headerIn(headers, "date");
  const given = headerIn(headers, "message-id");
  const id = /<([^<>\s]{1,900})>/.exec(given)?.[1] ?? given.replace(/[\s<>]/g, "").slice(0, 900);
  if (id !== "" && known !== undefined) return { id, date, content: known };
  const body = plainBody(bytes.subarray(start));
  if (id !== "") {
    const content = createHash("sha256").update(`${date}\n`).update(body).digest("hex").slice(0, CONTENT_DIGITS);
    return { id, date, content };
  }
  const named = (["from", "to", "date", "subject"] as const).map((name) => headerIn(headers, name)).join("\n");
  const whole = hash("sha256", `${named}\n\n${body.toString("latin1")}`, "hex");
  return { id: `sha256:${whole}`, date, content: "" };
}

/** Returns true for the id of a message without a Message-ID. */
export const isDigest = (id: string): boolean => id.startsWith("sha256:");

/** Normalises a body so that it is the same in every file format: without carriage returns and trailing white space. */
function plainBody(body: Buffer): Buffer {
  const plain = body.includes(13) ? Buffer.from(body.toString("latin1").replaceAll("\r", ""), "latin1") : body;
  let end = plain.length;
  while (end > 0 && isSpace(plain[end - 1]!)) end--;
  return plain.subarray(0, end);
}

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0xa0 || (byte >= 9 && byte <= 13);

const HEADERS = {
  date: /\ndate:((?:[^\n]|\n[ \t])*)/i,
  from: /\nfrom:((?:[^\n]|\n[ \t])*)/i,
  "message-id": /\nmessage-id:((?:[^\n]|\n[ \t])*)/i,
  subject: /\nsubject:((?:[^\n]|\n[ \t])*)/i,
  to: /\nto:((?:[^\n]|\n[ \t])*)/i,
};

function headerIn(headers: string, name: keyof typeof HEADERS): string {
  const found = HEADERS[name].exec(headers);
  return found === null ? "" : found[1]!.replace(/\s+/g, " ").trim();
}

interface MailCopies {
  content: number;
  date: number;
  entry: number;
  offset: number;
  folders: string[];
}

export interface KeptMail {
  /** The id together with the content digest. It does not depend on what is imported before or with the message. */
  key: string;
  /**
   * The key in connections that were created before ids were hashed with a key: the id, with a mark if an earlier
   * message has the same id.
   */
  oldKey: string;
  folders: readonly string[];
}

/** 52 bits, so that the number fits in a double. */
const shortHash = (text: string): number => Number.parseInt(hash("sha1", text, "hex").slice(0, 13), 16);

export function createSurvey() {
  const folderNames: string[] = [];
  const folderNumbers = new Map<string, number>();
  let size = 0;
  let ids = new Float64Array(1024);
  let contents = new Float64Array(1024);
  /** The content digests, as bytes. */
  let digests = Buffer.alloc(1024 * DIGEST_BYTES);
  let dates = new Float64Array(1024);
  let offsets = new Float64Array(1024);
  let entries = new Uint32Array(1024);
  let folders = new Uint32Array(1024);
  const broken = new Set<number>();
  let copies: Map<number, MailCopies[]> | undefined;

  function grow(): void {
    const more = <T extends Float64Array | Uint32Array | Uint8Array>(array: T, target: T): T => {
      target.set(array);
      return target;
    };
    ids = more(ids, new Float64Array(size * 2));
    contents = more(contents, new Float64Array(size * 2));
    digests = more(digests, Buffer.alloc(size * 2 * DIGEST_BYTES));
    dates = more(dates, new Float64Array(size * 2));
    offsets = more(offsets, new Float64Array(size * 2));
    entries = more(entries, new Uint32Array(size * 2));
    folders = more(folders, new Uint32Array(size * 2));
  }

  /** Only ids that occur more than once become objects. */
  function settle(): Map<number, MailCopies[]> {
    const sorted = ids.slice(0, size).sort();
    const repeated = new Map<number, MailCopies[]>();
    for (let at = 1; at < size; at++) if (sorted[at] === sorted[at - 1]) repeated.set(sorted[at]!, []);
    for (let at = 0; at < size; at++) {
      const variants = repeated.get(ids[at]!);
      if (variants === undefined) continue;
      const folder = folderNames[folders[at]!]!;
      const same = variants.find(({ content }) => content === contents[at]);
      const place = { entry: entries[at]!, offset: offsets[at]! };
      if (same === undefined) variants.push({ content: contents[at]!, date: dates[at]!, ...place, folders: [folder] });
      else {
        if (!same.folders.includes(folder)) same.folders.push(folder);
        if (broken.has(same.entry) && !broken.has(place.entry)) Object.assign(same, place);
      }
    }
    return repeated;
  }

  return {
    /** Must be called in the order of entries and offsets. */
    note({ id, date, content }: MailIdentity, entry: number, offset: number, folder = ""): void {
      if (size === ids.length) grow();
      let number = folderNumbers.get(folder);
      if (number === undefined) {
        number = folderNames.push(folder) - 1;
        folderNumbers.set(folder, number);
      }
      ids[size] = shortHash(id);
      contents[size] = shortHash(content);
      digests.write(content, size * DIGEST_BYTES, "hex");
      dates[size] = shortHash(date);
      offsets[size] = offset;
      entries[size] = entry;
      folders[size] = number;
      size++;
    },
    /** Returns the recorded content digest of the message at this position. */
    contentAt(entry: number, offset: number): string | undefined {
      const at = firstWhere(0, size, (one) => (entries[one]! - entry || offsets[one]! - offset) >= 0);
      if (entries[at] !== entry || offsets[at] !== offset) return undefined;
      return digests.toString("hex", at * DIGEST_BYTES, (at + 1) * DIGEST_BYTES);
    },
    /**
     * Marks an entry that cannot be read to its end. The run may get less from it, so copies in other entries are
     * preferred.
     */
    breaksOff(entry: number): void {
      broken.add(entry);
    },
    /** Returns undefined for a copy of an earlier message. */
    keep({ id, date, content }: MailIdentity, entry: number, offset: number): KeptMail | undefined {
      copies ??= settle();
      const variants = copies.get(shortHash(id));
      const key = content === "" ? id : `${id}#${content}`;
      if (variants === undefined) return { key, oldKey: id, folders: [] };
      const contentHash = shortHash(content);
      const own = variants.find((one) => one.content === contentHash);
      if (own === undefined || own.entry !== entry || own.offset !== offset) return undefined;
      const before = variants.slice(0, variants.indexOf(own));
      const differs = before.some((one) => one.date === own.date) ? content : date;
      const mark = before.length === 0 ? "" : `#${hash("sha256", differs, "hex").slice(0, 12)}`;
      return { key, oldKey: `${id}${mark}`, folders: own.folders.filter((name) => name !== "") };
    },
  };
}
