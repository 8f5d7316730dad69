// One home in a thread: its engine with its own store, and the waiting calls. Homes do not wait for each other.
import { errorBody, PdppError } from "../../contract/errors.ts";
import { type HomeLocation, openStore } from "../../store/place.ts";
import type { Store } from "../../store/store.ts";
import { isUrgent, passesQueue } from "../calls/calls.ts";
import type { Lane } from "../calls/define.ts";
import { type Call, Engine, type Reply } from "../engine.ts";
import { buildEngine } from "../local-host.ts";

export interface NumberedHomeCall {
  id: number;
  call: Call;
}

export interface HomeWorkerOptions {
  place: HomeLocation;
  lane: Lane;
  columnsBudgetBytes?: number;
  searchBudgetBytes?: number;
  cacheMegabytes?: number;
  /** Receives calls that have arrived in the meantime, so that they share a snapshot. */
  listen: () => void;
  reply: (replies: [id: number, reply: Reply][]) => void;
  onFailure: (error: unknown) => void;
}

/** How many reads share a snapshot and an audit commit. A scan runs alone, because others would have to wait for it. */
const BATCH = { rows: 32, scans: 1, writer: 64, audit: 1 } as const;
/** Each scan waits for the database twice, which takes longer than most scans, so a few wait together. */
const BATCH_ON_DATABASE = { ...BATCH, scans: 8 } as const;
/** Rows that are folded together stay in memory together. More rows would outlive a garbage collection (O-09). */
const FOLD_ROWS = 500;
const IDLE_FLUSH_MS = 1000;
/** With a database, this thread moves journalled audit entries into the log. */
const GATHER_MS = 1000;

interface Opened {
  store: Store;
  engine: Engine;
}

export class HomeWorker {
  readonly #options: HomeWorkerOptions;
  readonly #queue: NumberedHomeCall[] = [];
  readonly #news = new Set<number>();
  #opened: Promise<Opened> | undefined;
  #running: Promise<void> | undefined;
  readonly #urgent = new Set<Promise<void>>();
  #idle: NodeJS.Timeout | undefined;
  #resting = Promise.resolve();
  #gathered = Date.now();
  #gathering: Promise<void> | undefined;
  #closing = false;
  readonly #stop = new AbortController();

  constructor(options: HomeWorkerOptions) {
    this.#options = options;
  }

  ask(calls: readonly NumberedHomeCall[]): void {
    const skipsQueue = this.#options.place.database !== undefined;
    for (const asked of calls) {
      if ((skipsQueue && isUrgent(asked.call.name)) || passesQueue(asked.call.name)) this.#startUrgent(asked);
      else this.#queue.push(asked);
    }
    this.#wake();
  }

  /**
   * Bypasses the queue: a blocking session can be found only in the database, and a call that is still queued has not
   * reached it (0022).
   */
  #startUrgent(asked: NumberedHomeCall): void {
    const answered = this.#answer([asked]).finally(() => this.#urgent.delete(answered));
    this.#urgent.add(answered);
  }

  changed(streamNo: number): void {
    this.#news.add(streamNo);
    this.#wake();
  }

  /** Finishes running calls, saves the projections, and releases the store. */
  async close(): Promise<void> {
    this.#closing = true;
    this.#stop.abort(new PdppError("store_unavailable", "the server is stopping; try again when it is back"));
    await this.#running;
    await Promise.all(this.#urgent);
    clearTimeout(this.#idle);
    // A save that started earlier needs the store until it is done.
    await this.#resting;
    const opened = await this.#opened?.catch(() => undefined);
    if (opened === undefined) return;
    await this.#keep(opened);
    await opened.store.close();
  }

  #wake(): void {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  async #run(): Promise<void> {
    clearTimeout(this.#idle);
    const { lane, place } = this.#options;
    const batch = place.database === undefined ? BATCH : BATCH_ON_DATABASE;
    // Lets other calls made in this turn join.
    await undefined;
    for (;;) {
      this.#options.listen();
      if (this.#queue.length > 0) await this.#answer(this.#queue.splice(0, batch[lane]));
      else if (this.#news.size > 0 && !this.#closing) await this.#fold();
      else break;
      if (Date.now() - this.#gathered >= GATHER_MS) void this.#gather();
    }
    this.#idle = setTimeout(() => {
      this.#resting = this.#resting.then(() => this.#rest());
    }, IDLE_FLUSH_MS).unref();
  }

  /** If a home could not be opened, the next call tries again. */
  #open(): Promise<Opened> {
    const { place, lane, columnsBudgetBytes, searchBudgetBytes, cacheMegabytes, onFailure } = this.#options;
    const { home, objects } = place;
    const kept = { persist: true, columnsBudgetBytes, searchBudgetBytes };
    this.#opened ??= openStore(place, { onFailure, cacheMegabytes }).then((store) => ({
      store,
      engine:
        lane === "scans"
          ? buildEngine(store, { home, objects, ...kept, onFailure })
          : new Engine({ home, objects, store, now: Date.now, onFailure, stop: this.#stop.signal }),
    }));
    this.#opened.catch(() => {
      this.#opened = undefined;
    });
    return this.#opened;
  }

  async #answer(batch: readonly NumberedHomeCall[]): Promise<void> {
    const calls = batch.map(({ call }) => call);
    let replies: Reply[];
    try {
      const { engine } = await this.#open();
      // Writes that start in the same turn share a commit.
      replies =
        this.#options.lane === "writer"
          ? await Promise.all(calls.map((call) => engine.write(call)))
          : await engine.read(calls);
    } catch (error) {
      replies = calls.map(({ requestId }) => ({ error: errorBody(this.#known(error), requestId) }));
    }
    this.#options.reply(batch.map(({ id }, index) => [id, replies[index]!]));
  }

  #known(error: unknown): PdppError {
    if (error instanceof PdppError) return error;
    this.#options.onFailure(error);
    return new PdppError("store_unavailable", "the store cannot be opened; the server's log has details");
  }

  /** Folds one slice of one stream. Then waiting calls get a turn. */
  async #fold(): Promise<void> {
    const [streamNo] = this.#news;
    this.#news.delete(streamNo!);
    try {
      const { engine } = await this.#open();
      if (await engine.catchUp(streamNo!, FOLD_ROWS)) this.#news.add(streamNo!);
    } catch (error) {
      this.#options.onFailure(error);
    }
  }

  async #rest(): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined);
    if (opened !== undefined) await this.#keep(opened);
  }

  async #keep({ engine }: Opened): Promise<void> {
    const { lane, onFailure } = this.#options;
    if (lane === "scans") await engine.flush().catch(onFailure);
    await this.#gather();
  }

  /** Moves journalled entries into the audit log. Only closing waits for this. */
  #gather(): Promise<void> {
    this.#gathered = Date.now();
    if (this.#options.place.database === undefined) return Promise.resolve();
    this.#gathering ??= Promise.resolve(this.#opened)
      .then((opened) => opened?.store.audit.gather())
      // The database is briefly unavailable. The entries stay in the journal.
      .catch(() => undefined)
      .finally(() => {
        this.#gathering = undefined;
      });
    return this.#gathering;
  }
}
