// One engine thread, as the event loop sees it: the homes that it has open, and their calls.
import { programFile } from "../../program-file.ts";
import type { HomeLocation } from "../../store/place.ts";
import type { Call, Reply } from "../engine.ts";
import type { MemoryShare } from "./memory-share.ts";
import type { EngineFailure, EngineNews, EngineRequest, ThreadData } from "./thread.ts";
import { buffersIn, CalledThread } from "./thread-calls.ts";

/** A home, numbered by the caller that opens it. */
export interface ServedHome {
  number: number;
  place: HomeLocation;
}

export interface EngineThreadOptions extends Pick<MemoryShare, "resourceLimits"> {
  data: ThreadData;
  onFailure: (text: string) => void;
  onExit: () => void;
}

export class EngineThread {
  readonly #thread: CalledThread<EngineRequest, Reply, EngineNews, EngineFailure>;
  readonly #homes = new Set<number>();

  constructor({ data, resourceLimits, onFailure, onExit }: EngineThreadOptions) {
    this.#thread = new CalledThread<EngineRequest, Reply, EngineNews, EngineFailure>({
      program: programFile(import.meta.url, "./thread"),
      name: data.lane,
      workerData: data,
      resourceLimits,
      onNews: ({ failure }) => onFailure(failure),
      onFailure,
      onExit,
    });
  }

  get isBusy(): boolean {
    return this.#thread.isBusy;
  }

  open({ number, place }: ServedHome): void {
    if (this.#homes.has(number)) return;
    this.#homes.add(number);
    this.#thread.tell({ open: number, place });
  }

  ask(home: ServedHome, call: Call): Promise<Reply> {
    this.open(home);
    return this.#thread.call({ home: home.number, call }, buffersIn(call.query));
  }

  /** Resolves when all calls sent so far for a home have returned. */
  answered({ number }: ServedHome): Promise<void> {
    return this.#thread.answered((request) => "call" in request && request.home === number);
  }

  changed(home: ServedHome, streamNo: number): void {
    this.open(home);
    this.#thread.tell({ home: home.number, changed: streamNo });
  }

  /** Resolves when the thread has released the home. A stopped thread counts as having released it. */
  async forget({ number }: ServedHome): Promise<void> {
    if (!this.#homes.delete(number)) return;
    await this.#thread.call({ forget: number }).catch(() => undefined);
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
