// Reads files to extract their text. It opens each through descriptors, never through a link. A sandboxed process that
// gets only the bytes does the parsing.
import type { OpenHandle } from "../../disk-access.ts";
import { openBelowDirectly } from "../../safe-open.ts";
import { TEXT_BYTES_MAX } from "./extract.ts";
import { type TextProcess, type TextProcessOptions, textProcess } from "./text-process.ts";
import type { TextCandidate } from "./text-record.ts";

export interface FoundText {
  /** Undefined if the file has no text or cannot be read. */
  text?: string;
  isCut: boolean;
  isRecognised?: boolean | undefined;
  /** True if the file could not be read or parsed. */
  problem: boolean;
}

export class Extractor {
  readonly #root: Uint8Array;
  readonly #own: ReadonlySet<string>;
  readonly #process: TextProcess;

  constructor(root: Uint8Array, own: ReadonlySet<string>, options: TextProcessOptions = {}) {
    this.#root = root;
    this.#own = own;
    this.#process = textProcess(options);
  }

  /** `names` contains the names from the root down, as bytes. */
  async textOf(
    names: readonly Uint8Array[],
    { format, size }: Pick<TextCandidate, "format" | "size">,
  ): Promise<FoundText> {
    const nothing = (problem: boolean): FoundText => ({ isCut: false, problem });
    let bytes: Uint8Array<ArrayBuffer>;
    try {
      const { handle } = await openBelowDirectly(this.#root, names, this.#own);
      try {
        // Read one extra byte, to find out whether there is more.
        bytes = await readAtMost(handle, format === "plain" ? TEXT_BYTES_MAX + 1 : size);
      } finally {
        await handle.close();
      }
    } catch {
      return nothing(true);
    }
    const reply = await this.#process.ask(format, bytes);
    if ("problem" in reply) return nothing(true);
    return reply.text === "" ? nothing(false) : { ...reply, problem: false };
  }

  close(): Promise<void> {
    return this.#process.close();
  }
}

async function readAtMost(handle: OpenHandle, most: number): Promise<Uint8Array<ArrayBuffer>> {
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
