// Reads files for their text: each through descriptors, never through a link; parsed in a sandboxed process that gets the bytes alone.
import type { FileHandle } from "node:fs/promises";
import { z } from "zod";
import { programFile } from "../../../program-file.ts";
import { type SandboxedProcess, startSandboxed } from "../../../sandbox/sandboxed-process.ts";
import { type WatchLimits, watch } from "../../../sandbox/watchdog.ts";
import { openBelow } from "../../safe-open.ts";
import { TEXT_BYTES_MAX } from "./extract.ts";
import type { TextFormat } from "./formats.ts";
import type { TextRecognition } from "./recognition.ts";
import type { TextCandidate } from "./text-record.ts";

/** What a document may unfold to in memory while it is read. */
const HEAP_MB = 192;
const YOUNG_MB = 16;
/** A file that takes longer does not come to an end. */
const LIMITS: WatchLimits = { residentMb: 512, silenceMs: 20_000, silentCpuMs: 15_000 };
/** A page of small print takes ten seconds of a quick machine, and a large picture 200 MB. */
const RECOGNITION_LIMITS: WatchLimits = { residentMb: 1024, silenceMs: 240_000, silentCpuMs: 120_000 };

/** Checked: it comes from a process that a hostile file may control. */
const extractReply = z.union([
  z.strictObject({ text: z.string(), isCut: z.boolean(), isRecognised: z.boolean().optional() }),
  z.strictObject({ problem: z.string() }),
  /** A page of several is done. */
  z.strictObject({ beat: z.literal(true) }),
]);
export type ExtractReply = z.infer<typeof extractReply>;

export interface FoundText {
  /** undefined: there is none, or it cannot be read. */
  text?: string;
  isCut: boolean;
  isRecognised?: boolean | undefined;
  /** It could not be read, or not parsed. */
  problem: boolean;
}

export class Extractor {
  readonly #root: Uint8Array;
  readonly #own: ReadonlySet<string>;
  readonly #limits: WatchLimits;
  readonly #recognition: TextRecognition | undefined;
  #starting: Promise<SandboxedProcess> | undefined;

  constructor(
    root: Uint8Array,
    own: ReadonlySet<string>,
    { recognition, ...limits }: Partial<WatchLimits> & { recognition?: TextRecognition | undefined } = {},
  ) {
    this.#root = root;
    this.#own = own;
    this.#recognition = recognition;
    this.#limits = { ...(recognition === undefined ? LIMITS : RECOGNITION_LIMITS), ...limits };
  }

  /** `way`: names from the root down, as bytes. */
  async textOf(
    way: readonly Uint8Array[],
    { format, size }: Pick<TextCandidate, "format" | "size">,
  ): Promise<FoundText> {
    const nothing = (problem: boolean): FoundText => ({ isCut: false, problem });
    let bytes: Uint8Array<ArrayBuffer>;
    try {
      const { handle } = await openBelow(this.#root, way, this.#own);
      try {
        // One byte more tells that there is more.
        bytes = await readAtMost(handle, format === "plain" ? TEXT_BYTES_MAX + 1 : size);
      } finally {
        await handle.close();
      }
    } catch {
      return nothing(true);
    }
    const reply = await this.#ask(format, bytes);
    if ("problem" in reply) return nothing(true);
    return reply.text === "" ? nothing(false) : { ...reply, problem: false };
  }

  async close(): Promise<void> {
    const child = await this.#starting;
    this.#starting = undefined;
    await child?.end();
  }

  /** One file at a time. A process that was killed is replaced with the next. */
  async #ask(format: TextFormat, bytes: Uint8Array): Promise<Exclude<ExtractReply, { beat: true }>> {
    this.#starting ??= startSandboxed({
      work: programFile(import.meta.url, "./work"),
      start: this.#recognition === undefined ? {} : { recognition: this.#recognition },
      reads: this.#recognition?.reads ?? [],
      writes: [],
      heapMb: HEAP_MB,
      youngMb: YOUNG_MB,
    });
    const child = await this.#starting;
    const dog = watch(child.pid, this.#limits, () => child.kill());
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
    await this.close();
    return { problem: "the parser was ended" };
  }
}

async function readAtMost(handle: FileHandle, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const { size } = await handle.stat();
  const bytes = new Uint8Array(Math.min(most, size));
  let filled = 0;
  while (filled < bytes.length) {
    const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled === bytes.length ? bytes : bytes.slice(0, filled);
}
