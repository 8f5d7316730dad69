// Runs the bare statements in a thread: the same hop as the engine's, and nothing else.
import { parentPort, workerData } from "node:worker_threads";
import { type BareCall, bareStatements } from "./bare-statements.ts";

const run = bareStatements((workerData as { home: string }).home);

parentPort!.on("message", ({ id, call }: { id: number; call: BareCall }) => {
  parentPort!.postMessage({ id, body: run(call) });
});
