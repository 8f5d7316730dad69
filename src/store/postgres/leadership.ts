// Who runs an owner's jobs: of all processes one, the holder of a lock in the database. The locks of a process stand on
// one connection and go with it, so that nobody's clock decides, and a process that dies or loses touch hands over at once.
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { failureText } from "../../contract/errors.ts";
import type { Leadership, LeadershipOptions } from "../place.ts";
import { JOBS_LOCK, NOW } from "./owners.ts";

/** How soon another process takes over. */
const TRY_MS = 500;
/** The leader asks the database this often whether it still is, and PostgreSQL asks for a machine that vanished. */
const BEAT_MS = 2000;
/** A database that says nothing for so long is gone. Before PostgreSQL gives the lock to another process, who has it has let go. */
const BOUND_MS = 5000;
/** How long nobody else need look after the jobs of an owner, and how often that is said again. */
const WATCHED_MS = 45_000;
const WATCH_MS = 15_000;
const ALIVE = "SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3";

class Candidate {
  readonly subject: string;
  readonly #options: LeadershipOptions;
  leads = false;
  closed = false;
  /** When it was last said that somebody looks after it. */
  watchedAt = Number.NEGATIVE_INFINITY;
  /** One after the other: whoever gains it has let go of it before. */
  turn: Promise<void> = Promise.resolve();

  constructor(subject: string, options: LeadershipOptions) {
    this.subject = subject;
    this.#options = options;
  }

  get nextAt(): LeadershipOptions["nextAt"] {
    return this.#options.nextAt;
  }

  change(now: boolean): void {
    if (this.leads === now) return;
    this.leads = now;
    const { gained, lost, log } = this.#options;
    this.turn = this.turn.then(now ? gained : lost).catch((error: Error) => log(`jobs: ${failureText(error)}`));
  }
}

const WATCH = "INSERT INTO job_watch (subject_id, look_at)";
const AGAIN = "ON CONFLICT (subject_id) DO UPDATE SET look_at = excluded.look_at";

async function tooLate(): Promise<never> {
  await wait(BOUND_MS, undefined, { ref: false });
  throw new Error("the store says nothing");
}

const subjectOf = ({ subject }: Candidate): string => subject;

/** The owners that a process would run jobs for, on one connection. */
class Elections {
  readonly #url: string;
  readonly #candidates = new Set<Candidate>();
  #client: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  get isEmpty(): boolean {
    return this.#candidates.size === 0;
  }

  stand(candidate: Candidate): void {
    this.#candidates.add(candidate);
    this.#soon(0);
  }

  /** Lets go of it once what runs has ended. */
  async leave(candidate: Candidate): Promise<void> {
    candidate.closed = true;
    const led = candidate.leads;
    candidate.change(false);
    await candidate.turn;
    if (led) await this.#leaveWord(candidate);
    this.#candidates.delete(candidate);
    await this.#beating;
    if (this.isEmpty) {
      clearTimeout(this.#timer);
      // One that says nothing any more does not say goodbye either.
      await Promise.race([this.#client?.end().catch(() => undefined), wait(1000, undefined, { ref: false })]);
    } else if (led) {
      await this.#client
        ?.query("SELECT pg_advisory_unlock(hashtextextended($1, $2))", [candidate.subject, JOBS_LOCK])
        .catch(() => undefined);
    }
  }

  /** When somebody must look again; never: until something is written for the owner, and then somebody is there. */
  async #leaveWord(candidate: Candidate): Promise<void> {
    if (candidate.nextAt === undefined) return;
    try {
      const next = await Promise.race([candidate.nextAt(), tooLate()]);
      const client = this.#client;
      if (next === null) await client?.query("DELETE FROM job_watch WHERE subject_id = $1", [candidate.subject]);
      else await client?.query(`${WATCH} VALUES ($1, $2) ${AGAIN}`, [candidate.subject, next]);
    } catch {
      // Then somebody looks when what was said last is over.
    }
  }

  #soon(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#beating ??= this.#beat().finally(() => {
        this.#beating = undefined;
        const waits = [...this.#candidates].some(({ leads }) => !leads);
        if (!this.isEmpty) this.#soon(waits ? TRY_MS : BEAT_MS);
      });
    }, milliseconds).unref();
  }

  async #beat(): Promise<void> {
    const client = this.#client ?? new pg.Client(this.#settings());
    try {
      if (this.#client === undefined) {
        this.#client = client;
        client.on("error", () => this.#drop(client));
        client.on("end", () => this.#drop(client));
        await client.connect();
        await client.query(ALIVE);
      }
      const waiting = this.#waiting();
      const { rows } = await client.query<{ subject: string; got: boolean }>(
        "SELECT subject, pg_try_advisory_lock(hashtextextended(subject, $2)) AS got FROM unnest($1::text[]) AS subject",
        [waiting.map(({ subject }) => subject), JOBS_LOCK],
      );
      const got = new Set(rows.filter((row) => row.got).map((row) => row.subject));
      if (this.#client !== client) return;
      for (const candidate of waiting) if (got.has(candidate.subject) && !candidate.closed) candidate.change(true);
      await this.#watch(client);
    } catch {
      this.#drop(client);
    }
  }

  async #watch(client: pg.Client): Promise<void> {
    const now = performance.now();
    const due = [...this.#candidates].filter(
      ({ leads, nextAt, watchedAt }) => leads && nextAt !== undefined && now - watchedAt > WATCH_MS,
    );
    if (due.length === 0) return;
    await client.query(
      `${WATCH} SELECT subject_id, ${NOW} + ${WATCHED_MS} FROM unnest($1::text[]) AS subject_id ${AGAIN}`,
      [due.map(subjectOf)],
    );
    for (const candidate of due) candidate.watchedAt = now;
  }

  /** One for each owner: a lock can be had twice on one connection. */
  #waiting(): Candidate[] {
    const held = new Set([...this.#candidates].filter(({ leads, closed }) => leads || closed).map(subjectOf));
    const first = new Map<string, Candidate>();
    for (const candidate of this.#candidates) {
      const { subject } = candidate;
      if (!held.has(subject) && !first.has(subject)) first.set(subject, candidate);
    }
    return [...first.values()];
  }

  #settings(): pg.ClientConfig {
    return {
      connectionString: this.#url,
      connectionTimeoutMillis: BOUND_MS,
      query_timeout: BOUND_MS,
      application_name: "postern jobs",
    };
  }

  #drop(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    for (const candidate of this.#candidates) candidate.change(false);
    client.end().catch(() => undefined);
  }
}

const elections = new Map<string, Elections>();

export function lead(url: string, subject: string, options: LeadershipOptions): Leadership {
  const held = elections.get(url) ?? new Elections(url);
  elections.set(url, held);
  const candidate = new Candidate(subject, options);
  held.stand(candidate);
  return {
    async close() {
      await held.leave(candidate);
      if (held.isEmpty && elections.get(url) === held) elections.delete(url);
    },
  };
}
