// Parses files in a sandboxed process. One process handles all given files; it is started when needed, and replaced
// after it had to be killed.
import { PdppError } from "../contract/errors.ts";
import type { LeftOut } from "../contract/import-request.ts";
import type { BlobNaming } from "../engine/blob-files.ts";
import { homeObjects, type ObjectPlace, openObjects } from "../engine/objects-place.ts";
import type { SandboxedProcess } from "../sandbox/sandboxed-process.ts";
import { type Watchdog, watch } from "../sandbox/watchdog.ts";
import { type FromParser, parserMessage } from "./from-parser.ts";
import type { ImportAnswers } from "./importer.ts";
import type { ParserBatch, PlannedGroup, RunTask, SeenKeys, ToParser } from "./messages.ts";
import { endReason, type ParserLimits, type ParserProcess, parserLimits, startParser } from "./parser-process.ts";
import { seenCollector } from "./seen-collector.ts";
import { requestedThumbnails } from "./thumbnails/requested-thumbnails.ts";
import type { InputPath } from "./walk.ts";

export type Planned = { groups: PlannedGroup[]; left: LeftOut[] };

/** How a run ended: complete, stopped by us, or broken at an entry. */
export type ParseOutcome =
  | { ended: "done"; seen?: SeenKeys[] }
  | { ended: "stopped" }
  /** `isAlive` means that an importer threw an error. The rest of its entry is lost, but the process continues. */
  | { ended: "broken"; reason: string; at?: string; isAlive?: true };

export interface RunHandlers {
  /**
   * The next batch is passed on when this one is stored; its blobs are received in the meantime. `store` stores the
   * batch's blobs, then runs the write that refers to them.
   */
  batch(batch: ParserBatch, store: <T>(naming: BlobNaming<T>) => Promise<T>): Promise<void>;
  /** Ends the run at once. Every stored batch is kept. */
  signal?: AbortSignal;
}

export interface Parser {
  plan(answers: ImportAnswers, signal?: AbortSignal): Promise<Planned>;
  run(task: RunTask, handlers: RunHandlers): Promise<ParseOutcome>;
  close(): Promise<void>;
}

export interface ParserOptions {
  given: readonly InputPath[];
  home: string;
  /** Where blobs are stored. Absent means the home. */
  objects?: ObjectPlace;
  limits?: Partial<ParserLimits>;
  /** A module with importers other than ours, and the paths it may read, for tests of importers that misbehave. */
  importers?: { module: string; reads: readonly string[] };
}

/** If this many entries in a row break a plan, something else is wrong. */
const UNREADABLE_MAX = 20;

/** Receives the replies to a request, until it returns the outcome. */
type OnMessage = (
  message: Exclude<
    FromParser,
    { at: string } | { beat: true } | { failed: string } | { halted: object } | { blob: string } | { picture: object }
  >,
  bytes: Uint8Array<ArrayBuffer>,
) => Promise<ParseOutcome | undefined>;

export function openParser({ home, objects: place, limits: given = {}, ...options }: ParserOptions): Parser {
  const objects = openObjects(place ?? homeObjects(home));
  const limits = parserLimits(given);
  /** Entries that have broken a plan. */
  const unreadable: LeftOut[] = [];
  const thumbnails = requestedThumbnails();
  let running: ParserProcess | undefined;

  /** Ends the process, and drops any part of a picture that it had already sent. */
  async function end(): Promise<void> {
    const ending = running;
    running = undefined;
    thumbnails.forget();
    await ending?.end();
  }

  async function close(): Promise<void> {
    await Promise.all([end(), thumbnails.close()]);
  }

  /**
   * Sends one request at a time. Before the process may be ended, `settled` waits until everything it sent is stored.
   */
  async function request(
    asked: ToParser,
    onMessage: OnMessage,
    { signal, settled }: { signal?: AbortSignal | undefined; settled?: () => Promise<void> } = {},
  ): Promise<ParseOutcome> {
    if (signal?.aborted) return { ended: "stopped" };
    running ??= await startParser({ home, objects, limits, ...options });
    const { child } = running;
    const killed: { reason?: string } = {};
    const dog = watch(child.pid, limits, (reason) => {
      killed.reason = reason;
      child.kill();
    });
    const stop = (): void => child.kill();
    signal?.addEventListener("abort", stop);
    child.onBytes = dog.heard;
    try {
      child.send(asked);
      const outcome = await answerOf(running, dog, onMessage, signal).finally(settled);
      if (outcome.ended === "done" || ("isAlive" in outcome && killed.reason === undefined)) return outcome;
      await end();
      return outcome.ended === "broken" ? { ...outcome, reason: killed.reason ?? outcome.reason } : outcome;
    } catch (error) {
      await end();
      throw error;
    } finally {
      dog.stop();
      signal?.removeEventListener("abort", stop);
    }
  }

  /** Messages that were complete before a failure are still used, in order. */
  async function answerOf(
    { child, blobs }: ParserProcess,
    dog: Watchdog,
    onMessage: OnMessage,
    signal: AbortSignal | undefined,
  ): Promise<ParseOutcome> {
    let at: string | undefined;
    const broken = (reason: string): ParseOutcome & { ended: "broken" } => ({
      ended: "broken",
      reason,
      ...(at === undefined ? {} : { at }),
    });
    for (;;) {
      const frame = await nextFrame(child, dog);
      if (signal?.aborted) return { ended: "stopped" };
      if (frame === undefined) return broken(endReason(await child.ended, limits));
      const message = parserMessage(frame.message);
      if (message === undefined) return broken("the parser sent a message of an unknown kind");
      if ("at" in message) at = message.at;
      else if ("failed" in message) return { ...broken(message.failed), isAlive: true };
      else if ("halted" in message) throw new PdppError(message.halted.code, message.halted.reason);
      else if ("blob" in message) {
        if (!(await blobs.take(message, frame.bytes)))
          return broken("the parser sent different bytes than it announced");
      } else if ("picture" in message) {
        if (!(await thumbnails.take(child, message.picture.last, frame.bytes)))
          return broken("the parser sent a picture that is too large");
      } else if (!("beat" in message)) {
        const outcome = await onMessage(message, frame.bytes);
        if (outcome !== undefined) return outcome;
      }
    }
  }

  return {
    /** An entry that breaks the parser is skipped, and the others are examined again. */
    async plan(answers, signal) {
      for (;;) {
        let planned: Planned | undefined;
        const outcome = await request(
          { plan: { answers, broken: pathsOf(unreadable) } },
          async (message) => {
            if (!("plan" in message)) return undefined;
            planned = message.plan;
            return { ended: "done" };
          },
          { signal },
        );
        if (planned !== undefined) return { ...planned, left: [...unreadable, ...planned.left] };
        if (outcome.ended !== "broken")
          throw new PdppError("invalid_request", "stopped before all the files were read");
        const { at, reason } = outcome;
        if (at === undefined || pathsOf(unreadable).includes(at) || unreadable.length >= UNREADABLE_MAX)
          throw new PdppError("invalid_request", `these files cannot be read: ${reason}`, {
            next_step: "Import them one by one, so that only the file that causes the error fails.",
          });
        unreadable.push({ path: at, reason, failed: true });
      }
    },
    run: (task, { batch, signal }) => {
      const seen = seenCollector();
      // One batch is stored while the next is received.
      let storing: Promise<void> = Promise.resolve();
      return request(
        { run: { ...task, thumbnails: thumbnails.areMade, broken: [...task.broken, ...pathsOf(unreadable)] } },
        async (message, bytes) => {
          if ("seen" in message) seen.add(message.seen, bytes);
          if ("done" in message) return { ended: "done", ...(message.done.whole ? { seen: seen.all() } : {}) };
          if (!("batch" in message)) return undefined;
          const { blobs } = running!;
          if (!blobs.hasAll(message.batch.blobs)) return brokenBatch;
          await storing;
          storing = batch({ ...message.batch, lines: bytes }, (naming) => blobs.store(message.batch.blobs, naming));
          storing.catch(() => undefined);
          return undefined;
        },
        { signal, settled: () => storing },
      );
    },
    close,
  };
}

const brokenBatch: ParseOutcome = { ended: "broken", reason: "the parser referred to a blob that it did not send" };

const pathsOf = (left: readonly LeftOut[]): string[] => left.map(({ path }) => path);

/** Silence counts only while we are waiting for the process. */
async function nextFrame(child: SandboxedProcess, dog: Watchdog): ReturnType<SandboxedProcess["next"]> {
  dog.expect();
  try {
    return await child.next();
  } finally {
    dog.rest();
  }
}
