// The homes that a multi-owner server has open. A home is opened for a request or a due job. It is closed when it is
// idle, to make room, or when its name is removed or reassigned to another owner.
import { failureText, PdppError } from "../contract/errors.ts";
import type { Database } from "../store/postgres/connection.ts";
import { ownerNamed, ownersNamed, takeUnwatched } from "../store/postgres/owners.ts";
import type { Serving } from "./serving.ts";

export interface OpenHome {
  subject: string;
  serving: Promise<Serving>;
  inFlight: number;
  usedAt: number;
}

export interface OpenHomesOptions {
  directory: Database;
  open(name: string, subject: string): Promise<Serving>;
  log: (text: string) => void;
  /** How many homes can be open at once, and how long an idle home stays open. */
  homesMax?: number;
  idleMs?: number;
}

export interface OpenHomes {
  /** The home stays open until it is released. Resolves with undefined if this server has no owner of that name. */
  hold(name: string): Promise<OpenHome | undefined>;
  release(held: OpenHome): void;
  /** Opens no more homes, and ends event streams. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

const HOMES_MAX = 200;
const IDLE_MS = 5 * 60_000;
/** How soon the home of a removed name is closed, and the home of a due job is opened. */
const SWEEP_MS = 2000;
const DUE_HOMES_MAX = 8;
/** A name is looked up at most this often. */
const NAME_CACHE_MS = 5000;
const CACHED_NAMES_MAX = 10_000;

export function openHomes({
  directory,
  open,
  log,
  homesMax = HOMES_MAX,
  idleMs = IDLE_MS,
}: OpenHomesOptions): OpenHomes {
  const known = new Map<string, { until: number; subject: Promise<string | undefined> }>();
  const homes = new Map<string, OpenHome>();
  const leaving = new Set<Promise<void>>();
  let closing = false;

  function subjectOf(name: string): Promise<string | undefined> {
    const found = known.get(name);
    if (found !== undefined && found.until > Date.now()) return found.subject;
    const subject = ownerNamed(directory, name);
    known.delete(name);
    known.set(name, { until: Date.now() + NAME_CACHE_MS, subject });
    subject.catch(() => known.delete(name));
    for (const old of known.keys()) {
      if (known.size <= CACHED_NAMES_MAX) break;
      known.delete(old);
    }
    return subject;
  }

  async function hold(name: string): Promise<OpenHome | undefined> {
    const subject = await subjectOf(name);
    const before = homes.get(name);
    if (before !== undefined && before.subject !== subject) closeHome(name, before);
    if (subject === undefined) return undefined;
    while (!homes.has(name) && homes.size >= homesMax) await makeRoom();
    if (closing) return undefined;
    let held = homes.get(name);
    if (held === undefined) {
      const opened: OpenHome = { subject, serving: open(name, subject), inFlight: 0, usedAt: 0 };
      homes.set(name, opened);
      opened.serving.catch(() => forget(name, opened));
      held = opened;
    }
    held.inFlight++;
    held.usedAt = Date.now();
    return held;
  }

  function release(held: OpenHome): void {
    held.inFlight--;
    held.usedAt = Date.now();
  }

  /** Removes the home, so that the name is looked up again before the home is next opened. */
  function forget(name: string, held: OpenHome): void {
    if (homes.get(name) !== held) return;
    homes.delete(name);
    known.delete(name);
  }

  function closeHome(name: string, held: OpenHome): void {
    forget(name, held);
    const left = held.serving
      .then((serving) => {
        serving.endStreams();
        return serving.close();
      })
      .catch((error: Error) => log(`owners: ${failureText(error)}`))
      .finally(() => leaving.delete(left));
    leaving.add(left);
  }

  /**
   * If the name was removed or now belongs to another owner, requests for the previous owner end, including running
   * ones.
   */
  async function closeRenamed(): Promise<void> {
    const open = [...homes];
    if (open.length === 0) return;
    const now = await ownersNamed(
      directory,
      open.map(([name]) => name),
    );
    for (const [name, held] of open)
      if (homes.get(name) === held && now.get(name) !== held.subject) closeHome(name, held);
  }

  /** Returns true if the home was closed. A home whose state cannot be checked stays open. */
  async function closeUnused(name: string, held: OpenHome): Promise<boolean> {
    if (held.inFlight > 0) return false;
    const busy = await held.serving.then((serving) => serving.busy()).catch(() => true);
    if (homes.get(name) !== held) return true;
    if (busy || held.inFlight > 0) return false;
    closeHome(name, held);
    return true;
  }

  async function closeIdle(): Promise<void> {
    for (const [name, held] of [...homes]) if (Date.now() - held.usedAt > idleMs) await closeUnused(name, held);
  }

  /** Makes room by closing the least recently used home that is not busy. */
  async function makeRoom(): Promise<void> {
    const oldest = [...homes].sort(([, a], [, b]) => a.usedAt - b.usedAt);
    for (const [name, held] of oldest) if (await closeUnused(name, held)) return;
    throw new PdppError("store_unavailable", `this server is serving ${homesMax} owners, which is its maximum`, {
      next_step: "Try again in a moment, or use another server.",
    });
  }

  async function openDue(): Promise<void> {
    // Open one due home even if there is no room, by closing the least recently used one. A due job matters as much as
    // an old request.
    const room = Math.min(homesMax - homes.size, DUE_HOMES_MAX);
    const due = await takeUnwatched(directory, Math.max(room, 1));
    await Promise.all(
      due.map(async (name) => {
        try {
          const held = await hold(name);
          await held?.serving.finally(() => release(held));
        } catch (error) {
          log(`owners: ${name} cannot be opened: ${(error as Error).message}`);
        }
      }),
    );
  }

  let sweeping: Promise<void> | undefined;
  let failure = "";
  async function sweep(): Promise<void> {
    try {
      await closeRenamed();
      await closeIdle();
      await openDue();
      failure = "";
    } catch (error) {
      // Log a problem once, until it is resolved.
      const text = failureText(error as Error);
      if (text !== failure) log(`owners: ${text}`);
      failure = text;
    }
  }
  const sweeper = setInterval(
    () => {
      sweeping ??= sweep().finally(() => {
        sweeping = undefined;
      });
    },
    Math.min(SWEEP_MS, idleMs),
  ).unref();

  return {
    hold,
    release,
    async drain() {
      closing = true;
      clearInterval(sweeper);
      const open = await Promise.allSettled([...homes.values()].map(({ serving }) => serving));
      for (const one of open) if (one.status === "fulfilled") one.value.endStreams();
    },
    async close() {
      await sweeping;
      for (const [name, held] of [...homes]) closeHome(name, held);
      await Promise.all(leaving);
    },
  };
}
