// Whether something changed, for whoever waits for it: PostgreSQL tells, on one connection of the process for all owners.
import pg from "pg";
import type { Pulse } from "../place.ts";
import { KEEP_ALIVE_MS } from "./connection.ts";
import { CHANNEL } from "./postgres-store.ts";

/** After a connection broke. What was missed meanwhile is looked for at once. */
const AGAIN_MS = 500;
/** Nobody says when a network is gone: a connection that only listens would wait for good. */
const BEAT_MS = 10_000;
const BOUND_MS = 5000;

class Ear {
  readonly #url: string;
  /** By owner: how often something changed. */
  readonly #beats = new Map<string, { count: number; listeners: number }>();
  #client: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  get isEmpty(): boolean {
    return this.#beats.size === 0;
  }

  listen(subject: string): () => number {
    const beats = this.#beats.get(subject) ?? { count: 0, listeners: 0 };
    beats.listeners++;
    if (this.isEmpty) this.#connect();
    this.#beats.set(subject, beats);
    return () => beats.count;
  }

  leave(subject: string): void {
    const beats = this.#beats.get(subject)!;
    if (--beats.listeners > 0) return;
    this.#beats.delete(subject);
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
      const beats = this.#beats.get(payload);
      if (beats !== undefined) beats.count++;
    });
    client
      .connect()
      .then(() => client.query(`LISTEN ${CHANNEL}`))
      .then(
        () => {
          // Anything may have changed before.
          for (const beats of this.#beats.values()) beats.count++;
          this.#beat(client);
        },
        () => this.#lost(client),
      );
  }

  #beat(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#timer = setTimeout(() => {
      client.query("SELECT 1").then(
        () => this.#beat(client),
        () => this.#lost(client),
      );
    }, BEAT_MS).unref();
  }

  #lost(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    clearTimeout(this.#timer);
    client.end().catch(() => undefined);
    this.#timer = setTimeout(() => this.#connect(), AGAIN_MS).unref();
  }
}

const ears = new Map<string, Ear>();

export function openPulse(url: string, subject: string): Pulse {
  const ear = ears.get(url) ?? new Ear(url);
  ears.set(url, ear);
  const feel = ear.listen(subject);
  return {
    feel,
    close() {
      ear.leave(subject);
      if (ear.isEmpty && ears.get(url) === ear) ears.delete(url);
    },
  };
}
