// The indexes that a thread has open, and calls on them. Each call runs in one snapshot.
import { typedError } from "../../store/sqlite/database.ts";
import { type DigestStore, openDigests } from "../digest/digest-store.ts";
import type { RootNames } from "./detail.ts";
import { IndexReader } from "./index-reader.ts";
import { type IndexReadContext, type ReadCallName, type ReadParams, type ReadResult, readCalls } from "./read-calls.ts";

/** The files of an index, and the name of its root. */
export interface IndexFiles {
  no: number;
  path: string;
  digestPath: string;
  root: RootNames;
}

export class OpenIndexes {
  readonly #readers = new Map<number, IndexReader>();
  readonly #digests = new Map<number, DigestStore>();

  call<Name extends ReadCallName>(index: IndexFiles, name: Name, params: ReadParams<Name>): ReadResult<Name> {
    try {
      const reader = this.#readers.get(index.no) ?? new IndexReader(index.path, index.no);
      this.#readers.set(index.no, reader);
      const context: IndexReadContext = { reader, root: index.root, digests: () => this.#digestsOf(index) };
      const call = readCalls[name] as (context: IndexReadContext, params: unknown) => ReadResult<Name>;
      return reader.snapshot(() => call(context, params));
    } catch (error) {
      throw typedError(error);
    }
  }

  /** Closes an index that is about to be deleted. */
  forget(no: number): void {
    for (const open of [this.#readers, this.#digests]) {
      open.get(no)?.close();
      open.delete(no);
    }
  }

  close(): void {
    for (const no of this.#readers.keys()) this.forget(no);
  }

  #digestsOf({ no, digestPath }: IndexFiles): DigestStore | undefined {
    const store = this.#digests.get(no) ?? openDigests(digestPath);
    if (store !== undefined) this.#digests.set(no, store);
    return store;
  }
}
