// People who appear in the records that a reader can see: a fold over the feed, cached in memory and updated at each
// query (K-12).
import type { KeyObject } from "node:crypto";
import { formatHandle } from "../../contract/handle.ts";
import type { JsonObject } from "../../contract/record.ts";
import type { History } from "../../core/history.ts";
import { parseDay, parseInstant } from "../../core/instant.ts";
import type { CountedSighting } from "../../core/people/persons.ts";
import { type NamingFields, namingFields, sightingsIn } from "../../core/people/sightings.ts";
import { compilePlan, type Plan, revealChange } from "../../core/plan.ts";
import { rolesOf, timeFieldOf } from "../../core/roles.ts";
import type { ScopeRow } from "../../core/scope.ts";
import type { FeedEntry } from "../../store/store.ts";
import type { ReadContext } from "./context.ts";

/**
 * Mentions of people in one stream. Records with the same mention share one entry, because a home has few
 * correspondents and many messages.
 */
export interface StreamPeople {
  row: ScopeRow;
  naming: NamingFields;
  through: number;
  sightings: Map<string, CountedSighting>;
}

/**
 * How many of a home's streams are cached. The least recently used is dropped first. Each grant has its own entry,
 * because only visible records are counted.
 */
const KEPT = 256;
/** Keyed by the key of the open home, because connection ids are short and a process may serve many owners. */
const homes = new WeakMap<KeyObject, Map<string, StreamPeople>>();
const STEP = 500;

/** The streams that mention people, each updated to this snapshot. */
export async function peopleIn(context: ReadContext, rows: readonly ScopeRow[]): Promise<StreamPeople[]> {
  const found: StreamPeople[] = [];
  for (const row of rows) {
    const naming = namingFields(row);
    if (naming !== undefined) found.push(await caughtUp(context, row, naming));
  }
  return found;
}

async function caughtUp(context: ReadContext, row: ScopeRow, naming: NamingFields): Promise<StreamPeople> {
  const head = await context.view.version();
  const name = JSON.stringify([
    row.grantId,
    row.stream.streamNo,
    row.stream.connectionId,
    row.time,
    row.filter && [row.filter.field, ...row.filter.values],
    [...(row.resources ?? [])],
    naming,
  ]);
  const kept = homes.get(context.key) ?? new Map<string, StreamPeople>();
  homes.set(context.key, kept);
  const known = kept.get(name);
  kept.delete(name);
  const isUsable = known !== undefined && known.through <= head;
  const people: StreamPeople = isUsable ? { ...known, row } : { row, naming, through: 0, sightings: new Map() };
  const complete = (await fold(context, people, head)) ? people : { ...people, through: 0, sightings: new Map() };
  // A counted record has changed or was deleted. Its earlier mentions are not stored, so everything is read again.
  if (complete !== people) await fold(context, complete, head);
  kept.set(name, complete);
  if (kept.size > KEPT) kept.delete(kept.keys().next().value!);
  return complete;
}

/** Returns false if a counted record has changed. */
async function fold(context: ReadContext, people: StreamPeople, head: number): Promise<boolean> {
  const { row, naming } = people;
  const time = timeFieldOf(row.stream.declaration, rolesOf(row.stream.declaration.schema));
  const shown = time !== undefined && (row.fields?.has(time) ?? true) ? [...naming.fields, time] : naming.fields;
  const plan = compilePlan(row, { fields: [...shown] });
  context.scan();
  const since = people.through;
  for (let position = since; ; ) {
    const entries = await context.view.feed(plan, position, head, STEP);
    for (const entry of entries) {
      position = entry.position;
      if (since > 0 && wasCounted(entry, since)) {
        if (hasChanged(entry, since, shown)) return false;
        continue;
      }
      count(plan, entry, people, time);
    }
    if (entries.length < STEP) break;
  }
  people.through = head;
  return true;
}

function wasCounted({ row: { history, version } }: FeedEntry, since: number): boolean {
  if (history === null) return version <= since;
  const { life } = JSON.parse(history) as History;
  return life[0]![0][0] <= since;
}

function hasChanged({ row: { history } }: FeedEntry, since: number, fields: readonly string[]): boolean {
  const { life, fields: stamps } = JSON.parse(history!) as History;
  if (life.at(-1)![0][0] > since) return true;
  return fields.some((name) => Object.hasOwn(stamps, name) && stamps[name]![0] > since);
}

function count(plan: Plan, { row: stored, position }: FeedEntry, people: StreamPeople, time: string | undefined): void {
  const change = revealChange(plan, stored, position);
  if (change === undefined || !("data" in change)) return;
  const data = JSON.parse(change.data) as JsonObject;
  const { row, naming, sightings } = people;
  const { connectionId: connection_id, name: stream } = row.stream;
  const written = time === undefined ? undefined : data[time];
  const at = typeof written === "string" ? (parseInstant(written) ?? parseDay(written)) : undefined;
  const card = naming.isCard ? { card: formatHandle({ kind: "record", connection_id, stream, id: change.id }) } : {};
  for (const sighting of sightingsIn(data, naming)) {
    const key = JSON.stringify([sighting, card]);
    const known = sightings.get(key) ?? { ...sighting, ...card, mentions: 0 };
    sightings.set(key, known);
    known.mentions++;
    if (at === undefined) continue;
    known.firstAt = Math.min(known.firstAt ?? at, at);
    known.lastAt = Math.max(known.lastAt ?? at, at);
  }
}
