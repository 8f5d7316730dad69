// Reads files for their text: each through descriptors, never through a link; parsed in a thread with bounds of its own.
import type { FileHandle } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { programFile } from "../../../program-file.ts";
import { openBelow } from "../../safe-open.ts";
import { TEXT_BYTES_MAX } from "./extract.ts";
import type { TextCandidate } from "./text-record.ts";
import type { ExtractReply, ExtractRequest } from "./thread.ts";

/** What a document may unfold to in memory while it is read. */
const MEMORY_MB = 192;
const YOUNG_MB = 16;
/** A file that takes longer does not come to an end. */
const FILE_MS = 20_000;

export interface FoundText {
  /** undefined: there is none, or it cannot be read. */
  text?: string;
  isCut: boolean;
  /** It could not be read, or not parsed. */
  problem: boolean;
}

export class Extractor {
  readonly #root: Uint8Array;
  readonly #own: ReadonlySet<string>;
  readonly #timeoutMs: number;
  #worker: Worker | undefined;

  constructor(root: Uint8Array, own: ReadonlySet<string>, { timeoutMs = FILE_MS } = {}) {
    this.#root = root;
    this.#own = own;
    this.#timeoutMs = timeoutMs;
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
    const reply = await this.#ask({ format, bytes });
    if ("problem" in reply) return nothing(true);
    return reply.text === "" ? nothing(false) : { ...reply, problem: false };
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
    this.#worker = undefined;
  }

  /** One file at a time. A thread that ended is replaced with the next. */
  #ask(request: ExtractRequest): Promise<ExtractReply> {
    const worker = this.#thread();
    return new Promise((resolve) => {
      const listeners = new AbortController();
      const timer = setTimeout(() => broken("it takes too long"), this.#timeoutMs);
      const settle = (reply: ExtractReply): void => {
        clearTimeout(timer);
        listeners.abort();
        resolve(reply);
      };
      const broken = (problem: string): void => {
        this.#worker = undefined;
        worker.terminate().then(
          () => settle({ problem }),
          () => settle({ problem }),
        );
      };
      const on = <T>(name: string, listener: (value: T) => void): void => {
        worker.on(name, listener);
        listeners.signal.addEventListener("abort", () => worker.off(name, listener));
      };
      on("message", settle);
      on("error", (error: Error) => broken(error.message));
      on("exit", () => broken("the thread stopped"));
      worker.postMessage(request, [request.bytes.buffer]);
    });
  }

  #thread(): Worker {
    this.#worker ??= new Worker(programFile(import.meta.url, "./thread"), {
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB, maxYoungGenerationSizeMb: YOUNG_MB },
    });
    return this.#worker;
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
