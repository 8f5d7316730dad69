// Parses lines of iCalendar and vCard into name, parameters and value, according to RFC 5545, RFC 6350 and vCard 2.1.

export interface ContentLine {
  /** "item1" in "item1.EMAIL", which Apple uses to tie a label to its value. */
  group?: string;
  /** In upper case. */
  name: string;
  /** Names are in upper case. A bare word in vCard 2.1 counts as a TYPE. */
  parameters: ReadonlyMap<string, string[]>;
  /** Not decoded. */
  value: string;
}

const ENCODINGS = /^(?:quoted-printable|base64|b|8bit|7bit)$/i;

/** Returns undefined if it is not a content line. */
export function parseContentLine(line: string): ContentLine | undefined {
  const head = /^(?:([A-Za-z0-9_-]{1,100})\.)?([A-Za-z0-9_-]{1,100})[ \t]*(?=[;:])/.exec(line);
  if (head === null) return undefined;
  const parameters = new Map<string, string[]>();
  let at = head[0].length;
  while (line[at] === ";") {
    const end = parameterEnd(line, at + 1);
    if (end === -1) return undefined;
    addParameter(parameters, line.slice(at + 1, end));
    at = end;
  }
  if (line[at] !== ":") return undefined;
  return {
    ...(head[1] === undefined ? {} : { group: head[1].toLowerCase() }),
    name: head[2]!.toUpperCase(),
    parameters,
    value: line.slice(at + 1),
  };
}

/** Outlook writes zones without quotes: TZID=(UTC-05:00) Eastern Time (US and Canada). */
const OFFSET_BEFORE = /\((?:UTC|GMT) ?[+-] ?\d{1,2}$/i;

/** Finds the next ; or : outside quotes. */
function parameterEnd(line: string, from: number): number {
  let quoted = false;
  for (let at = from; at < line.length; at++) {
    const sign = line[at];
    if (sign === '"') quoted = !quoted;
    else if (!quoted && (sign === ";" || sign === ":") && !OFFSET_BEFORE.test(line.slice(Math.max(from, at - 10), at)))
      return at;
  }
  return -1;
}

function addParameter(parameters: Map<string, string[]>, text: string): void {
  const equals = text.indexOf("=");
  const name =
    equals === -1 ? (ENCODINGS.test(text.trim()) ? "ENCODING" : "TYPE") : text.slice(0, equals).trim().toUpperCase();
  const values = (text.slice(equals + 1).match(/"[^"]*"|(?:\\.|[^,\\]|\\$)+/g) ?? []).map((value) =>
    value
      .trim()
      .replace(/^"|"$/g, "")
      // RFC 6868
      .replace(/\^([n'^])/g, (_, sign: string) => (sign === "n" ? "\n" : sign === "'" ? '"' : "^")),
  );
  parameters.set(name, [...(parameters.get(name) ?? []), ...values]);
}

/** Decodes \n, \, \; and \\. Other backslashes are removed only before a quote or before a colon, where Google adds one. */
export const unescaped = (value: string): string =>
  value.replace(/\\([nN,;:\\"])/g, (_, sign: string) => (sign === "n" || sign === "N" ? "\n" : sign));

/** Splits at separators that are not escaped. */
export function splitEscaped(value: string, sign: ";" | ","): string[] {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < value.length; at++) {
    if (value[at] === "\\") at++;
    else if (value[at] === sign) {
      parts.push(value.slice(from, at));
      from = at + 1;
    }
  }
  parts.push(value.slice(from));
  return parts;
}
