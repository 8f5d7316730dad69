// Notifies subscribers: looks for changes after writes, sends due events, retries failed ones, and resumes after a
// restart.
import { failureText } from "../contract/errors.ts";
import { EVENTS } from "../contract/limits.ts";
import type { Credential } from "../engine/caller.ts";
import type { AnswerOf, CallName, QueryOf } from "../engine/calls/calls.ts";
import type { EngineHost } from "../engine/host.ts";
import { JobLoop } from "../engine/job-loop.ts";
import type { JobRunningOptions } from "../engine/job-running.ts";
import type { WebhookReach } from "./send.ts";

export interface NotifierOptions {
  host: EngineHost;
  /** Detects writes to the home. */
  changes: JobRunningOptions["changes"];
  log: (text: string) => void;
  reach?: WebhookReach;
  now?: () => number;
  /** How often to check for writes. All writes in between result in one event. */
  probeMs?: number;
}

interface Flight {
  eventId: string;
  abort: AbortController;
  landed: Promise<void>;
}

const SERVER: Credential = { home: true };
const PROBE_MS = 1000;
/** Pending work is checked at least this often, because the clock may change and the machine may sleep. */
const LONGEST_WAIT_MS = 60_000;

export class Notifier {
  readonly #options: NotifierOptions;
  /** One delivery at a time per subscription, so that a slow receiver does not delay the others. */
  readonly #flights = new Map<string, Flight>();
  /**
   * Subscriptions whose state could not be saved, with the end of their pause. Without the pause, the same event would
   * be sent over and over.
   */
  readonly #resting = new Map<string, number>();
  #origin: string | undefined;
  #lastChange: number | undefined;
  #probe: NodeJS.Timeout | undefined;
  /** True if something was written, so there may be something to send. */
  #news = true;
  #begun = false;
  /** The credential with which events are sent. */
  #as: Credential = SERVER;
  readonly #loop: JobLoop;

  constructor(options: NotifierOptions) {
    this.#options = options;
    this.#loop = new JobLoop({
      name: "events",
      log: options.log,
      mayRun: () => this.#origin !== undefined && this.#begun,
      round: () => this.#round(),
      intervalMs: LONGEST_WAIT_MS,
    });
  }

  /** Sets the `source` field of events. */
  answersAt(origin: string): void {
    this.#origin = origin;
    this.wake();
  }

  /** Starts sending events from this process. */
  begin(as: Credential): void {
    this.#begun = true;
    this.#as = as;
    this.#news = true;
    this.#probe ??= setInterval(() => this.#probeChanges(), this.#options.probeMs ?? PROBE_MS).unref();
    this.wake();
  }

  async news(): Promise<void> {
    this.#probeChanges();
  }

  /** Stops sending events from this process. */
  async rest(): Promise<void> {
    this.#begun = false;
    clearInterval(this.#probe);
    this.#probe = undefined;
    for (const { abort } of this.#flights.values()) abort.abort(new Error("the server is stopping"));
    await this.#loop.stop();
    await this.idle();
  }

  #probeChanges(): void {
    const lastChange = this.#options.changes.read();
    if (lastChange === this.#lastChange) return;
    this.#lastChange = lastChange;
    this.#news = true;
    this.wake();
  }

  /** Called when there may be something to send. */
  wake(): void {
    this.#loop.wake();
  }

  /** Called after access has ended. Resolves once all deliveries that are no longer allowed have been aborted. */
  async review(): Promise<void> {
    await this.#abortDisallowed();
    this.#news = true;
    this.wake();
  }

  async #abortDisallowed(): Promise<void> {
    const flights = [...this.#flights.values()];
    if (flights.length === 0) return;
    const ids = flights.map(({ eventId }) => eventId);
    const fallen = await this.#ask("disallowedEvents", { ids });
    const cut = flights.filter(({ eventId }) => fallen.includes(eventId));
    for (const { abort } of cut) abort.abort(new Error("sending this event is no longer allowed"));
    await Promise.all(cut.map(({ landed }) => landed));
  }

  /** Resolves when nothing is running or due. */
  async idle(): Promise<void> {
    while (this.#loop.isWorking || this.#flights.size > 0) {
      await this.#loop.idle();
      await Promise.all([...this.#flights.values()].map(({ landed }) => landed));
    }
  }

  async close(): Promise<void> {
    await this.rest();
    this.#options.changes.close();
  }

  async #round(): Promise<number> {
    try {
      if (this.#news) await this.#look();
      const wait = await this.#dispatch();
      this.#loop.worked();
      return wait;
    } catch (error) {
      // The change must still be reported.
      this.#news = true;
      throw error;
    }
  }

  async #look(): Promise<void> {
    this.#news = false;
    // A command outside this server may have revoked something.
    await this.#abortDisallowed();
    for (;;) {
      const { findings, ended, more } = await this.#ask("lookForChanges", {});
      if (ended.length > 0) await this.#ask("endSubscriptions", {});
      if (findings.length > 0) await this.#ask("noteChanges", { findings });
      if (!more || !this.#begun) return;
    }
  }

  /** Returns the milliseconds until the next event is due. */
  async #dispatch(): Promise<number> {
    const { due, nextAt } = await this.#ask("dueEvents", {});
    const { now = Date.now } = this.#options;
    let wait = nextAt === undefined ? Number.POSITIVE_INFINITY : Math.max(1, nextAt - now());
    for (const { id, subscriptionId } of due) {
      if (this.#flights.size >= EVENTS.inFlight || !this.#begun) break;
      if (this.#rests(subscriptionId)) wait = Math.min(wait, LONGEST_WAIT_MS);
      else if (!this.#flights.has(subscriptionId)) this.#launch(subscriptionId, id);
    }
    return Number.isFinite(wait) ? Math.min(wait, LONGEST_WAIT_MS) : wait;
  }

  #rests(subscriptionId: string): boolean {
    const until = this.#resting.get(subscriptionId);
    if (until === undefined) return false;
    if (performance.now() < until) return true;
    this.#resting.delete(subscriptionId);
    return false;
  }

  #launch(subscriptionId: string, eventId: string): void {
    const abort = new AbortController();
    const landed = this.#deliver(eventId, abort.signal)
      .catch((error: Error) => {
        // We aborted the delivery, and the event stays pending.
        if (abort.signal.aborted) return;
        this.#options.log(`event ${eventId}: ${failureText(error)}`);
        this.#resting.set(subscriptionId, performance.now() + LONGEST_WAIT_MS);
      })
      .finally(() => {
        this.#flights.delete(subscriptionId);
        this.wake();
      });
    this.#flights.set(subscriptionId, { eventId, abort, landed });
  }

  async #deliver(id: string, signal: AbortSignal): Promise<void> {
    const { reach = {} } = this.#options;
    const sending = await this.#ask("eventToSend", { id, origin: this.#origin! });
    if (sending === null) {
      await this.#ask("dropDisallowedEvents", { ids: [id] });
      return;
    }
    // Load this with the first event, so that startup stays fast.
    const { sendEvent } = await import("./send.ts");
    signal.throwIfAborted();
    const outcome = await sendEvent(sending, reach, signal);
    await this.#ask("noteDelivery", { id, covers: sending.covers, outcome });
    // This pass does not cover changes that were made while it was running.
    this.#news = true;
  }

  #ask<C extends CallName>(name: C, query: QueryOf<C>): Promise<AnswerOf<C>> {
    return this.#options.host.call(name, query, this.#as);
  }
}
