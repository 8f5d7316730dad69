// Extracts some members of a JSON object from its text, because parsing a record only to print it again takes most of a
// read's time.

/** `text` is an object in the format of JSON.stringify, without spaces between its parts. */
export function pickMembers(text: string, shown: ReadonlySet<string>): string {
  const end = text.length - 1;
  let picked = "";
  /** Where the current run of members to keep began; -1 after an omitted member. */
  let run = -1;
  for (let at = 1; at < end; ) {
    const nameEnd = stringEnd(text, at);
    const valueEnd = endOfValue(text, nameEnd + 1);
    if (!shown.has(nameOf(text, at, nameEnd))) {
      if (run !== -1) picked += text.slice(run, at);
      run = -1;
    } else if (run === -1) run = at;
    at = valueEnd + 1;
  }
  if (run === 1) return text;
  if (run !== -1) return `{${picked}${text.slice(run)}`;
  // If the last member was omitted, the picked text ends with a comma.
  return picked === "" ? "{}" : `{${picked.slice(0, -1)}}`;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN = [0x7b, 0x5b];
const CLOSE = [0x7d, 0x5d];

function nameOf(text: string, start: number, end: number): string {
  const name = text.slice(start + 1, end - 1);
  return name.includes("\\") ? (JSON.parse(text.slice(start, end)) as string) : name;
}

/** Returns the position after the closing quote of the string that begins at `start`. */
function stringEnd(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); ; quote = text.indexOf('"', quote + 1)) {
    let slash = quote - 1;
    while (text.charCodeAt(slash) === BACKSLASH) slash--;
    if ((quote - slash) % 2 === 1) return quote + 1;
  }
}

/** Returns the position after the value that begins at `start`. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; ; ) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = stringEnd(text, at);
    else if (depth === 0 && (code === COMMA || CLOSE.includes(code))) return at;
    else {
      if (OPEN.includes(code)) depth++;
      else if (CLOSE.includes(code)) depth--;
      at++;
    }
  }
}
