// A shell that runs the commands of one document in sequence, with a demo home and its server.
import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { ROOT } from "./blocks.ts";

export interface Result {
  code: number;
  /** Standard output and standard error, interleaved as they were written. */
  lines: string[];
}

/** The address, the home and the second disk that the docs use. */
const WRITTEN_ORIGIN = "http://127.0.0.1:7887";
const WRITTEN_HOME = "/tmp/postern-demo";
const WRITTEN_DISK = "/mnt/disk";
const USER = "nora";

export async function runAll(commands: readonly string[], place: { url: string; home: string }): Promise<Result[]> {
  const folder = mkdtempSync(join(tmpdir(), "pdpp-documents-"));
  const disk = join(folder, "disk");
  try {
    mkdirSync(disk);
    const mark = "=end-of-command=";
    const script = commands
      .map((text) => text.replaceAll(WRITTEN_ORIGIN, place.url).replaceAll(WRITTEN_HOME, place.home))
      .map((text) => text.replaceAll(WRITTEN_DISK, disk))
      .map((text) => `${text}\necho; echo "${mark}$?"`)
      .join("\n");
    const printed = await run(script, folder, place.home);
    const pieces = printed.split(`\n${mark}`);
    return commands.map((text, at) => {
      if (at + 1 >= pieces.length) throw new Error(`the shell ended before: ${text}\n${printed}`);
      const piece = at === 0 ? pieces[0]! : pieces[at]!.slice(pieces[at]!.indexOf("\n") + 1);
      const lines = piece
        .replaceAll(place.url, WRITTEN_ORIGIN)
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

async function run(script: string, folder: string, home: string): Promise<string> {
  const programs = join(folder, "programs");
  mkdirSync(programs);
  const command = (name: string, file: string): void => {
    writeFileSync(join(programs, name), `#!/bin/sh\nexec "${process.execPath}" "${file}" "$@"\n`);
    chmodSync(join(programs, name), 0o755);
  };
  command("pdpp", join(ROOT, "bin/pdpp.js"));
  command("jq", join(ROOT, "test/documents/jq.ts"));
  const work = join(folder, USER);
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
      COLUMNS: "200",
      TZ: "UTC",
    },
  });
  const pieces: Buffer[] = [];
  child.stdout.on("data", (piece: Buffer) => pieces.push(piece));
  await new Promise((resolve) => child.once("close", resolve));
  return Buffer.concat(pieces).toString();
}

/** Values that differ between homes or over time. */
const VARYING: [RegExp, string][] = [
  // The width of a column depends on the longest path in it.
  [/ {2,}/g, "  "],
  [/─+/g, "─"],
  [/\b(grt|cin|cli|req|job|exp|evt|sub|pkg|sid|sel)_[\w-]+/g, "$1_ID"],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, "TIME"],
  // Line numbers and dates in the activity log.
  [/^\d+(?= {2}TIME)/g, "N"],
  [/\bWhy was \d+ denied/g, "Why was N denied"],
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
