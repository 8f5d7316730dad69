// Searches by person: finds the records whose people fields contain one of the person's identifiers (K-12).
import { visibleColumns } from "../../core/capabilities.ts";
import type { Predicate } from "../../core/filter.ts";
import { identifiersIn, type KnownPerson } from "../../core/people/persons.ts";
import { compilePlan } from "../../core/plan.ts";
import { peopleFields } from "../../core/roles.ts";
import type { ScopeRow } from "../../core/scope.ts";
import type { ReadContext } from "./context.ts";
import { knownPeople, peopleMatching } from "./people.ts";
import type { StreamPeople } from "./people-index.ts";
import { selectionFor } from "./records.ts";

export interface NamedRecords {
  /** The versions of the records that mention all of these people. */
  versions: Set<number>;
  /** Names that match no one. */
  unknown: string[];
}

/**
 * `rows` are searched, and `fieldsOf` returns those of their fields that may mention people. Identities are derived
 * from everything that the caller can see.
 */
export async function recordsNaming(
  context: ReadContext,
  rows: readonly ScopeRow[],
  names: readonly string[],
  fieldsOf: (row: ScopeRow) => readonly string[] = ({ stream }) => peopleFields(stream),
): Promise<NamedRecords> {
  const { streams, persons } = await knownPeople(context, context.caller.scope.rows);
  const searched = streams.filter(({ row }) => rows.some(({ stream }) => stream.streamNo === row.stream.streamNo));
  let versions: Set<number> | undefined;
  const unknown: string[] = [];
  for (const name of names) {
    const found = peopleMatching(persons, name);
    if (found.length === 0) unknown.push(name);
    const own = await versionsOf(context, searched, found, fieldsOf);
    versions = versions === undefined ? own : inBoth(versions, own);
  }
  return { versions: versions ?? new Set(), unknown };
}

const inBoth = (one: ReadonlySet<number>, other: ReadonlySet<number>): Set<number> =>
  new Set([...one].filter((version) => other.has(version)));

async function versionsOf(
  context: ReadContext,
  streams: readonly StreamPeople[],
  persons: readonly KnownPerson[],
  fieldsOf: (row: ScopeRow) => readonly string[],
): Promise<Set<number>> {
  const found = new Set<number>();
  for (const people of streams) {
    const plan = compilePlan(people.row);
    for (const predicate of predicatesIn(people, persons, fieldsOf(people.row))) {
      const columns = await context.columns(plan);
      for (const version of await columns.versions(selectionFor(plan, [predicate]))) found.add(version);
    }
  }
  return found;
}

/**
 * For each stream, the predicates for this person. A record mentions the person if it matches at least one of them.
 * Streams without predicates do not mention the person.
 */
export async function predicatesNaming(
  context: ReadContext,
  rows: readonly ScopeRow[],
  name: string,
): Promise<Map<number, Predicate[]>> {
  const { streams, persons } = await knownPeople(context, context.caller.scope.rows);
  const found = peopleMatching(persons, name);
  const wanted = new Set(rows.map(({ stream }) => stream.streamNo));
  return new Map(
    streams
      .filter(({ row }) => wanted.has(row.stream.streamNo))
      .map((people): [number, Predicate[]] => [
        people.row.stream.streamNo,
        predicatesIn(people, found, peopleFields(people.row.stream)),
      ])
      .filter(([, predicates]) => predicates.length > 0),
  );
}

function predicatesIn(people: StreamPeople, persons: readonly KnownPerson[], fields: readonly string[]): Predicate[] {
  const { row } = people;
  const values = spellings(people, new Set(persons.flatMap((person) => person.keys)));
  if (values.length === 0) return [];
  const visible = new Set(visibleColumns(row));
  return fields.filter((name) => visible.has(name)).map((field) => ({ field, op: "in", values }));
}

/** The identifiers as this stream's records spell them. */
function spellings({ row, sightings }: StreamPeople, keys: ReadonlySet<string>): string[] {
  const texts = new Set<string>();
  for (const sighting of sightings.values())
    for (const { key, text } of identifiersIn(sighting, row.stream.connectorKey)) if (keys.has(key)) texts.add(text);
  return [...texts];
}
