// The owners of a database that hosts many, for those who run it: made with a name, listed, taken away with all they have.
import { PdppError } from "../contract/errors.ts";
import { withDatabase } from "../store/postgres/connection.ts";
import { addOwner, type NamedOwner, namedOwners, ownerNamed, removeOwner } from "../store/postgres/owners.ts";
import { migrate } from "../store/postgres/schema.ts";

export type { NamedOwner };

export const createOwner = (url: string, name: string): Promise<NamedOwner> =>
  withDatabase(url, async (database) => {
    await database.session(migrate);
    return addOwner(database, name);
  });

export const listOwners = (url: string): Promise<NamedOwner[]> =>
  withDatabase(url, async (database) => {
    await database.session(migrate);
    return namedOwners(database);
  });

/** Refused while a server works for the owner. */
export const deleteOwner = (url: string, name: string): Promise<NamedOwner["subject"]> =>
  withDatabase(url, async (database) => {
    await database.session(migrate);
    const subject = await ownerNamed(database, name);
    if (subject === undefined) throw noOwner(name);
    await removeOwner(database, subject);
    return subject;
  });

export async function subjectNamed(url: string, name: string): Promise<string> {
  const subject = await withDatabase(url, (database) => ownerNamed(database, name));
  if (subject === undefined) throw noOwner(name);
  return subject;
}

const noOwner = (name: string): PdppError =>
  new PdppError("not_found", `there is no owner called ${JSON.stringify(name)}`, {
    next_step: "`pdpp owners list` shows those that there are.",
  });
