// A shell that runs the commands of one document in sequence, with a demo home and its server.
import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ROOT } from "./blocks.ts";

export interface Result {
  code: number;
  /** Standard output and standard error, interleaved as they were written. */
  lines: string[];
}

/** The address, the home and the second disk that the docs use. */
const WRITTEN_ORIGIN = "http://127.0.0.1:7887";
const WRITTEN_REMOTE = "https://data.example.org";
const WRITTEN_HOME = "/tmp/postern-demo";
const WRITTEN_DISK = "/mnt/disk";
const USER = "nora";

export interface Step {
  text: string;
  /** The lines, separated by `|`, that a person types at this command; it then runs in a terminal. */
  typed?: string | undefined;
}

export interface Place {
  url: string;
  home: string;
  /** Does what the owner would do on the page that a command opens in the browser. */
  visit(address: string): Promise<void>;
}

export async function runAll(steps: readonly Step[], place: Place): Promise<Result[]> {
  const folder = mkdtempSync(join(tmpdir(), "pdpp-documents-"));
  const disk = join(folder, "disk");
  // Commands that a page shows for another machine run on this server.
  const origin = steps.some(({ text }) => text.includes(WRITTEN_REMOTE)) ? WRITTEN_REMOTE : WRITTEN_ORIGIN;
  try {
    mkdirSync(disk);
    const mark = "=end-of-command=";
    const script = steps
      .map((step) => (step.typed === undefined ? step.text : atTerminal(step.text, step.typed)))
      .map((text) => text.replaceAll(origin, place.url).replaceAll(WRITTEN_HOME, place.home))
      .map((text) => text.replaceAll(WRITTEN_DISK, disk))
      .map((text) => `${text}\necho; echo "${mark}$?"`)
      .join("\n");
    const printed = await run(script, folder, place);
    const pieces = printed.split(`\n${mark}`);
    return steps.map(({ text, typed }, at) => {
      if (at + 1 >= pieces.length) throw new Error(`the shell ended before: ${text}\n${printed}`);
      const piece = at === 0 ? pieces[0]! : pieces[at]!.slice(pieces[at]!.indexOf("\n") + 1);
      const lines = (typed === undefined ? piece : withoutTerminal(piece, typed))
        .replaceAll(place.url, origin)
        .replaceAll(place.home, WRITTEN_HOME)
        .replaceAll(disk, WRITTEN_DISK)
        .replaceAll(join(folder, USER), `/home/${USER}`)
        .replaceAll(/\bpdpp_at_[\w-]+/g, "pdpp_at_…")
        .split("\n");
      while (lines.at(-1) === "") lines.pop();
      return { code: Number.parseInt(pieces[at + 1]!, 10), lines };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `script` gives the command a terminal. Postern's prompts need one. */
const atTerminal = (text: string, typed: string): string =>
  `printf %s\\\\n ${typed
    .split("|")
    .map((line) => `'${line}'`)
    .join(" ")} | script -qec '${text.replaceAll("'", "'\\''")}' /dev/null`;

/** Removes escape sequences, and the lines that the terminal echoes before the command reads them. */
function withoutTerminal(printed: string, typed: string): string {
  const lines = printed.replaceAll(/\x1b\[[\d;]*[A-Za-z]|\r/g, "").split("\n");
  return lines.slice(typed.split("|").length).join("\n");
}

async function run(script: string, folder: string, { home, visit }: Place): Promise<string> {
  const programs = join(folder, "programs");
  mkdirSync(programs);
  const command = (name: string, file: string): void => {
    writeFileSync(join(programs, name), `#!/bin/sh\nexec "${process.execPath}" "${file}" "$@"\n`);
    chmodSync(join(programs, name), 0o755);
  };
  command("pdpp", join(ROOT, "bin/pdpp.js"));
  command("jq", join(ROOT, "test/documents/jq.ts"));
  const work = join(folder, USER);
  const address = join(folder, "address");
  mkdirSync(work);
  writeFileSync(join(folder, "script"), `exec 2>&1\n${script}\n`);
  const child = spawn("bash", [join(folder, "script")], {
    cwd: work,
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      ...process.env,
      PATH: `${programs}${delimiter}${process.env.PATH}`,
      HOME: work,
      PDPP_HOME: home,
      PDPP_BROWSER: `printf %s > '${address}'`,
      SSH_CONNECTION: "",
      SSH_TTY: "",
      COLUMNS: "200",
      TZ: "UTC",
    },
  });
  const pieces: Buffer[] = [];
  child.stdout.on("data", (piece: Buffer) => pieces.push(piece));
  const ended = new Promise<"ended">((resolve) => child.once("close", () => resolve("ended")));
  while ((await Promise.race([ended, pause(100)])) !== "ended") {
    if (!existsSync(address) || readFileSync(address, "utf8") === "") continue;
    const opened = readFileSync(address, "utf8");
    rmSync(address);
    await visit(opened);
  }
  return Buffer.concat(pieces).toString();
}

/** Values that differ between homes or over time. */
const VARYING: [RegExp, string][] = [
  // The width of a column depends on the longest path in it.
  [/ {2,}/g, "  "],
  [/─+/g, "─"],
  [/\b(grt|cin|cli|req|job|exp|evt|sub|pkg|sid|sel|sch)_[\w…-]+/g, "$1_ID"],
  [/\bwhsec_[\w…+/=-]+/g, "whsec_ID"],
  [/\/oauth\/authorize\?\S+/g, "/oauth/authorize?QUERY"],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, "TIME"],
  // Line numbers and dates in the activity log.
  [/^\d+(?= {2}TIME)/g, "N"],
  [/\bTo see why \d+ was denied/g, "To see why N was denied"],
  [/^\d{4}-\d\d-\d\d(?= {2})/g, "DAY"],
  [/revision=[\w-]+/g, "revision=REVISION"],
  [/"(revision|next_cursor|next_changes_since|digest)":\s*"[^"]+"/g, '"$1":"VALUE"'],
  [/(messages|notes|transactions|events)[:/][\w-]{16}(?![\w-])/g, "$1:KEY"],
  [/"(id|record_key)":"[\w-]{16}"/g, '"$1":"KEY"'],
  [/\b\d[\d,]* entries\b/g, "N entries"],
  [/\bin \d+(?:\.\d+)? m?s\b/g, "in N s"],
  // Record ids depend on a secret of the home, so the digests of files that contain them vary.
  [/\bSHA-256 [0-9a-f]{64}\b/g, "SHA-256 DIGEST"],
  // The size of a directory depends on the file system.
  [/\([\d.]+ \w+ on disk\)/g, "(SIZE on disk)"],
];

export const normalised = (lines: readonly string[]): string[] =>
  lines.map((line) => VARYING.reduce((text, [pattern, by]) => text.replace(pattern, by), line.trimEnd()));
