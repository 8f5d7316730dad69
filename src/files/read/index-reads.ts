// Runs reads of indexes. Lookups by key run here; whole-tree reads run in a thread, so that no other read waits for
// them.
import { CalledThread } from "../../engine/threads/thread-calls.ts";
import { programFile } from "../../program-file.ts";
import { type IndexFiles, OpenIndexes } from "./open-indexes.ts";
import type { ReadCallName, ReadParams, ReadResult } from "./read-calls.ts";
import type { ScanningRead } from "./thread.ts";

/** Calls that read every node, or every node of a selection. */
const SCANS: ReadonlySet<ReadCallName> = new Set<ReadCallName>([
  "find",
  "select",
  "types",
  "ages",
  "duplicates",
  "gathered",
  "digestsMissing",
]);

export class IndexReads {
  readonly #indexes = new OpenIndexes();
  #thread: CalledThread<ScanningRead> | undefined;

  async call<Name extends ReadCallName>(
    index: IndexFiles,
    name: Name,
    params: ReadParams<Name>,
  ): Promise<Awaited<ReadResult<Name>>> {
    if (!SCANS.has(name)) return (await this.#indexes.call(index, name, params)) as Awaited<ReadResult<Name>>;
    this.#thread ??= new CalledThread<ScanningRead>({
      program: programFile(import.meta.url, "./thread"),
      name: "file search",
      unref: true,
      onExit: () => {
        this.#thread = undefined;
      },
    });
    return (await this.#thread.call({ index, name, params })) as Awaited<ReadResult<Name>>;
  }

  /** Resolves when the index is no longer open anywhere. */
  async forget(no: number): Promise<void> {
    this.#indexes.forget(no);
    await this.#thread?.call({ forget: no });
  }

  async close(): Promise<void> {
    this.#indexes.close();
    await this.#thread?.terminate();
  }
}
