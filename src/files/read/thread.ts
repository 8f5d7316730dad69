// The thread that runs whole-tree reads, one after another.
import { answerCalls } from "../../engine/threads/thread-calls.ts";
import { type IndexFiles, OpenIndexes } from "./open-indexes.ts";
import type { ReadCallName } from "./read-calls.ts";

export type ScanningRead = { index: IndexFiles; name: ReadCallName; params: unknown } | { forget: number };

const indexes = new OpenIndexes();

answerCalls<ScanningRead, unknown>({
  answer: (read) =>
    "forget" in read ? indexes.forget(read.forget) : indexes.call(read.index, read.name, read.params as never),
});
