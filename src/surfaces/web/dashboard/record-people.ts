// The people that a record mentions, each with a link to their page.
import { NAME_MAX } from "../../../contract/limits.ts";
import type { RecordRead } from "../../../contract/record.ts";
import type { StreamMetadata } from "../../../contract/schema-document.ts";
import { identifierKey } from "../../../core/people/identifiers.ts";
import { identifiersIn } from "../../../core/people/persons.ts";
import { namingIn, sightingsIn } from "../../../core/people/sightings.ts";
import type { Visit } from "../owner-page.ts";
import { personAddress } from "./people/addresses.ts";

export interface NamedPerson {
  name: string;
  href: string;
  /** The name and the identifiers, as in the record. */
  texts: readonly string[];
}

/** Longer lists are truncated, because nobody opens hundreds of people from one record. */
const MOST = 24;

export async function peopleOf(
  { look }: Pick<Visit, "look">,
  { data, connector_key }: RecordRead,
  { kind, roles = {} }: StreamMetadata,
): Promise<NamedPerson[]> {
  const naming = kind === undefined ? undefined : namingIn({ kind, fields: roles });
  const people = new Map<string, NamedPerson>();
  for (const sighting of naming === undefined ? [] : sightingsIn(data, naming)) {
    const identifiers = identifiersIn(sighting, connector_key);
    const name = sighting.name ?? identifiers[0]!.text;
    const href = personAddress(identifiers[0]!.key);
    if (!people.has(href)) people.set(href, { name, href, texts: [name, ...identifiers.map(({ text }) => text)] });
  }
  const paid = await counterparty({ look }, data[roles.counterparty?.[0] ?? ""]);
  return [...people.values(), ...paid].slice(0, MOST);
}

/** A shop has a name too, so the name must belong to a person who appears in other records. */
async function counterparty({ look }: Pick<Visit, "look">, name: unknown): Promise<NamedPerson[]> {
  if (typeof name !== "string" || name.trim() === "") return [];
  const key = identifierKey("name", name, "");
  const { data } = await look("people", { q: name.slice(0, NAME_MAX), limit: 2 });
  const called = data.filter((person) =>
    [person.name, ...person.other_names].some((own) => own !== null && identifierKey("name", own, "") === key),
  );
  return called.length === 1 ? [{ name, href: personAddress(called[0]!.person_id), texts: [name] }] : [];
}
