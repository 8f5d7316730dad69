// The engine for a command with large imports, in its own thread, because memory can be limited for a worker thread but
// not for the main thread.
import { programFile } from "../../program-file.ts";
import type { Call } from "../engine.ts";
import { createHost, type EngineHost, newRequestId } from "../host.ts";
import type { CommandData } from "./command-thread.ts";
import type { EngineFailure } from "./thread.ts";
import { buffersIn, CalledThread } from "./thread-calls.ts";

/** The limit for short-lived objects. By default, V8 uses up to 128 MB for them if the machine has it. */
const YOUNG_MB = 16;
/**
 * Far more than the thread needs. Below a gigabyte, V8 collects when garbage is as large as the live data, rather than
 * four times as large.
 */
const OLD_MB = 512;

export function commandHost(data: CommandData, onFailure: (text: string) => void): EngineHost {
  const thread = new CalledThread<Call, string, never, EngineFailure>({
    program: programFile(import.meta.url, "./command-thread"),
    name: "engine's",
    workerData: data,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB, maxOldGenerationSizeMb: OLD_MB },
    onNews: ({ failure }) => onFailure(failure),
    onFailure,
  });
  return createHost(
    (name, query, credential, requestId = newRequestId()) =>
      thread.call({ name, query, credential, requestId }, buffersIn(query)),
    {
      changed() {
        // Columns catch up when they are used.
      },
      close: () => thread.close(),
    },
  );
}
