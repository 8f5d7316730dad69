// Builds the command that starts a sandboxed process: Node's permission model, wrapped in the limits that this system
// offers.
import { execFile } from "node:child_process";
import { realpathSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { programFile } from "../program-file.ts";

export interface SandboxRights {
  /** Files, and folders including everything in them. */
  reads: readonly string[];
  /** Folders. */
  writes: readonly string[];
  /**
   * A module with native code, which is loaded before the process is confined. Permissions and the module allowlist do
   * not restrict native code, but the memory and time limits, the empty network namespace and the clean environment do.
   */
  native?: string;
}

export interface HeapLimits {
  heapMb: number;
  youngMb: number;
}

const CHILD = programFile(import.meta.url, "./child");

/** A package that is not part of the build. The other packages are installed next to it. */
const PACKAGE = "unpdf";

/**
 * Stops a process after 4 hours if it outlives its parent inside native code, on systems that cannot tie it to its
 * parent.
 */
const CPU_SECONDS_MAX = 4 * 60 * 60;
/** The limit on writable memory. Node reserves 0.6 GB of it at startup. */
const DATA_KB_MAX = 1536 * 1024;

/**
 * Core files are disabled, because they would contain the data being parsed. If the system refuses a limit, the process
 * starts without it.
 */
const WITH_LIMITS = `ulimit -c 0; ulimit -t ${CPU_SECONDS_MAX}; ulimit -d ${DATA_KB_MAX}; unset PWD OLDPWD SHLVL; exec "$@"`;

export async function launchCommand(
  work: URL,
  { reads, writes, native }: SandboxRights,
  { heapMb, youngMb }: HeapLimits,
): Promise<{ file: string; args: string[] }> {
  const node = [
    process.execPath,
    "--permission",
    ...[...programPaths(), ...reads].map((path) => `--allow-fs-read=${path}`),
    ...writes.map((path) => `--allow-fs-write=${path}`),
    `--max-old-space-size=${heapMb}`,
    `--max-semi-space-size=${Math.ceil(youngMb / 3)}`,
    "--disable-sigusr1",
    "--disable-warning=ExperimentalWarning",
    ...(native === undefined ? [] : ["--allow-addons", "--disable-warning=SecurityWarning"]),
    fileURLToPath(CHILD),
    work.href,
    ...(native === undefined ? [] : [native]),
  ];
  if (process.platform === "win32") return { file: node[0]!, args: node.slice(1) };
  return { file: "/bin/sh", args: ["-c", WITH_LIMITS, "sh", ...(await outerCommands()), ...node] };
}

/** The build or the sources, and the packages that they load. Every sandboxed process may read them. */
export function programPaths(): string[] {
  const root = fileURLToPath(new URL("..", CHILD));
  const own = findPackageJSON("..", CHILD);
  const foreign = findPackageJSON(PACKAGE, CHILD);
  return [
    root,
    ...(own === undefined ? [] : [own]),
    ...(foreign === undefined ? [] : [join(dirname(dirname(realpathSync(foreign))), "/")]),
  ];
}

let known: Promise<string[]> | undefined;

/** Checks once what this system supports: an empty network namespace, and exiting together with the parent. */
function outerCommands(): Promise<string[]> {
  known ??= process.platform === "linux" ? linuxCommands() : Promise.resolve([]);
  return known;
}

/** Tries first without a user namespace, so that root keeps its access to other users' files. */
const EMPTY_NETWORK = [
  ["unshare", "--net"],
  ["unshare", "--user", "--map-current-user", "--net"],
];
const WITH_PARENT = [["setpriv", "--pdeathsig", "KILL"]];

async function linuxCommands(): Promise<string[]> {
  const network = await firstThatWorks([], EMPTY_NETWORK);
  return [...network, ...(await firstThatWorks(network, WITH_PARENT))];
}

async function firstThatWorks(outer: readonly string[], commands: readonly string[][]): Promise<string[]> {
  for (const command of commands) {
    try {
      const [file, ...args] = [...outer, ...command, "true"];
      await promisify(execFile)(file!, args);
      return command;
    } catch {
      // The command is not installed or not permitted here.
    }
  }
  return [];
}
