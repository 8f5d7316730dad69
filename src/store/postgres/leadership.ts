// Leader election: the process that holds a lock in the database runs an owner's jobs. Each process holds all its locks
// on one connection, and loses them when the connection closes. So a process that dies or loses its connection is
// replaced immediately, and a paused one after a while. Elections are numbered, and writes by an earlier leader are
// refused, so which process may write never depends on a clock.
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { failureText } from "../../contract/errors.ts";
import type { Leadership, LeadershipOptions } from "../place.ts";
import { HOLDING, JOBS_LOCK, NOW, WATCHED_MS } from "./owners.ts";

/** How often a waiting process tries to take over. */
const TRY_MS = 500;
/**
 * PostgreSQL ends the connection of a process that is silent for this long, because keepalives do not detect a paused
 * process.
 */
const LEASE_MS = 10_000;
/** How many times within the lease the leader confirms its lock. */
const BEATS = 5;
/**
 * A database that is silent for this long is treated as gone, so that the leader stops before PostgreSQL gives the lock
 * to another process.
 */
const BOUND_MS = 5000;
/** How often a leader renews its claim on an owner's jobs. */
const WATCH_MS = 15_000;
/** How long an election waits for the owner's writers. */
const ELECTION_MS = 1000;
/** Keepalive settings that detect a machine that has disappeared. */
const ALIVE = "SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3";

class LeaderCandidate {
  readonly subject: string;
  readonly #options: LeadershipOptions;
  leads = false;
  closed = false;
  /** When the claim was last renewed. */
  watchedAt = Number.NEGATIVE_INFINITY;
  /** Runs callbacks in sequence, so that a new leader starts only after the old one has released the lock. */
  queue: Promise<void> = Promise.resolve();

  constructor(subject: string, options: LeadershipOptions) {
    this.subject = subject;
    this.#options = options;
  }

  get nextAt(): LeadershipOptions["nextAt"] {
    return this.#options.nextAt;
  }

  elected(term: number): void {
    this.leads = true;
    this.#then(() => this.#options.gained(term));
  }

  lost(): void {
    if (!this.leads) return;
    this.leads = false;
    this.#then(() => this.#options.lost());
  }

  #then(work: () => Promise<void>): void {
    this.queue = this.queue.then(work).catch((error: Error) => this.#options.log(`jobs: ${failureText(error)}`));
  }
}

const ELECT = "UPDATE home SET term = term + 1 WHERE subject_id = $1 RETURNING term";
const UNLOCK = "SELECT pg_advisory_unlock(hashtextextended($1, $2))";
/** The error code if a write takes longer than an election waits. */
const BUSY = "55P03";
const WATCH = "INSERT INTO job_watch (subject_id, look_at)";
const AGAIN = "ON CONFLICT (subject_id) DO UPDATE SET look_at = excluded.look_at";
const LATER = "UPDATE job_watch SET look_at = $3 WHERE subject_id = $1 AND look_at = $2";

async function tooLate(): Promise<never> {
  await wait(BOUND_MS, undefined, { ref: false });
  throw new Error("the store does not respond");
}

const subjectOf = ({ subject }: LeaderCandidate): string => subject;

/** The owners for whose jobs this process is a candidate, all on one connection. */
class Elections {
  readonly #url: string;
  readonly #leaseMs: number;
  readonly #candidates = new Set<LeaderCandidate>();
  #client: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> | undefined;
  #asked: Promise<unknown> = Promise.resolve();

  constructor(url: string, leaseMs: number) {
    this.#url = url;
    this.#leaseMs = leaseMs;
  }

  get isEmpty(): boolean {
    return this.#candidates.size === 0;
  }

  stand(candidate: LeaderCandidate): void {
    this.#candidates.add(candidate);
    this.#soon(0);
  }

  /** Gives up leadership once the running jobs have ended. */
  async leave(candidate: LeaderCandidate): Promise<void> {
    candidate.closed = true;
    const led = candidate.leads;
    candidate.lost();
    await candidate.queue;
    if (led) await this.#leaveWord(candidate);
    this.#candidates.delete(candidate);
    await this.#beating;
    if (this.isEmpty) {
      clearTimeout(this.#timer);
      // A silent connection cannot be closed cleanly, so wait only briefly.
      await Promise.race([this.#client?.end().catch(() => undefined), wait(1000, undefined, { ref: false })]);
    } else if (led) {
      await this.#ask(this.#client, UNLOCK, [candidate.subject, JOBS_LOCK]).catch(() => undefined);
    }
  }

  /**
   * Stores when the jobs must be checked again. If nothing is scheduled, that is when something is next written for the
   * owner.
   */
  async #leaveWord(candidate: LeaderCandidate): Promise<void> {
    if (candidate.nextAt === undefined) return;
    const { subject } = candidate;
    try {
      const client = this.#client;
      const said = await this.#ask<{ look_at: string }>(
        client,
        `${WATCH} VALUES ($1, ${NOW} + ${WATCHED_MS}) ${AGAIN} RETURNING look_at`,
        [subject],
      );
      const next = await Promise.race([candidate.nextAt(), tooLate()]);
      // If a later write has requested a check, keep that request.
      const unchanged = [subject, said.rows[0]?.look_at];
      if (next === null)
        await this.#ask(client, "DELETE FROM job_watch WHERE subject_id = $1 AND look_at = $2", unchanged);
      else await this.#ask(client, LATER, [...unchanged, next]);
    } catch {
      // If this fails, another process checks once the last claim expires.
    }
  }

  #soon(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#beating ??= this.#beat().finally(() => {
        this.#beating = undefined;
        const waits = [...this.#candidates].some(({ leads }) => !leads);
        if (!this.isEmpty) this.#soon(Math.min(waits ? TRY_MS : Number.POSITIVE_INFINITY, this.#leaseMs / BEATS));
      });
    }, milliseconds).unref();
  }

  /** Sends queries in sequence, because a leaving candidate sends queries alongside the heartbeat. */
  #ask<Row extends pg.QueryResultRow>(
    client: pg.Client | undefined,
    sql: string,
    values: unknown[] = [],
  ): Promise<{ rows: Row[] }> {
    const answer = this.#asked.then(async () => (await client?.query<Row>(sql, values)) ?? { rows: [] });
    this.#asked = answer.catch(() => undefined);
    return answer;
  }

  async #beat(): Promise<void> {
    const client = this.#client ?? new pg.Client(this.#settings());
    try {
      if (this.#client === undefined) {
        this.#client = client;
        client.on("error", () => this.#drop(client));
        client.on("end", () => this.#drop(client));
        await client.connect();
        await this.#ask(
          client,
          `${ALIVE}; SET lock_timeout = ${ELECTION_MS}; SET idle_session_timeout = ${this.#leaseMs}`,
        );
      }
      const waiting = this.#waiting();
      const { rows } = await this.#ask<{ subject: string; got: boolean }>(
        client,
        "SELECT subject, pg_try_advisory_lock(hashtextextended(subject, $2)) AS got FROM unnest($1::text[]) AS subject",
        [waiting.map(({ subject }) => subject), JOBS_LOCK],
      );
      const got = new Set(rows.filter((row) => row.got).map((row) => row.subject));
      if (this.#client !== client) return;
      for (const candidate of waiting) if (got.has(candidate.subject)) await this.#elect(client, candidate);
      await this.#watch(client);
    } catch {
      this.#drop(client);
    }
  }

  /**
   * Waits in the lock queue of the owner's writers, so that afterwards any write by an earlier leader is either
   * committed or refused.
   */
  async #elect(client: pg.Client, candidate: LeaderCandidate): Promise<void> {
    const { subject } = candidate;
    const { rows } = await this.#ask<{ term: string }>(client, ELECT, [subject]).catch((error: { code?: string }) => {
      if (error.code !== BUSY) throw error;
      return { rows: [] };
    });
    if (this.#client !== client) return;
    if (rows[0] === undefined || candidate.closed) await this.#ask(client, UNLOCK, [subject, JOBS_LOCK]);
    else candidate.elected(Number(rows[0].term));
  }

  async #watch(client: pg.Client): Promise<void> {
    const now = performance.now();
    const due = [...this.#candidates].filter(
      ({ leads, nextAt, watchedAt }) => leads && nextAt !== undefined && now - watchedAt > WATCH_MS,
    );
    if (due.length === 0) return;
    await this.#ask(
      client,
      `${WATCH} SELECT subject_id, ${NOW} + ${WATCHED_MS} FROM unnest($1::text[]) AS subject_id ${AGAIN}`,
      [due.map(subjectOf)],
    ).then(
      () => {
        for (const candidate of due) candidate.watchedAt = now;
      },
      // Another process is renewing the claim. The next heartbeat tries again.
      (error: { code?: string }) => {
        if (error.code !== BUSY) throw error;
      },
    );
  }

  /** Returns one candidate per owner, because one connection could get the same lock twice. */
  #waiting(): LeaderCandidate[] {
    const held = new Set([...this.#candidates].filter(({ leads, closed }) => leads || closed).map(subjectOf));
    const first = new Map<string, LeaderCandidate>();
    for (const candidate of this.#candidates) {
      const { subject } = candidate;
      if (!held.has(subject) && !first.has(subject)) first.set(subject, candidate);
    }
    return [...first.values()];
  }

  #settings(): pg.ClientConfig {
    const [first] = this.#candidates;
    return {
      connectionString: this.#url,
      connectionTimeoutMillis: BOUND_MS,
      query_timeout: BOUND_MS,
      application_name: first?.nextAt === undefined ? HOLDING.one : HOLDING.many,
    };
  }

  #drop(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    for (const candidate of this.#candidates) candidate.lost();
    client.end().catch(() => undefined);
  }
}

const elections = new Map<string, Elections>();

export function lead(url: string, subject: string, options: LeadershipOptions, leaseMs = LEASE_MS): Leadership {
  const held = elections.get(url) ?? new Elections(url, leaseMs);
  elections.set(url, held);
  const candidate = new LeaderCandidate(subject, options);
  held.stand(candidate);
  return {
    async close() {
      await held.leave(candidate);
      if (held.isEmpty && elections.get(url) === held) elections.delete(url);
    },
  };
}
