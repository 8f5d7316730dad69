// Text of attached files as a job of the serving process: in the background, some time after a start or an import,
// until it is paused.
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
  /** Many owners share a machine: its operator does not recognise text for them. */
  isOneOfMany?: boolean | undefined;
}

/** The interval of checks. A start and the first minute of an import are not disturbed. */
const LOOK_MS = 60_000;

export function attachedTextService({
  host,
  objects,
  log,
  isOneOfMany = false,
}: AttachedTextServiceOptions): JobService & Services["recognition"] {
  const recognition = isOneOfMany ? undefined : installedRecognition();
  let as: Credential | undefined;
  /** Stops the current run. */
  let stopping: AbortController | undefined;
  let first: NodeJS.Timeout | undefined;
  const loop = new JobLoop({
    name: "text of attached files",
    log,
    mayRun: () => as !== undefined && recognition !== undefined,
    intervalMs: LOOK_MS,
    async round() {
      const credential = as;
      if (credential === undefined || recognition === undefined) return undefined;
      stopping = new AbortController();
      const { signal } = stopping;
      const { readAttachedText } = await import("./attached-text.ts");
      await readAttachedText({ host, objects, recognition, credential, signal });
      loop.worked();
      // Settings changed in the meantime.
      return signal.aborted ? 0 : undefined;
    },
  });
  async function rest(): Promise<void> {
    as = undefined;
    clearTimeout(first);
    stopping?.abort();
    await loop.stop();
  }
  return {
    effects: {
      wakesRecognition() {
        stopping?.abort();
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
