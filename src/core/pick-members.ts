// Extracts some members of a JSON object from its text, because parsing a record only to print it again takes most of a
// read's time.

/**
 * The beginning of a shown member by its position in the record, `"name":`, from the first record that had one there.
 * Most records of a stream have the same members in the same order, and comparing is faster than looking up a name.
 */
const layouts = new WeakMap<ReadonlySet<string>, (string | undefined)[]>();

/** `text` is an object in the format of JSON.stringify, without spaces between its parts. */
export function pickMembers(text: string, shown: ReadonlySet<string>): string {
  const layout = layouts.get(shown) ?? newLayout(shown);
  const end = text.length - 1;
  let picked = "";
  /** Where the current run of members to keep began; -1 after an omitted member. */
  let run = -1;
  for (let at = 1, position = 0; at < end; position++) {
    const known = layout[position];
    const isKnown = known !== undefined && text.startsWith(known, at);
    const nameEnd = isKnown ? at + known.length - 1 : stringEnd(text, at);
    const valueEnd = endOfValue(text, nameEnd + 1);
    const name = isKnown ? undefined : nameIn(text.slice(at, nameEnd));
    if (name === undefined || shown.has(name)) {
      // A slice of the text would keep the whole record in memory.
      if (name !== undefined) layout[position] ??= `${JSON.stringify(name)}:`;
      if (run === -1) run = at;
    } else {
      if (run !== -1) picked += text.slice(run, at);
      run = -1;
    }
    at = valueEnd + 1;
  }
  if (run === 1) return text;
  if (run !== -1) return `{${picked}${text.slice(run)}`;
  // If the last member was omitted, the picked text ends with a comma.
  return picked === "" ? "{}" : `{${picked.slice(0, -1)}}`;
}

function newLayout(shown: ReadonlySet<string>): (string | undefined)[] {
  const layout: (string | undefined)[] = [];
  layouts.set(shown, layout);
  return layout;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;

const nameIn = (quoted: string): string =>
  quoted.includes("\\") ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);

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
    if (code === QUOTE) {
      at = stringEnd(text, at);
      continue;
    }
    if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
      if (depth === 0) return at;
      depth--;
    } else if (code === COMMA) {
      if (depth === 0) return at;
    } else if (code === OPEN_OBJECT || code === OPEN_LIST) depth++;
    at++;
  }
}
