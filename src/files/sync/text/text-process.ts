// The sandboxed process that extracts text from files. It starts with the first file, and is replaced if it had to be
// killed.
import { z } from "zod";
import { programFile } from "../../../program-file.ts";
import { type SandboxedProcess, startSandboxed } from "../../../sandbox/sandboxed-process.ts";
import { type WatchLimits, watch } from "../../../sandbox/watchdog.ts";
import type { TextFormat } from "./formats.ts";
import type { TextRecognition } from "./recognition.ts";

/** Heap sizes for parsing a document. */
const HEAP_MB = 192;
const YOUNG_MB = 16;
/** A file that takes longer would probably never finish. */
const LIMITS: WatchLimits = { residentMb: 512, silenceMs: 20_000, silentCpuMs: 15_000 };
/** A page of small print takes ten seconds on a fast machine, and a large picture takes 200 MB. */
const RECOGNITION_LIMITS: WatchLimits = { residentMb: 1024, silenceMs: 240_000, silentCpuMs: 120_000 };

/** Validated, because a hostile file may control the process that sends it. */
const extractReply = z.union([
  z.strictObject({ text: z.string(), isCut: z.boolean(), isRecognised: z.boolean().optional() }),
  z.strictObject({ problem: z.string() }),
  /** Reports that one of several pages is done. */
  z.strictObject({ beat: z.literal(true) }),
]);
export type ExtractReply = z.infer<typeof extractReply>;

export interface TextProcessOptions extends Partial<WatchLimits> {
  recognition?: TextRecognition | undefined;
}

export interface TextProcess {
  /** Handles one file at a time. */
  ask(format: TextFormat, bytes: Uint8Array): Promise<Exclude<ExtractReply, { beat: true }>>;
  close(): Promise<void>;
}

export function textProcess({ recognition, ...given }: TextProcessOptions = {}): TextProcess {
  const limits = { ...(recognition === undefined ? LIMITS : RECOGNITION_LIMITS), ...given };
  let starting: Promise<SandboxedProcess> | undefined;

  async function close(): Promise<void> {
    const child = await starting;
    starting = undefined;
    await child?.end();
  }

  return {
    close,
    async ask(format, bytes) {
      starting ??= startSandboxed({
        work: programFile(import.meta.url, "./work"),
        start: recognition === undefined ? {} : { recognition },
        reads: recognition?.reads ?? [],
        writes: [],
        heapMb: HEAP_MB,
        youngMb: YOUNG_MB,
      });
      const child = await starting;
      const dog = watch(child.pid, limits, () => child.kill());
      try {
        dog.expect();
        child.onBytes = dog.heard;
        child.send({ format }, bytes);
        for (;;) {
          const frame = await child.next();
          const reply = extractReply.safeParse(frame?.message).data;
          if (reply === undefined) break;
          if (!("beat" in reply)) return reply;
          dog.expect();
        }
      } finally {
        dog.stop();
      }
      await close();
      return { problem: "the parser was stopped" };
    },
  };
}
