// What runs inside a reader thread: calls on indexes, one after another.
import { parentPort } from "node:worker_threads";
import { PdppError } from "../../contract/errors.ts";
import { typedError } from "../../store/sqlite/database.ts";
import { type DigestStore, openDigests } from "../digest/digest-store.ts";
import type { RootNames } from "./detail.ts";
import { IndexReader } from "./index-reader.ts";
import { type ReadCallName, type ReadContext, readCalls } from "./read-calls.ts";

export interface IndexPlace {
  no: number;
  path: string;
  digestPath: string;
  root: RootNames;
}

export type ReadRequest =
  | { id: number; index: IndexPlace; name: ReadCallName; params: unknown }
  /** An index that is about to be deleted. */
  | { id: number; forget: number };

export type ReadReply =
  | { id: number; value: unknown }
  | { id: number; error: { code?: string; message: string; details?: object } };

const readers = new Map<number, IndexReader>();
const stores = new Map<number, DigestStore>();

parentPort!.on("message", (request: ReadRequest) => {
  parentPort!.postMessage("forget" in request ? forget(request) : answer(request));
});

function forget({ id, forget: no }: Extract<ReadRequest, { forget: number }>): ReadReply {
  readers.get(no)?.close();
  readers.delete(no);
  stores.get(no)?.close();
  stores.delete(no);
  return { id, value: undefined };
}

function digestsOf({ no, digestPath }: IndexPlace): DigestStore | undefined {
  const store = stores.get(no) ?? openDigests(digestPath);
  if (store !== undefined) stores.set(no, store);
  return store;
}

function answer({ id, index, name, params }: Exclude<ReadRequest, { forget: number }>): ReadReply {
  try {
    let reader = readers.get(index.no);
    if (reader === undefined) {
      reader = new IndexReader(index.path, index.no);
      readers.set(index.no, reader);
    }
    const context: ReadContext = { reader, root: index.root, digests: () => digestsOf(index) };
    const call = readCalls[name] as (context: ReadContext, params: unknown) => unknown;
    return { id, value: reader.snapshot(() => call(context, params)) };
  } catch (error) {
    const typed = typedError(error);
    if (typed instanceof PdppError)
      return { id, error: { code: typed.code, message: typed.message, details: typed.details } };
    return { id, error: { message: error instanceof Error ? (error.stack ?? error.message) : String(error) } };
  }
}
