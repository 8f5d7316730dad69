// Parses shell histories: bash with or without times, zsh plain and extended, fish.
import { type Entry, type Line, linesOf } from "../../entry.ts";

export type Shell = "bash" | "zsh" | "fish" | "sh";

export interface ShellCommand {
  command: string;
  /** Seconds since 1970. */
  at?: number;
  seconds?: number;
  paths?: string[];
  offset: number;
  cut: boolean;
}

/** A longer command was pasted by accident, and its beginning is enough. */
const COMMAND_BYTES_MAX = 64 * 1024;
const LINES_MAX = 2000;

const BASH_TIME = /^#(\d{9,11})$/;
const ZSH_EXTENDED = /^: (\d{9,11}):(\d{1,9});/;

/** Detects the format from the first lines. Returns undefined if they could be any text. */
export function shellOf(head: string): Shell | undefined {
  if (/^- cmd: .*\n {2}when: \d+/m.test(head)) return "fish";
  if (/^: \d{9,11}:\d+;/m.test(head)) return "zsh";
  return /^#\d{9,11}\r?\n/m.test(head) ? "bash" : undefined;
}

export function commandsOf(entry: Entry, shell: Shell): AsyncGenerator<ShellCommand> {
  const lines = linesOf(entry, 0, COMMAND_BYTES_MAX);
  if (shell === "fish") return fishCommands(lines);
  return shell === "zsh" ? zshCommands(lines) : bashCommands(lines);
}

type Lines = AsyncIterable<Line & { cut: boolean }>;

/** With times, a command extends to the next time, because bash writes multi-line commands unescaped. */
async function* bashCommands(lines: Lines): AsyncGenerator<ShellCommand> {
  let open: (ShellCommand & { lines: string[] }) | undefined;
  const done = (): ShellCommand[] => {
    const { lines: parts, ...rest } = open!;
    const command = parts.join("\n").trim();
    open = undefined;
    return command === "" ? [] : [{ ...rest, command }];
  };
  for await (const { bytes, offset, cut } of lines) {
    const line = bytes.toString("utf8");
    const time = BASH_TIME.exec(line)?.[1];
    if (time !== undefined) {
      if (open !== undefined) yield* done();
      open = { at: Number(time), lines: [], offset, cut: false, command: "" };
    } else if (open !== undefined && open.lines.length < LINES_MAX) {
      open.lines.push(line);
      open.cut ||= cut;
    } else {
      if (open !== undefined) yield* done();
      if (line.trim() !== "") yield { command: line.trim(), offset, cut };
    }
  }
  if (open !== undefined) yield* done();
}

/** A backslash at the end of a line continues the command. */
async function* zshCommands(lines: Lines): AsyncGenerator<ShellCommand> {
  let open: { parts: string[]; offset: number; cut: boolean } | undefined;
  const done = (): ShellCommand[] => {
    const { parts, offset, cut } = open!;
    open = undefined;
    const whole = parts.join("\n");
    const [prefix, at, seconds] = ZSH_EXTENDED.exec(whole) ?? [];
    const command = whole.slice(prefix?.length ?? 0).trim();
    if (command === "") return [];
    return [{ command, offset, cut, ...(at === undefined ? {} : { at: Number(at), seconds: Number(seconds) }) }];
  };
  for await (const { bytes, offset, cut } of lines) {
    const line = unmetafied(bytes).toString("utf8");
    const goesOn = /(?:^|[^\\])(?:\\\\)*\\$/.test(line);
    open ??= { parts: [], offset, cut: false };
    open.parts.push(goesOn ? line.slice(0, -1) : line);
    open.cut ||= cut;
    if (!goesOn || open.parts.length >= LINES_MAX) yield* done();
  }
  if (open !== undefined) yield* done();
}

/** zsh writes some bytes as 0x83 followed by the byte with its sixth bit flipped. */
function unmetafied(bytes: Buffer): Buffer {
  if (!bytes.includes(0x83)) return bytes;
  const plain = Buffer.alloc(bytes.length);
  let length = 0;
  for (let index = 0; index < bytes.length; index++) {
    const meta = bytes[index] === 0x83 && index + 1 < bytes.length;
    plain[length++] = meta ? bytes[++index]! ^ 0x20 : bytes[index]!;
  }
  return plain.subarray(0, length);
}

/**
 * The format looks like YAML but is not: each entry begins with `- cmd:`, and line breaks and backslashes are escaped.
 */
async function* fishCommands(lines: Lines): AsyncGenerator<ShellCommand> {
  let open: ShellCommand | undefined;
  for await (const { bytes, offset, cut } of lines) {
    const line = bytes.toString("utf8");
    if (line.startsWith("- cmd: ")) {
      if (open !== undefined) yield open;
      const command = line.slice(7).replace(/\\(n|\\)/g, (_, escaped: string) => (escaped === "n" ? "\n" : "\\"));
      open = { command, offset, cut };
    } else if (open !== undefined) {
      const when = /^ {2}when: (\d{1,11})$/.exec(line)?.[1];
      if (when !== undefined) open.at = Number(when);
      else if (line.startsWith("    - ") && (open.paths?.length ?? 0) < 100) {
        open.paths = [...(open.paths ?? []), line.slice(6)];
      }
    }
  }
  if (open !== undefined) yield open;
}
