// The engine of a command that imports much, in its own thread: the memory of a thread can be limited, that of the main
// thread cannot.
import { programFile } from "../../program-file.ts";
import type { Call } from "../engine.ts";
import { createHost, type EngineHost, newRequestId } from "../host.ts";
import type { CommandData } from "./command-thread.ts";
import type { EngineFailure } from "./thread.ts";
import { CalledThread } from "./thread-calls.ts";

/** For short-lived objects. By default V8 uses up to 128 MB for them if the machine has it. */
const YOUNG_MB = 16;
/** Far more than it needs: below a gigabyte V8 collects before garbage equals the live data, not four times as much. */
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
      thread.call({ name, query, credential, requestId }, linesIn(query)),
    {
      changed() {
        // Columns catch up when they are used.
      },
      close: () => thread.close(),
    },
  );
}

/** A batch of an import is transferred without a copy: the sender no longer needs it. */
function linesIn(query: object): ArrayBuffer[] {
  const lines = "lines" in query ? query.lines : undefined;
  return lines instanceof Uint8Array && lines.buffer instanceof ArrayBuffer ? [lines.buffer] : [];
}
