// The engine of a command that brings much in, in a thread of its own: the memory of a thread can be bounded, that of the first cannot.
import { Worker } from "node:worker_threads";
import { failureText, PdppError } from "../../contract/errors.ts";
import { programFile } from "../../program-file.ts";
import type { Call, Reply } from "../engine.ts";
import { type EngineHost, newRequestId, unwrap } from "../host.ts";
import type { CommandData, FromCommandThread, ToCommandThread } from "./command-thread.ts";

/** For what is gone at once. Left to itself V8 takes 128 MB for it where the machine has them. */
const YOUNG_MB = 16;
/** Far from what it needs: below a gigabyte V8 collects before garbage is as much as what lives, not four times as much. */
const OLD_MB = 512;

type Asked = { call: Call } | { close: true };

export function commandHost(data: CommandData, onFailure: (text: string) => void): EngineHost {
  const worker = new Worker(programFile(import.meta.url, "./command-thread"), {
    workerData: data,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB, maxOldGenerationSizeMb: OLD_MB },
  });
  const waiting = new Map<number, (reply: Reply | PdppError) => void>();
  let next = 0;
  let stopped: PdppError | undefined;
  worker.on("message", (message: FromCommandThread) => {
    if ("failure" in message) onFailure(message.failure);
    else {
      waiting.get(message.id)?.(message.reply);
      waiting.delete(message.id);
    }
  });
  worker.on("error", (error: Error) => onFailure(`the engine's thread stopped: ${failureText(error)}`));
  const exited = new Promise<void>((resolve) => {
    worker.once("exit", () => {
      stopped = new PdppError("store_unavailable", "the engine's thread stopped");
      for (const settle of waiting.values()) settle(stopped);
      waiting.clear();
      resolve();
    });
  });

  async function ask(asked: Asked, handedOver: ArrayBuffer[] = []): Promise<string> {
    if (stopped !== undefined) throw stopped;
    const id = next++;
    const replied = new Promise<Reply | PdppError>((resolve) => waiting.set(id, resolve));
    worker.postMessage({ id, ...asked } satisfies ToCommandThread, handedOver);
    const reply = await replied;
    if (reply instanceof PdppError) throw reply;
    return unwrap(reply);
  }

  return {
    call: (method, query, credential, requestId = newRequestId()) =>
      ask({ call: { method, query, credential, requestId } }, linesIn(query)),
    changed() {
      // Columns catch up when they are asked.
    },
    async close() {
      // A thread that stopped has closed what it had.
      if (stopped === undefined) await ask({ close: true });
      await exited;
    },
  };
}

/** A batch of an import goes over without a copy: whoever sends it is done with it. */
function linesIn(query: object): ArrayBuffer[] {
  const lines = "lines" in query ? query.lines : undefined;
  return lines instanceof Uint8Array && lines.buffer instanceof ArrayBuffer ? [lines.buffer] : [];
}
