// The parser process: its permissions to read and write, its limits, and the reason it ended.
import { realpath, rm } from "node:fs/promises";
import type { ObjectStorage } from "../engine/objects-place.ts";
import { programFile } from "../program-file.ts";
import { programPaths } from "../sandbox/launch.ts";
import { type SandboxEnd, type SandboxedProcess, startSandboxed } from "../sandbox/sandboxed-process.ts";
import type { WatchLimits } from "../sandbox/watchdog.ts";
import { type IncomingBlobs, incomingBlobs } from "./incoming-blobs.ts";
import type { ParserStart } from "./messages.ts";
import { parserInput } from "./parser-input.ts";
import { COPIES, newBlobsFolder, newScratch } from "./scratch.ts";
import type { InputPath } from "./walk.ts";

export interface ParserLimits extends WatchLimits {
  /** The heap limit. Bytes outside the heap count as resident memory. */
  heapMb: number;
}

/** Enough for any record, and far less than a laptop has. */
const LIMITS: ParserLimits = {
  heapMb: 256,
  residentMb: 640,
  silenceMs: 60_000,
  firstWordMs: 60_000,
  silentCpuMs: 30_000,
};
/** By default, V8 would use 100 MB more than a stream of records needs. */
const YOUNG_MB = 16;

export const parserLimits = (given: Partial<ParserLimits>): ParserLimits => ({ ...LIMITS, ...given });

export interface ParserProcess {
  child: SandboxedProcess;
  blobs: IncomingBlobs;
  /** Kills the process, and deletes the files it wrote. */
  end(): Promise<void>;
}

interface StartOptions {
  home: string;
  objects: ObjectStorage;
  limits: ParserLimits;
  given: readonly InputPath[];
  importers?: { module: string; reads: readonly string[] };
}

export async function startParser({ home, objects, limits, given, importers }: StartOptions): Promise<ParserProcess> {
  const scratch = await realpath(await newScratch(home, COPIES));
  const newBlobs = await newBlobsFolder(objects);
  const { heapMb } = limits;
  const input = await parserInput(given, [scratch, ...programPaths(), ...(importers?.reads ?? [])]);
  const start: ParserStart = {
    given: input.given,
    scratch,
    ...(importers === undefined ? {} : { importers: importers.module }),
  };
  const child = await startSandboxed({
    work: programFile(import.meta.url, "./parse/work"),
    start,
    scratch,
    reads: input.reads,
    writes: [scratch],
    heapMb,
    youngMb: YOUNG_MB,
  });
  const incoming = incomingBlobs(objects, newBlobs);
  return {
    child,
    blobs: incoming,
    async end() {
      await child.end();
      await incoming.close();
      await Promise.allSettled([scratch, newBlobs].map((folder) => rm(folder, { recursive: true, force: true })));
    },
  };
}

/** Describes for the report why the process ended. */
export function endReason({ signal, stderrTail }: SandboxEnd, { heapMb }: ParserLimits): string {
  const isOutOfMemory = signal === "SIGABRT" || signal === "SIGTRAP" || /out of memory/i.test(stderrTail);
  if (isOutOfMemory) return `the parser needed more than ${heapMb} MB of heap`;
  const [error] = /^\w*Error.*$/m.exec(stderrTail) ?? [];
  return error === undefined ? "the parser stopped" : `the parser stopped: ${error}`;
}
