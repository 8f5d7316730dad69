// The second thread of a quick check. It checks its part of the tree as it was when the check started.
import { parentPort, workerData } from "node:worker_threads";
import type { ByteText } from "../scan/messages.ts";
import { type CheckPart, changedDirs, type KnownDirs } from "./check.ts";

export interface CheckData {
  tree: KnownDirs;
  root: ByteText;
  part: CheckPart;
}

const { tree, root, part } = workerData as CheckData;
// A Buffer arrives as a plain Uint8Array.
const names = Buffer.from(tree.names.buffer, tree.names.byteOffset, tree.names.length);
parentPort!.postMessage(await changedDirs({ ...tree, names }, root, part, async () => undefined));
