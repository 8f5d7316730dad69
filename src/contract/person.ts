// People as returned to readers. They are identified in the records of all sources by addresses, numbers, handles and
// contact cards.
import { z } from "zod";
import { recordHandle } from "./handle-text.ts";
import { count, listOf } from "./list.ts";
import { sourceIdentity } from "./source.ts";
import { timestamp } from "./timestamp.ts";

export const personRead = z.strictObject({
  object: z.literal("person"),
  /** One of the person's identifiers, with its type: `address:ada@example.com`. */
  person_id: z.string(),
  /** The name on a contact card, otherwise the most frequent name in records; null if only identifiers are known. */
  name: z.string().nullable(),
  /** Other names, most frequent first. */
  other_names: z.array(z.string()),
  addresses: z.array(z.string()),
  numbers: z.array(z.string()),
  handles: z.array(z.string()),
  /** Handles of contact cards. */
  cards: z.array(recordHandle),
  /**
   * Records with one of these identifiers refer to this person. Merging and splitting accept the ids. The id of a
   * handle includes its source: `handle:slack:ada`.
   */
  identifiers: z.array(
    z.strictObject({ id: z.string(), type: z.enum(["address", "number", "handle", "name"]), text: z.string() }),
  ),
  /** How many times records mention this person. */
  mentions: count,
  /** The times of the first and the latest of these records. */
  first_at: timestamp.optional(),
  last_at: timestamp.optional(),
  sources: z.array(z.strictObject({ ...sourceIdentity.shape, stream: z.string(), mentions: count })),
});

export const personList = listOf(personRead);

/** The owner's decisions about identifiers: groups that are one person, and identifiers that are kept apart. */
export const peopleDecisions = z.strictObject({
  object: z.literal("people_decisions"),
  merged: z.array(z.array(z.string())),
  apart: z.array(z.string()),
  /** The number of decisions so far. `POST /v1/people/undo` accepts it as long as it is the latest. */
  revision: z.int().min(1),
});

export type PersonRead = z.infer<typeof personRead>;
export type PersonList = z.infer<typeof personList>;
export type PeopleDecisionsRead = z.infer<typeof peopleDecisions>;
