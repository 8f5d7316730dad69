// Requests about people: who they are, and which identifiers belong to the same person.
import { z } from "zod";
import { IDENTIFIERS_MAX, NAME_MAX } from "./limits.ts";

const identifier = z.string().trim().min(1).max(NAME_MAX);

export const peopleQuery = z.strictObject({
  /** The beginnings of words in a name, or an identifier. */
  q: z.string().max(NAME_MAX).optional(),
  limit: z.int().min(1).optional(),
  cursor: z.string().min(1).max(8192).optional(),
});

/** Addresses, numbers and names as written, or ids of people or identifiers, such as `handle:slack:ada`. */
export const peopleMerge = z.strictObject({ identifiers: z.array(identifier).min(2).max(IDENTIFIERS_MAX) });
export const peopleSplit = z.strictObject({ identifiers: z.array(identifier).min(1).max(IDENTIFIERS_MAX) });

/** The revision that was returned by the call that made the decision. */
export const peopleUndo = z.strictObject({ revision: z.int().min(1) });

export type PeopleQuery = z.infer<typeof peopleQuery>;
export type PeopleMerge = z.infer<typeof peopleMerge>;
export type PeopleSplit = z.infer<typeof peopleSplit>;
export type PeopleUndo = z.infer<typeof peopleUndo>;
