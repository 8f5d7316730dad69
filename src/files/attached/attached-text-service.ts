// Text of attached files as a job of the serving process: in the background, some time after a start or an import, until it is paused.
import type { Credential } from "../../engine/caller.ts";
import type { Services } from "../../engine/calls/services.ts";
import type { EngineHost } from "../../engine/host.ts";
import { JobLoop } from "../../engine/job-loop.ts";
import type { JobService } from "../../engine/jobs.ts";
import type { ObjectStorage } from "../../engine/objects-place.ts";
import { installedRecognition, recognitionWords } from "../sync/text/recognition.ts";

export interface AttachedTextServiceOptions {
  host: EngineHost;
  objects: ObjectStorage;
  log: (text: string) => void;
  /** Many owners share a machine: its operator does not read pictures for them. */
  isOneOfMany?: boolean | undefined;
}

/** From one look to the next. A start and the first minute of an import have the machine for themselves. */
const LOOK_MS = 60_000;

export function attachedTextService({
  host,
  objects,
  log,
  isOneOfMany = false,
}: AttachedTextServiceOptions): JobService & Services["recognition"] {
  const recognition = isOneOfMany ? undefined : installedRecognition();
  let as: Credential | undefined;
  /** Changes when settings did: the run under way ends, and the next begins with them. */
  let turn = 0;
  let first: NodeJS.Timeout | undefined;
  const loop = new JobLoop({
    name: "text of attached files",
    log,
    mayRun: () => as !== undefined && recognition !== undefined,
    napMs: LOOK_MS,
    async turn() {
      const [credential, own] = [as, turn];
      if (credential === undefined || recognition === undefined) return undefined;
      const { readAttachedText } = await import("./attached-text.ts");
      const goesOn = (): boolean => as === credential && turn === own;
      const { found } = await readAttachedText({ host, objects, recognition, credential, goesOn });
      if (found > 0) log(`text of attached files: found in ${found}`);
      loop.worked();
      return turn === own ? undefined : 0;
    },
  });
  async function rest(): Promise<void> {
    as = undefined;
    clearTimeout(first);
    await loop.stop();
  }
  return {
    effects: {
      wakesRecognition() {
        turn++;
        loop.wake();
      },
    },
    withInstalled: (state) => ({ ...state, installed: recognition !== undefined, note: recognitionWords() }),
    begin(credential) {
      as = credential;
      first = setTimeout(() => loop.wake(), LOOK_MS).unref();
    },
    async news() {},
    rest,
    idle: () => loop.idle(),
    close: rest,
  };
}
