// Groups sightings into persons. Identifiers that are given together belong to one person, and so do those that the
// owner merged.
import { foldName, type IdentifierType, identifierKey, type Sighting } from "./identifiers.ts";

/** The owner's decisions, as identifier keys. */
export interface PeopleDecisions {
  /** Each list is one person. */
  merged: string[][];
  /** Each of these is a separate person, even if records say otherwise. */
  apart: string[];
  /**
   * The owner's identifiers count as one person. So do the sender addresses on anything the owner sent, and any
   * identifier that usually appears with one of the owner's names. Absent for a reader that must not learn who the
   * owner is.
   */
  own?: string[];
}

/** A sighting, and how many times it occurs in a stream. */
export interface CountedSighting extends Sighting {
  mentions: number;
  /** The earliest and the latest time of such a record, in ms. */
  firstAt?: number;
  lastAt?: number;
  /** The record, if it is a contact card. */
  card?: string;
}

export interface PeopleSource {
  /** Handles are scoped to this connector's source. */
  connectorKey: string;
  sightings: Iterable<CountedSighting>;
}

export interface KnownPerson {
  /** The first of the person's keys. */
  key: string;
  keys: string[];
  /** Most frequent first; the name on a card comes before all others. */
  names: string[];
  addresses: string[];
  numbers: string[];
  handles: string[];
  cards: string[];
  /** All identifiers, except names on cards, in the form that merging and splitting use. */
  identifiers: Identifier[];
  mentions: number;
  firstAt?: number;
  lastAt?: number;
  /** Mentions per source; the key is the index of the source in the list. */
  perSource: Map<number, number>;
}

interface PersonDraft extends Omit<KnownPerson, "key" | "keys" | "names"> {
  keys: Set<string>;
  counted: Map<string, { name: string; weight: number }>;
}

/** The name on a card takes precedence over what others call someone. */
const CARD_WEIGHT = 1e9;

/** One mention in a record, with the keys of its identifiers. */
interface Mention {
  sighting: CountedSighting;
  source: number;
  identifiers: Identifier[];
}

export interface Identifier {
  key: string;
  type: IdentifierType;
  text: string;
}

export function personsOf(
  sources: readonly PeopleSource[],
  { merged, apart, own: given }: PeopleDecisions,
): KnownPerson[] {
  const links = new Links(new Set(apart));
  const allMentions = sources.flatMap(({ connectorKey, sightings }, source) =>
    inOrder(sightings).map(
      (sighting): Mention => ({ sighting, source, identifiers: identifiersIn(sighting, connectorKey) }),
    ),
  );
  for (const { identifiers } of allMentions) links.join(identifiers.map(({ key }) => key));
  const own = given === undefined ? [] : [...new Set([...given, ...sentBy(allMentions, apart)])];
  const decided = [...merged, own].map((keys) => keys.filter((key) => links.has(key)));
  for (const keys of decided) links.join(keys, true);
  const names = mainNames(allMentions, links);
  // A handle in one source and a number in another have only the name in common. For the owner, that is enough.
  links.join([...own.filter((key) => links.has(key)), ...own.flatMap((key) => [...(names.get(key) ?? [])])]);
  for (const { identifiers } of allMentions) {
    const { key, type } = identifiers[0]!;
    const owners = type === "name" ? names.get(key) : undefined;
    if (owners?.size === 1) links.join([key, ...owners]);
  }
  const persons = new Map<string, PersonDraft>();
  for (const mention of allMentions) {
    const main = links.root(links.firstOf(mention.identifiers).key);
    for (const root of new Set(mention.identifiers.map(({ key }) => links.root(key)))) {
      const person = persons.get(root) ?? empty();
      persons.set(root, person);
      const own = mention.identifiers.filter(({ key }) => links.root(key) === root);
      addIdentifiers(person, own);
      // An identifier that the owner split off stays separate; the rest of the sighting is about the other person.
      if (root === main) addMentions(person, mention);
    }
  }
  return [...persons.values()].map(finished).sort(byMentions);
}

/** Returns the identifiers in records that the owner sent, such as the user name in a chat export. */
const sentBy = (allMentions: readonly Mention[], apart: readonly string[]): string[] =>
  allMentions
    .filter(({ sighting }) => sighting.isOwner)
    .flatMap(({ identifiers }) => identifiers.map(({ key }) => key))
    .filter((key) => !apart.includes(key));

/** Sorts by frequency. The order of discovery would reveal that earlier records existed. */
function inOrder(sightings: Iterable<CountedSighting>): CountedSighting[] {
  const named = Array.from(sightings, (sighting) => {
    const { name, addresses, numbers, handles, card } = sighting;
    return { sighting, text: JSON.stringify([name, addresses, numbers, handles, card]) };
  });
  named.sort((one, other) => other.sighting.mentions - one.sighting.mentions || (one.text < other.text ? -1 : 1));
  return named.map(({ sighting }) => sighting);
}

const byMentions = (one: KnownPerson, other: KnownPerson): number =>
  other.mentions - one.mentions || (one.key < other.key ? -1 : 1);

/** Returns strong identifiers, or the name if there are none. */
export function identifiersIn({ name, addresses, numbers, handles }: Sighting, source: string): Identifier[] {
  const all = (type: IdentifierType, texts: readonly string[]) =>
    texts.map((text) => ({ key: identifierKey(type, text, source), type, text }));
  const strong = [...all("address", addresses), ...all("number", numbers), ...all("handle", handles)];
  return strong.length > 0 ? strong : all("name", [name!]);
}

/**
 * Returns, for each name key, the people who are mostly called by that name. A bare name refers to such a person if
 * there is only one.
 */
function mainNames(allMentions: readonly Mention[], links: Links): Map<string, Set<string>> {
  const perRoot = new Map<string, Map<string, number>>();
  for (const { sighting, identifiers } of allMentions) {
    const first = links.firstOf(identifiers);
    if (sighting.name === undefined || first.type === "name") continue;
    const root = links.root(first.key);
    const counts = perRoot.get(root) ?? new Map<string, number>();
    perRoot.set(root, counts);
    const name = identifierKey("name", sighting.name, "");
    counts.set(name, (counts.get(name) ?? 0) + weightOf(sighting));
  }
  const owners = new Map<string, Set<string>>();
  for (const [root, counts] of perRoot) {
    const [main] = [...counts].reduce((best, next) => (next[1] > best[1] ? next : best));
    owners.set(main, (owners.get(main) ?? new Set<string>()).add(root));
  }
  return owners;
}

const weightOf = ({ mentions, card }: CountedSighting): number => (card === undefined ? mentions : CARD_WEIGHT);

const empty = (): PersonDraft => ({
  keys: new Set(),
  counted: new Map(),
  addresses: [],
  numbers: [],
  handles: [],
  cards: [],
  identifiers: [],
  mentions: 0,
  perSource: new Map(),
});

const LISTS = { address: "addresses", number: "numbers", handle: "handles" } as const;

function addIdentifiers(person: PersonDraft, identifiers: readonly Identifier[]): void {
  for (const identifier of identifiers) {
    const { key, type, text } = identifier;
    if (person.keys.has(key)) continue;
    person.keys.add(key);
    person.identifiers.push(identifier);
    if (type !== "name") person[LISTS[type]].push(text);
  }
}

function addMentions(person: PersonDraft, { sighting, source }: Mention): void {
  const { name, card, mentions, firstAt, lastAt } = sighting;
  if (name !== undefined) {
    const folded = foldName(name);
    const known = person.counted.get(folded) ?? { name, weight: 0 };
    known.weight += weightOf(sighting);
    person.counted.set(folded, known);
  }
  if (card !== undefined) person.cards.push(card);
  person.mentions += mentions;
  person.perSource.set(source, (person.perSource.get(source) ?? 0) + mentions);
  if (firstAt !== undefined) person.firstAt = Math.min(person.firstAt ?? Number.POSITIVE_INFINITY, firstAt);
  if (lastAt !== undefined) person.lastAt = Math.max(person.lastAt ?? Number.NEGATIVE_INFINITY, lastAt);
}

function finished({ keys, counted, ...person }: PersonDraft): KnownPerson {
  const sorted = [...keys].sort((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1));
  const names = [...counted.values()].sort(
    (one, other) => other.weight - one.weight || (one.name < other.name ? -1 : 1),
  );
  const identifiers = [...person.identifiers].sort((one, other) => sorted.indexOf(one.key) - sorted.indexOf(other.key));
  return { ...person, identifiers, key: sorted[0]!, keys: sorted, names: names.map(({ name }) => name) };
}

const RANKS = ["address", "number", "handle", "name"];
const rank = (key: string): number => RANKS.indexOf(key.slice(0, key.indexOf(":")));

/** Tracks which keys belong to the same person. */
class Links {
  readonly #parents = new Map<string, string>();
  readonly #apart: ReadonlySet<string>;

  constructor(apart: ReadonlySet<string>) {
    this.#apart = apart;
  }

  has(key: string): boolean {
    return this.#parents.has(key);
  }

  root(key: string): string {
    let root = key;
    for (let next = this.#parents.get(root); next !== undefined && next !== root; next = this.#parents.get(root))
      root = next;
    for (let at = key; at !== root; ) {
      const next = this.#parents.get(at)!;
      this.#parents.set(at, root);
      at = next;
    }
    return root;
  }

  /** Returns the identifier that decides which person a sighting is about. */
  firstOf<T extends { key: string }>(identifiers: readonly T[]): T {
    return identifiers.find(({ key }) => !this.#apart.has(key)) ?? identifiers[0]!;
  }

  /** `decided` means that the owner made this decision. The owner can even join identifiers that were split. */
  join(keys: readonly string[], decided = false): void {
    for (const key of keys) if (!this.#parents.has(key)) this.#parents.set(key, key);
    const [first, ...others] = decided ? keys : keys.filter((key) => !this.#apart.has(key));
    for (const key of others) this.#parents.set(this.root(key), this.root(first!));
  }
}
