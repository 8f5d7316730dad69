// Background job in the serving process that recognises text in attached files. It first checks a minute after startup,
// then once a minute, unless it is paused.
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
  /** True if many owners share the machine. Text is then not recognised for them. */
  isOneOfMany?: boolean | undefined;
}

/** The interval between checks, and the delay before the first one, so that startup is not slowed down. */
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
    name: "text in attached files",
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
      // The settings changed during the run, so start again immediately.
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
