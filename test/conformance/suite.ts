// Runs the unmodified official conformance suite: the server scenarios that a revision requires, against one URL.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";

const SUITE = fileURLToPath(
  new URL("../../node_modules/@modelcontextprotocol/conformance/dist/index.js", import.meta.url),
);

/** The number of server scenarios that each revision requires. The sets are frozen. */
export const REQUIRED = { "2025-11-25": 30, "2026-07-28": 37 } as const;
export type Revision = keyof typeof REQUIRED;
export const REVISIONS = Object.keys(REQUIRED) as Revision[];

export interface Verdict {
  exitCode: number | null;
  /** Failures and warnings that the baseline does not list. */
  unexpected: string[];
  /** Baseline failures that now pass. */
  stale: string[];
  /** Baseline failures that still fail. */
  excused: string[];
}

/** Warnings count as failures, as they do in the suite itself if there is a baseline, even an empty one. */
export async function runSuite(url: string, revision: Revision, baseline: string): Promise<Verdict> {
  const args = ["server", "--url", url, "--requirements", revision, "--expected-failures", baseline];
  const child = spawn(process.execPath, [SUITE, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (said += part));
  const exitCode = await new Promise<number | null>((resolve) => child.once("close", resolve));
  const lines = stripVTControlCharacters(said).split("\n");
  const summary = lines.indexOf("=== SUMMARY ===");
  const ran = lines.slice(summary).filter((line) => /^[✓✗] \S+: \d+ passed/.test(line));
  if (summary === -1 || ran.length < REQUIRED[revision]) throw new Error(`the suite did not run to its end:\n${said}`);
  return {
    exitCode,
    unexpected: below(lines, "Unexpected failures"),
    stale: below(lines, "Stale baseline entries"),
    excused: below(lines, "Expected failures"),
  };
}

/** Returns the lines under a heading. */
function below(lines: readonly string[], heading: string): string[] {
  const start = lines.findIndex((line) => line.startsWith(heading)) + 1;
  if (start === 0) return [];
  const rest = lines.slice(start);
  const length = rest.findIndex((line) => !line.startsWith("  "));
  return rest.slice(0, length === -1 ? undefined : length).map((line) => line.slice(4));
}
