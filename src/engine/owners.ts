// Manages the owners of a database that hosts many, for its operator: creates, lists and renames them, and removes them
// with all their data.
import { failureText } from "../contract/errors.ts";
import type { DatabasePlace } from "../store/place.ts";
import { type Connection, type Database, withDatabase } from "../store/postgres/connection.ts";
import {
  addOwner,
  addressOf,
  type ListedOwner,
  nameOwner,
  noOwnerYet,
  ownersListed,
  putAddress,
  whichOwner,
} from "../store/postgres/directory.ts";
import { type RemovalOptions, removeOwner } from "../store/postgres/owner-removal.ts";
import { migrate } from "../store/postgres/schema.ts";

export type { ListedOwner };

const withOwners = <T>(url: string, work: (database: Database) => Promise<T>): Promise<T> =>
  withDatabase(url, async (database) => {
    await database.session(migrate);
    return work(database);
  });

const ownerIn = async (connection: Connection, owner: string | undefined): Promise<string> => {
  const subject = await whichOwner(connection, owner);
  if (subject === undefined) throw noOwnerYet();
  return subject;
};

export const createOwner = (url: string, name: string): Promise<ListedOwner> =>
  withOwners(url, (database) => addOwner(database, name));

/** Reported page by page, because there may be many. */
export const listOwners = (url: string, tell: (page: ListedOwner[]) => void): Promise<void> =>
  withOwners(url, async (database) => {
    for await (const page of ownersListed(database)) tell(page);
  });

/** `owner` is a name or id, as in all of these functions. */
export const renameOwner = (url: string, owner: string, name: string): Promise<string> =>
  withOwners(url, (database) =>
    database.session(async (connection) => {
      const subject = await ownerIn(connection, owner);
      await nameOwner(connection, subject, name);
      return subject;
    }),
  );

const RELEASE_TIMEOUT_MS = 30_000;

/** Refused while a server is serving the owner and does not release it. */
export const deleteOwner = (url: string, owner: string, options: Partial<RemovalOptions> = {}): Promise<string> =>
  withOwners(url, async (database) => {
    const subject = await database.session((connection) => ownerIn(connection, owner));
    await removeOwner(database, subject, { timeoutMs: RELEASE_TIMEOUT_MS, ...options });
    return subject;
  });

/** Stores a server's address for its owner, so that commands find it. A failure does not stop the server. */
export const keepAddress = (
  { url, subject }: DatabasePlace,
  address: string,
  log: (text: string) => void,
): Promise<void> =>
  withDatabase(url, (database) => database.session((connection) => putAddress(connection, subject, address))).catch(
    (error: Error) => log(`address: ${failureText(error)}`),
  );

export interface OwnerAddress {
  name: string | undefined;
  /** The address of the most recently started server. Undefined if there has been none. */
  address: string | undefined;
}

export const ownerAddress = (url: string, owner: string | undefined): Promise<OwnerAddress> =>
  withOwners(url, (database) =>
    database.session(async (connection) => addressOf(connection, await ownerIn(connection, owner))),
  );
