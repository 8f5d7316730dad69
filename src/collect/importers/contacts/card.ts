// Decodes the properties of one vCard: versions 2.1 (with quoted-printable and charsets), 3.0 and 4.0.
import { decoderOf, type TextComponent } from "../components.ts";
import { type ContentLine, parseContentLine, splitEscaped, unescaped } from "../content-line.ts";

export interface CardProperty {
  name: string;
  /** The purpose, in lower case: "home", "cell", or the owner's own label. */
  types: string[];
  preferred: boolean;
  /** Decoded from quoted-printable, but still escaped. */
  value: string;
  /** Decoded from base64 or a data: URL. */
  bytes?: Buffer;
  mimeType?: string;
}

const IGNORED_TYPES = new Set(["pref", "internet", "voice", "x-internet"]);

export function propertiesOf({ lines }: TextComponent): CardProperty[] {
  const parsed: ContentLine[] = [];
  for (const line of lines) {
    const one = parseContentLine(line);
    const last = parsed.at(-1);
    if (one !== undefined) parsed.push(one);
    // Old programs do not indent the lines of a picture.
    else if (last !== undefined && isBase64(last)) last.value += line.trim();
  }
  const labels = new Map(
    parsed.flatMap(({ group, name, value }) =>
      name === "X-ABLABEL" && group !== undefined ? [[group, appleLabel(value)]] : [],
    ),
  );
  return parsed.filter(({ name }) => name !== "X-ABLABEL").map((line) => property(line, labels));
}

/** Apple encloses its standard labels in markers: _$!<Home>!$_ */
const appleLabel = (value: string): string =>
  unescaped(value)
    .replace(/^_\$!<(.*)>!\$_$/, "$1")
    .trim()
    .toLowerCase();

const encodingOf = ({ parameters }: ContentLine): string => (parameters.get("ENCODING")?.[0] ?? "").toLowerCase();
const isBase64 = (line: ContentLine): boolean => /^(?:b|base64)$/.test(encodingOf(line));

function property(line: ContentLine, labels: ReadonlyMap<string, string>): CardProperty {
  const { name, group, parameters } = line;
  const given = (parameters.get("TYPE") ?? []).flatMap((value) => value.toLowerCase().split(","));
  const label = group === undefined ? undefined : labels.get(group);
  const types = [
    ...new Set([...given.filter((type) => !IGNORED_TYPES.has(type) && type !== ""), ...(label ? [label] : [])]),
  ];
  const preferred = given.includes("pref") || parameters.get("PREF")?.[0] === "1";
  return { name, types, preferred, ...contentOf(line) };
}

function contentOf(line: ContentLine): Pick<CardProperty, "value" | "bytes" | "mimeType"> {
  const { value, parameters } = line;
  if (isBase64(line)) {
    const type = parameters.get("TYPE")?.[0]?.toLowerCase();
    return {
      value: "",
      bytes: Buffer.from(value, "base64"),
      ...(type === undefined ? {} : { mimeType: type.includes("/") ? type : `image/${type}` }),
    };
  }
  const data = /^data:([\w.+-]+\/[\w.+-]+)?[^,]{0,100};base64,/i.exec(value.replace(/\\,/g, ","));
  if (data !== null) {
    const encoded = value.replace(/\\,/g, ",").slice(data[0].length);
    return {
      value: "",
      bytes: Buffer.from(encoded, "base64"),
      ...(data[1] === undefined ? {} : { mimeType: data[1].toLowerCase() }),
    };
  }
  if (encodingOf(line) !== "quoted-printable") return { value };
  const bytes = Buffer.from(
    value.replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  );
  const label = parameters.get("CHARSET")?.[0];
  return {
    value: decoderOf(label ?? "utf-8")
      .decode(bytes)
      .replaceAll("\r\n", "\n"),
  };
}

/** Splits N, ADR and ORG into their parts. */
export const partsOf = (value: string): string[] => splitEscaped(value, ";").map(plain);
export const plain = (value: string): string => unescaped(value).replaceAll("\0", "").trim().toWellFormed();
