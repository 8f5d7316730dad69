// Search by a person: the records whose people fields hold one of the identifiers that are of this person (K-12).
import { visibleColumns } from "../../core/capabilities.ts";
import { identifiersIn, type KnownPerson } from "../../core/people/persons.ts";
import { compilePlan } from "../../core/plan.ts";
import { peopleFields } from "../../core/roles.ts";
import type { ScopeRow } from "../../core/scope.ts";
import type { ReadContext } from "./context.ts";
import { calledSo, knownPeople } from "./people.ts";
import type { StreamPeople } from "./people-index.ts";
import { selectionFor } from "./records.ts";

export interface NamedRecords {
  /** Of the records that name all of them. */
  versions: Set<number>;
  /** Names that nobody answers to. */
  unknown: string[];
}

/** `rows` are those that are searched; who is who follows from all that the caller sees. */
export async function recordsNaming(
  context: ReadContext,
  rows: readonly ScopeRow[],
  names: readonly string[],
): Promise<NamedRecords> {
  const { streams, persons } = await knownPeople(context, context.caller.scope.rows);
  const searched = streams.filter(({ row }) => rows.some(({ stream }) => stream.streamNo === row.stream.streamNo));
  let versions: Set<number> | undefined;
  const unknown: string[] = [];
  for (const name of names) {
    const found = calledSo(persons, name);
    if (found.length === 0) unknown.push(name);
    const own = await versionsOf(context, searched, found);
    versions = versions === undefined ? own : inBoth(versions, own);
  }
  return { versions: versions ?? new Set(), unknown };
}

export const inBoth = (one: ReadonlySet<number>, other: ReadonlySet<number>): Set<number> =>
  new Set([...one].filter((version) => other.has(version)));

async function versionsOf(
  context: ReadContext,
  streams: readonly StreamPeople[],
  persons: readonly KnownPerson[],
): Promise<Set<number>> {
  const keys = new Set(persons.flatMap((person) => person.keys));
  const found = new Set<number>();
  for (const people of streams) {
    const values = spellings(people, keys);
    if (values.length === 0) continue;
    const { row } = people;
    const plan = compilePlan(row);
    const visible = new Set(visibleColumns(row));
    const columns = await context.columns(plan);
    for (const field of peopleFields(row.stream).filter((name) => visible.has(name))) {
      const selection = selectionFor(plan, [{ field, op: "in", values }]);
      for (const version of await columns.versions(selection)) found.add(version);
    }
  }
  return found;
}

/** The identifiers as the records of this stream write them. */
function spellings({ row, sightings }: StreamPeople, keys: ReadonlySet<string>): string[] {
  const texts = new Set<string>();
  for (const sighting of sightings.values())
    for (const { key, text } of identifiersIn(sighting, row.stream.connectorKey)) if (keys.has(key)) texts.add(text);
  return [...texts];
}
