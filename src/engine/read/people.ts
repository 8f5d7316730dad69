// The people that a reader can see: all of them, or those with a given name or identifier.
import type { PeopleQuery } from "../../contract/people.ts";
import type { PersonRead } from "../../contract/person.ts";
import { openCursor, sealCursor } from "../../core/cursor.ts";
import { formatInstant } from "../../core/instant.ts";
import { foldName, identifierKey, keyOf } from "../../core/people/identifiers.ts";
import { type KnownPerson, personsOf } from "../../core/people/persons.ts";
import { isOwner, type ScopeRow } from "../../core/scope.ts";
import { ownHandles, ownIdentifiers } from "../me.ts";
import { peopleDecisions } from "../people-decisions.ts";
import { type Answer, listJson, type ReadContext, sourceIdentity } from "./context.ts";
import { peopleIn, type StreamPeople } from "./people-index.ts";
import { pageLimit } from "./records.ts";

/** How many names and identifiers are shown for one person. The others are in the records. */
const NAMES_SHOWN = 10;
const IDENTIFIERS_SHOWN = 50;

export interface KnownPeople {
  streams: StreamPeople[];
  /** Most frequently mentioned first. */
  persons: KnownPerson[];
}

export async function readPeople(context: ReadContext, query: PeopleQuery): Promise<Answer> {
  const { streams, persons } = await knownPeople(context, context.caller.scope.rows);
  const found = query.q === undefined ? persons : peopleMatching(persons, query.q);
  const { limit } = pageLimit(query.limit);
  const binding = { space: "people", within: context.caller.scope.bearer, query: { q: query.q } } as const;
  const after =
    query.cursor === undefined ? undefined : (openCursor(context.key, binding, query.cursor) as [number, string]);
  const rest = after === undefined ? found : found.filter((person) => isBehind(person, after));
  const shown = rest.slice(0, limit);
  const last = shown.at(-1);
  const parameters = new URLSearchParams(query.q === undefined ? {} : { q: query.q });
  if (query.limit !== undefined) parameters.set("limit", String(query.limit));
  const body = listJson({
    url: "/v1/people",
    self: parameters.size === 0 ? "/v1/people" : `/v1/people?${parameters}`,
    items: shown.map((person) => JSON.stringify(personRead(person, streams))),
    hasMore: rest.length > limit,
    ...(rest.length > limit ? { nextCursor: sealCursor(context.key, binding, [last!.mentions, last!.key]) } : {}),
    meta: { count: { kind: "exact", value: found.length } },
  });
  return { body, records: shown.length };
}

const isBehind = ({ mentions, key }: KnownPerson, [at, name]: [number, string]): boolean =>
  mentions < at || (mentions === at && key > name);

/** If two grants in a package show the same stream, only one of them is used, as in search. */
export async function knownPeople(context: ReadContext, rows: readonly ScopeRow[]): Promise<KnownPeople> {
  const once = [...new Map(rows.map((row) => [row.stream.streamNo, row])).values()];
  const streams = await peopleIn(context, once);
  const sources = streams.map(({ row, sightings }) => ({
    connectorKey: row.stream.connectorKey,
    sightings: sightings.values(),
  }));
  const { merged, apart } = await peopleDecisions(context.view, context.caller.subjectId);
  const own = await ownKeys(context, apart);
  return { streams, persons: personsOf(sources, { merged, apart, ...(own === undefined ? {} : { own }) }) };
}

/**
 * The owner's identifiers are merged into one person, but not for apps: an address of a hidden account would be shown
 * to be the owner's (G-01).
 */
async function ownKeys({ view, caller }: ReadContext, apart: readonly string[]): Promise<string[] | undefined> {
  if (!isOwner(caller.scope)) return undefined;
  const handles = await ownHandles(view, caller);
  const keys = [
    ...(await ownIdentifiers(view, caller)).map(keyOf),
    ...handles.map(({ handle, connectorKey }) => identifierKey("handle", handle, connectorKey)),
  ];
  return keys.filter((key) => !apart.includes(key));
}

/**
 * Returns people with that identifier. If there are none, returns people whose name has, for each typed word, a word
 * that begins with it.
 */
export function peopleMatching(persons: readonly KnownPerson[], typed: string): KnownPerson[] {
  const key = keyOf(typed);
  const handle = identifierKey("handle", typed, "").slice("handle:".length);
  const exact = persons.filter(({ keys }) =>
    keys.some((own) => own === key || (own.startsWith("handle:") && own.endsWith(handle))),
  );
  if (exact.length > 0 && !key.startsWith("name:")) return exact;
  const words = foldName(typed)
    .split(" ")
    .filter((word) => word !== "");
  const named = persons.filter(({ names }) =>
    names.some((name) => {
      const own = foldName(name).split(/[^\p{L}\p{N}]+/u);
      return words.every((word) => own.some((part) => part.startsWith(word)));
    }),
  );
  return [...new Set([...exact, ...named])];
}

function personRead(person: KnownPerson, streams: readonly StreamPeople[]): PersonRead {
  const { key, names, addresses, numbers, handles, cards, identifiers, mentions, firstAt, lastAt, perSource } = person;
  const [name = null, ...others] = names;
  const few = (texts: readonly string[]) => texts.slice(0, IDENTIFIERS_SHOWN);
  return {
    object: "person",
    person_id: key,
    name,
    other_names: others.slice(0, NAMES_SHOWN),
    addresses: few(addresses),
    numbers: few(numbers),
    handles: few(handles),
    cards: few(cards),
    identifiers: identifiers
      .slice(0, IDENTIFIERS_SHOWN)
      .map((one) => ({ id: one.key, type: one.type, text: one.text })),
    mentions,
    ...(firstAt === undefined ? {} : { first_at: formatInstant(firstAt) }),
    ...(lastAt === undefined ? {} : { last_at: formatInstant(lastAt) }),
    sources: [...perSource].map(([at, count]) => {
      const { row } = streams[at]!;
      return { ...sourceIdentity(row), stream: row.stream.name, mentions: count };
    }),
  };
}
