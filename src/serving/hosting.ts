// Many owners on one database, each under a name of its own: homes are opened when somebody comes, or when a job is due,
// and let go when nobody has come for a while.
import { join } from "node:path";
import { Hono } from "hono";
import { PdppError } from "../contract/errors.ts";
import { newRequestId } from "../engine/host.ts";
import type { ObjectPlace } from "../engine/objects-place.ts";
import { engineThreads } from "../engine/threads/threaded-host.ts";
import { preparePlace } from "../store/place.ts";
import { Database } from "../store/postgres/connection.ts";
import { ownerNamed, unwatchedOwners } from "../store/postgres/owners.ts";
import { answerProbe, isProbe } from "../surfaces/http/probes.ts";
import { readinessOf } from "../surfaces/http/readiness.ts";
import { type Exchange, problem } from "../surfaces/http/respond.ts";
import { listen } from "../surfaces/http/serve.ts";
import { openServing, type Serving, type ServingOptions } from "./serving.ts";

export interface HostingOptions extends Pick<ServingOptions, "clientFetch" | "events" | "log" | "operating"> {
  /** Each owner has a folder in it. */
  home: string;
  database: { url: string };
  objectsFor?: (home: string, subject: string) => ObjectPlace | undefined;
  port: number;
  /** The address to listen at; only this machine, unless said otherwise. */
  bind?: string;
  /** With a star where the owner's name stands: https://*.data.example */
  publicUrl: string;
  /** Homes that are open at a time, and how long one is kept that nobody asks for. */
  homesMax?: number;
  idleMs?: number;
}

export interface RunningHosting {
  url: string;
  drain(): void;
  close(): Promise<void>;
}

interface Held {
  serving: Promise<Serving>;
  inFlight: number;
  usedAt: number;
}

const HOMES_MAX = 200;
const IDLE_MS = 5 * 60_000;
const SWEEP_MS = 5000;
/** A name that somebody asks for is looked up this often at most. */
const NAME_KEPT_MS = 5000;
const NAMES_KEPT = 10_000;
/** Of each home: most are small, and what does not fit is read again. */
const BUDGETS = { columnsBudgetBytes: 16 * 1024 * 1024, searchBudgetBytes: 24 * 1024 * 1024 };

export async function startHosting(options: HostingOptions): Promise<RunningHosting> {
  const { home, database, objectsFor, port, bind, log, homesMax = HOMES_MAX, idleMs = IDLE_MS } = options;
  const names = new NamePattern(options.publicUrl);
  const threads = engineThreads({ onFailure: log, ...BUDGETS });
  const directory = new Database(database.url, { connections: 2 });
  const known = new Map<string, { until: number; subject: Promise<string | undefined> }>();
  const homes = new Map<string, Held>();
  const readiness = readinessOf({ call: async () => `${await ownerNamed(directory, "")}` });
  let bound = port;
  let closing = false;

  function subjectOf(name: string): Promise<string | undefined> {
    const found = known.get(name);
    if (found !== undefined && found.until > Date.now()) return found.subject;
    const subject = ownerNamed(directory, name);
    known.delete(name);
    known.set(name, { until: Date.now() + NAME_KEPT_MS, subject });
    subject.catch(() => known.delete(name));
    for (const old of known.keys()) {
      if (known.size <= NAMES_KEPT) break;
      known.delete(old);
    }
    return subject;
  }

  async function open(name: string, subject: string): Promise<Serving> {
    const place = {
      home: join(home, subject),
      database: { ...database, subject },
      objects: objectsFor?.(join(home, subject), subject),
    };
    preparePlace(place);
    const publicUrl = names.urlOf(name);
    const serving = await openServing({
      ...options,
      place,
      engine: threads.host(place),
      port: () => bound,
      isOneOfMany: true,
      publicUrl,
    });
    await serving.begin(new URL(publicUrl).origin);
    return serving;
  }

  /** undefined when nobody here has that name. */
  async function hold(name: string): Promise<Held | undefined> {
    const subject = await subjectOf(name);
    if (subject === undefined || closing) return undefined;
    let held = homes.get(name);
    if (held === undefined) {
      held = { serving: open(name, subject), inFlight: 0, usedAt: Date.now() };
      homes.set(name, held);
      held.serving.catch(() => homes.delete(name));
    }
    held.usedAt = Date.now();
    return held;
  }

  async function letGo(name: string, held: Held): Promise<void> {
    homes.delete(name);
    await (await held.serving).close();
  }

  let sweeping: Promise<void> | undefined;
  async function sweep(): Promise<void> {
    const oldest = [...homes].sort(([, a], [, b]) => a.usedAt - b.usedAt);
    let excess = homes.size - homesMax;
    for (const [name, held] of oldest) {
      const isIdle = Date.now() - held.usedAt > idleMs;
      if (held.inFlight > 0 || !(isIdle || excess > 0)) continue;
      if (await (await held.serving).busy()) continue;
      if (held.inFlight === 0) await letGo(name, held);
      excess--;
    }
    const room = homesMax - homes.size;
    if (room > 0) for (const name of await unwatchedOwners(directory, Math.min(room, 8))) await hold(name);
  }
  const sweeper = setInterval(
    () => {
      sweeping ??= sweep()
        .catch((error: Error) => log(`owners: ${error.message}`))
        .finally(() => {
          sweeping = undefined;
        });
    },
    Math.min(SWEEP_MS, idleMs),
  ).unref();

  const app = new Hono();
  app.all("*", async (context) => {
    const request = context.req.raw;
    const url = new URL(request.url);
    const exchange: Exchange = { request, url, requestId: newRequestId(), origin: url.origin, address: "", abort() {} };
    try {
      const name = names.nameIn(request.headers.get("host") ?? "");
      if (isProbe(url.pathname)) return await answerProbe(exchange, url.pathname, readiness);
      const held = name === undefined ? undefined : await hold(name);
      if (held === undefined) return problem(exchange, nobody());
      held.inFlight++;
      const done = (): void => {
        held.inFlight--;
        held.usedAt = Date.now();
      };
      const { outgoing } = context.env as { outgoing?: { once(event: "close", listener: () => void): void } };
      if (outgoing === undefined) done();
      else outgoing.once("close", done);
      return await (await held.serving).app.fetch(request, context.env);
    } catch (error) {
      if (!(error instanceof PdppError)) log(`owners: ${(error as Error).stack ?? String(error)}`);
      const known = error instanceof PdppError ? error : new PdppError("api_error", "something went wrong here");
      return problem(exchange, known);
    }
  });
  const listening = await listen(app, port, { hostname: bind });
  bound = listening.port;
  return {
    url: `http://127.0.0.1:${bound}`,
    drain() {
      readiness.drain();
      listening.drain();
    },
    async close() {
      closing = true;
      clearInterval(sweeper);
      readiness.drain();
      const closed = listening.close();
      const open = await Promise.allSettled([...homes.values()].map(({ serving }) => serving));
      for (const one of open) if (one.status === "fulfilled") one.value.endStreams();
      await closed;
      await sweeping;
      await Promise.allSettled([...homes].map(([name, held]) => letGo(name, held)));
      await threads.close();
      await directory.close();
    },
  };
}

const nobody = (): PdppError =>
  new PdppError("not_found", "nobody's data is here under this name", {
    next_step: "Check the address: the owner's name is its first part.",
  });

/** Which part of a host name is the owner's. */
export class NamePattern {
  readonly #before: string;
  readonly #after: string;
  readonly #protocol: string;

  constructor(publicUrl: string) {
    const [, protocol, before, after] = /^(https?:)\/\/([^*/]*)\*([^*/]+)\/?$/.exec(publicUrl) ?? [];
    if (protocol === undefined || before === undefined || after === undefined || !/[.-]/.test(before + after)) {
      throw new PdppError("invalid_request", `${JSON.stringify(publicUrl)} has no place for an owner's name`, {
        next_step: "Put a star where it stands: https://*.data.example",
      });
    }
    [this.#protocol, this.#before, this.#after] = [protocol, before.toLowerCase(), after.toLowerCase()];
  }

  nameIn(host: string): string | undefined {
    const asked = host.toLowerCase();
    const { length } = asked;
    if (!asked.startsWith(this.#before) || !asked.endsWith(this.#after)) return undefined;
    const name = asked.slice(this.#before.length, length - this.#after.length);
    return /^[a-z0-9-]{1,63}$/.test(name) ? name : undefined;
  }

  urlOf(name: string): string {
    return `${this.#protocol}//${this.#before}${name}${this.#after}`;
  }
}
