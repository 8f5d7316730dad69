// The changes of a record that a later reader may need: which field changed when, and when the record appeared and disappeared.
//
// A reader who may see only some fields and some times must get the same change feed as if the rest did not exist. So a
// changed record keeps, beside its data, the stamp of the last change of each field and its lifetimes: when it was created
// and deleted, and when its consent time changed. A record that never changed keeps nothing; its row is enough.

import { setMember } from "./set-member.ts";

/** version, emitted_at and ingested_at in ms, provenance as JSON text. */
export type Stamp = [version: number, emittedAt: number, ingestedAt: number, origin: string | null];

export interface History {
  fields: Record<string, Stamp>;
  /** In order of version; time is the record's consent time in ms, if it has one. */
  life: [stamp: Stamp, alive: boolean, time: number | null][];
}

/**
 * Older entries are dropped: a record whose time keeps changing must not grow forever. The first entry kept then counts
 * as the creation, so at worst a reader that was away for that many changes misses one; a reader is never shown a
 * change outside its window.
 */
const LIVES_KEPT = 256;

export interface RecordState {
  data: Record<string, unknown> | null;
  time: number | null;
}

/** The history after `before` became `after` at `stamp`. `born` is the stamp of the row's first version. */
export function advanceHistory(
  history: History | null,
  born: Stamp,
  before: RecordState,
  after: RecordState,
  stamp: Stamp,
): History {
  const fields = { ...history?.fields };
  const life = history ? [...history.life] : [[born, true, before.time] satisfies History["life"][number]];
  if (before.data !== null && after.data !== null) {
    for (const name of changedFields(before.data, after.data)) setMember(fields, name, stamp);
  }
  const alive = after.data !== null;
  const last = life.at(-1)!;
  if (last[1] !== alive || last[2] !== after.time) life.push([stamp, alive, after.time]);
  return { fields, life: life.length > LIVES_KEPT ? forgetFirst(life) : life };
}

function forgetFirst([first, second, ...rest]: History["life"]): History["life"] {
  return [[first![0], second![1], second![2]], ...rest];
}

export function changedFields(before: Record<string, unknown>, after: Record<string, unknown>): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => ownText(before, name) !== ownText(after, name));
}

function ownText(data: Record<string, unknown>, name: string): string | undefined {
  return Object.hasOwn(data, name) ? JSON.stringify(data[name]) : undefined;
}

/** The provenance of the record's current lifetime, as JSON text. */
export function lastCreation({ life }: History): string | null {
  const birth = life.findLast(([, alive], index) => alive && life[index - 1]?.[1] !== true);
  return birth?.[0][3] ?? null;
}

/** Every version at which some reader may have to see this record in the feed. */
export function positionsOf(history: History): Set<number> {
  const versions = new Set(history.life.map(([stamp]) => stamp[0]));
  for (const stamp of Object.values(history.fields)) versions.add(stamp[0]);
  return versions;
}

export type Sight = { state: "visible" | "gone"; stamp: Stamp } | { state: "never" };

/** How a reader of these fields and this time window sees the record: present since, gone since, or never visible. */
export function sightOf(
  history: History,
  fields: ReadonlySet<string> | null,
  inWindow: (time: number | null) => boolean,
): Sight {
  let turn: Stamp | undefined;
  let visible = false;
  for (const [stamp, alive, time] of history.life) {
    if ((alive && inWindow(time)) === visible) continue;
    visible = !visible;
    turn = stamp;
  }
  if (turn === undefined) return { state: "never" };
  if (!visible) return { state: "gone", stamp: turn };
  let latest = turn;
  for (const [name, stamp] of Object.entries(history.fields)) {
    if (stamp[0] > latest[0] && (fields === null || fields.has(name))) latest = stamp;
  }
  return { state: "visible", stamp: latest };
}
