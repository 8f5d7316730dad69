// Lines in iCalendar and vCard files, escaped, folded after 75 bytes and terminated according to RFC 5545 and RFC 6350.

/** `name` includes the parameters. An empty value produces no line. */
export const line = (name: string, value: string | undefined): string[] =>
  value === undefined || value === "" ? [] : [folded(`${name}:${value}`)];

export const textLine = (name: string, text: string | undefined): string[] =>
  line(name, text === undefined ? undefined : escaped(text));

export const escaped = (text: string): string => text.replace(/[\\;,]/g, "\\$&").replaceAll("\n", "\\n");

/** A quoted parameter value, because names contain commas and spaces. */
export const quoted = (text: string): string => `"${text.replaceAll('"', "'")}"`;

export const component = (name: string, lines: readonly string[]): string[] => [
  `BEGIN:${name}`,
  ...lines,
  `END:${name}`,
];

export const fileOf = (lines: readonly string[]): string => `${lines.join("\r\n")}\r\n`;

/** `20250515T064500Z` */
export const utcStamp = (milliseconds: number): string =>
  `${new Date(milliseconds).toISOString().slice(0, 19).replace(/[-:]/g, "")}Z`;

const LINE_BYTES = 75;

function folded(text: string): string {
  if (Buffer.byteLength(text) <= LINE_BYTES) return text;
  const lines: string[] = [];
  let [own, bytes] = ["", 0];
  for (const sign of text) {
    const size = Buffer.byteLength(sign);
    if (bytes + size > LINE_BYTES) {
      lines.push(own);
      [own, bytes] = [" ", 1];
    }
    own += sign;
    bytes += size;
  }
  return [...lines, own].join("\r\n");
}
