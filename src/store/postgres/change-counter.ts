// Notifies waiting requests of changes. It uses PostgreSQL's notifications, on one connection per process for all
// owners.
import pg from "pg";
import type { ChangeCounter } from "../place.ts";
import { KEEP_ALIVE_MS } from "./connection.ts";
import { CHANNEL } from "./postgres-store.ts";

/**
 * The delay before reconnecting. After that, all owners are treated as changed, because notifications may have been
 * missed.
 */
const AGAIN_MS = 500;
/**
 * How often to check the connection. A lost network is not reported, so a connection that only listens would wait
 * forever.
 */
const CHECK_MS = 10_000;
const BOUND_MS = 5000;

class ChangeListener {
  readonly #url: string;
  /** The number of changes, by owner. */
  readonly #counters = new Map<string, { count: number; listeners: number }>();
  #client: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  get isEmpty(): boolean {
    return this.#counters.size === 0;
  }

  listen(subject: string): () => number {
    const counter = this.#counters.get(subject) ?? { count: 0, listeners: 0 };
    counter.listeners++;
    if (this.isEmpty) this.#connect();
    this.#counters.set(subject, counter);
    return () => counter.count;
  }

  leave(subject: string): void {
    const counter = this.#counters.get(subject)!;
    if (--counter.listeners > 0) return;
    this.#counters.delete(subject);
    if (!this.isEmpty) return;
    clearTimeout(this.#timer);
    const client = this.#client;
    this.#client = undefined;
    client?.end().catch(() => undefined);
  }

  #connect(): void {
    const client = new pg.Client({
      connectionString: this.#url,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      connectionTimeoutMillis: BOUND_MS,
      query_timeout: BOUND_MS,
      application_name: "postern listening",
    });
    this.#client = client;
    client.on("error", () => this.#lost(client));
    client.on("end", () => this.#lost(client));
    client.on("notification", ({ payload = "" }) => {
      const counter = this.#counters.get(payload);
      if (counter !== undefined) counter.count++;
    });
    client
      .connect()
      .then(() => client.query(`LISTEN ${CHANNEL}`))
      .then(
        () => {
          // Anything may have changed before we listened.
          for (const counter of this.#counters.values()) counter.count++;
          this.#check(client);
        },
        () => this.#lost(client),
      );
  }

  #check(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#timer = setTimeout(() => {
      client.query("SELECT 1").then(
        () => this.#check(client),
        () => this.#lost(client),
      );
    }, CHECK_MS).unref();
  }

  #lost(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    clearTimeout(this.#timer);
    client.end().catch(() => undefined);
    this.#timer = setTimeout(() => this.#connect(), AGAIN_MS).unref();
  }
}

const listeners = new Map<string, ChangeListener>();

export function openChangeCounter(url: string, subject: string): ChangeCounter {
  const listener = listeners.get(url) ?? new ChangeListener(url);
  listeners.set(url, listener);
  const read = listener.listen(subject);
  return {
    read,
    close() {
      listener.leave(subject);
      if (listener.isEmpty && listeners.get(url) === listener) listeners.delete(url);
    },
  };
}
