// A record's history: when each field changed, and when the record appeared and disappeared.
//
// A reader that may see only some fields and some times must get the same change feed as if the rest did not exist. A
// changed record therefore keeps, beside its data, the stamp of each field's last change and the record's lifetimes: when
// it was created and deleted, and when its consent time changed. For a record that never changed, the row is enough.

import { setMember } from "./set-member.ts";

/** The version, emitted_at and ingested_at in ms, and the provenance as JSON text. */
export type Stamp = [version: number, emittedAt: number, ingestedAt: number, origin: string | null];

export interface History {
  fields: Record<string, Stamp>;
  /**
   * In version order. `time` is the record's consent time in ms, if it has one. Values are absent if the stream has no
   * field by which a grant can be limited, or if they were not recorded yet at that time.
   */
  life: [stamp: Stamp, alive: boolean, time: number | null, values?: FilterValues][];
}

/** The values, by field, that decide whether a record passes a grant's filter. */
export type FilterValues = Record<string, string | null>;

/** Everything about a record, apart from its id, by which a grant can be limited. */
export interface RecordLimits {
  time: number | null;
  values?: FilterValues;
}

/**
 * Older entries are dropped, so that a record whose time keeps changing does not grow forever. The first remaining
 * entry then counts as the creation. At worst, a reader that was away for that many changes misses one. A reader is
 * never shown a change outside its window.
 */
const LIFE_ENTRIES_MAX = 256;

export interface RecordState extends RecordLimits {
  data: Record<string, unknown> | null;
}

/** Returns the history after `before` became `after` at `stamp`. `born` is the stamp of the row's first version. */
export function advanceHistory(
  history: History | null,
  born: Stamp,
  before: RecordState,
  after: RecordState,
  stamp: Stamp,
): History {
  const fields = { ...history?.fields };
  const life = history ? [...history.life] : [lifeEntry(born, true, before)];
  if (before.data !== null && after.data !== null) {
    for (const name of changedFields(before.data, after.data)) setMember(fields, name, stamp);
  }
  const alive = after.data !== null;
  const last = withValues(life.at(-1)!, before.values);
  life[life.length - 1] = last;
  const same = last[1] === alive && last[2] === after.time && holdsValues(last[3], after.values);
  if (!same) life.push(lifeEntry(stamp, alive, after));
  return { fields, life: life.length > LIFE_ENTRIES_MAX ? forgetFirst(life) : life };
}

type LifeEntry = History["life"][number];

const lifeEntry = (stamp: Stamp, alive: boolean, { time, values }: RecordLimits): LifeEntry =>
  values === undefined ? [stamp, alive, time] : [stamp, alive, time, values];

/** The values before this change are known now; the entry may contain older values. */
function withValues(entry: LifeEntry, before: FilterValues | undefined): LifeEntry {
  const [stamp, alive, time, values] = entry;
  return before === undefined || !alive ? entry : [stamp, alive, time, { ...values, ...before }];
}

const holdsValues = (held: FilterValues | undefined, values: FilterValues = {}): boolean =>
  Object.keys(values).every(
    (field) => held !== undefined && Object.hasOwn(held, field) && held[field] === values[field],
  );

function forgetFirst([first, [, alive, time, values] = first!, ...rest]: History["life"]): History["life"] {
  return [lifeEntry(first![0], alive, { time, ...(values === undefined ? {} : { values }) }), ...rest];
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

/** Returns every version at which some reader may have to see this record in the feed. */
export function positionsOf(history: History): Set<number> {
  const versions = new Set(history.life.map(([stamp]) => stamp[0]));
  for (const stamp of Object.values(history.fields)) versions.add(stamp[0]);
  return versions;
}

export type Visibility = { state: "visible" | "gone"; stamp: Stamp } | { state: "never" };

/**
 * Returns the value that a field had in each period of the record's history. A value that was not recorded is assumed to be
 * the next known one or, at the end, the current one. This can only hide a move; it never shows one that the reader may
 * not see.
 */
export function valuesIn({ life }: History, field: string, present: string | null | undefined): (string | null)[] {
  let next = present ?? null;
  return life
    .toReversed()
    .map(([, , , values], fromEnd) => {
      // Changes made while the declaration gave the field no role were not recorded, so the record's current value is
      // used.
      if (fromEnd === 0 && present !== undefined) return next;
      if (values !== undefined && Object.hasOwn(values, field)) next = values[field]!;
      return next;
    })
    .reverse();
}

/**
 * Returns how a reader of these fields within these limits sees the record: visible since, gone since, or never
 * visible.
 */
export function visibilityIn(
  history: History,
  fields: ReadonlySet<string> | null,
  isInside: (time: number | null, index: number) => boolean,
): Visibility {
  let changed: Stamp | undefined;
  let visible = false;
  for (const [index, [stamp, alive, time]] of history.life.entries()) {
    if ((alive && isInside(time, index)) === visible) continue;
    visible = !visible;
    changed = stamp;
  }
  if (changed === undefined) return { state: "never" };
  if (!visible) return { state: "gone", stamp: changed };
  let latest = changed;
  for (const [name, stamp] of Object.entries(history.fields)) {
    if (stamp[0] > latest[0] && (fields === null || fields.has(name))) latest = stamp;
  }
  return { state: "visible", stamp: latest };
}
