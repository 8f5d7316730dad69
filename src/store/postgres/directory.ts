// A database's directory of owners, their names and their addresses. There may be a million, so looking one up never
// lists them all.
import { PdppError } from "../../contract/errors.ts";
import { type Connection, type Database, transaction } from "./connection.ts";
import { NOW } from "./owners.ts";
import { putOwner } from "./postgres-store.ts";

export interface ListedOwner {
  name: string | null;
  subject: string;
  createdAt: number;
}

/**
 * Must be a valid host name label, because it becomes part of a host name. Ids contain an underscore, so a name is
 * never mistaken for an id.
 */
const NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

const PAGE = 1000;

/**
 * Finds an owner by id, or by name if there are many owners. Without either, returns the only owner, or undefined if
 * the database has no owner yet.
 */
export async function whichOwner(connection: Connection, asked: string | undefined): Promise<string | undefined> {
  if (asked !== undefined) {
    const found = await ownerCalled(connection, asked);
    if (found === undefined) throw await notClear(connection, `this database has no owner ${asked}`);
    return found;
  }
  const rows = await connection.rows("SELECT subject_id FROM home ORDER BY subject_id LIMIT 2");
  if (rows.length > 1) throw await notClear(connection, "this database has several owners");
  return rows[0]?.[0] as string | undefined;
}

export const noOwnerYet = (): PdppError =>
  new PdppError("not_found", "this database has no owner yet", {
    next_step: "`pdpp serve` or `pdpp owners add NAME` creates one, `pdpp move` and `pdpp restore` copy one.",
  });

async function ownerCalled(connection: Connection, asked: string): Promise<string | undefined> {
  const row = asked.includes("_")
    ? await connection.row("SELECT subject_id FROM home WHERE subject_id = $1", asked)
    : await connection.row("SELECT subject_id FROM owner_name WHERE name = $1", asked);
  return row?.[0] as string | undefined;
}

async function notClear(connection: Connection, problem: string): Promise<PdppError> {
  const rows = await connection.rows(
    "SELECT coalesce(name, subject_id) FROM home LEFT JOIN owner_name USING (subject_id) ORDER BY subject_id LIMIT 6",
  );
  const some = rows.slice(0, 5).join(", ");
  return new PdppError("not_found", problem, {
    next_step:
      rows.length === 0
        ? "There are no owners yet: `pdpp owners add NAME` adds one."
        : `Set PDPP_OWNER to a name or id, or pass one to \`pdpp owners\`: ${some}${rows.length > 5 ? ", …; `pdpp owners list` shows all" : ""}.`,
  });
}

/** Yields named owners in name order, then the others. A join would scan its other side again for each page. */
export async function* ownersListed(database: Database): AsyncGenerator<ListedOwner[]> {
  for (let after = "", more = true; more; ) {
    const named = await database.session((connection) =>
      connection.rows(
        `SELECT name, subject_id, (SELECT created_at FROM home WHERE home.subject_id = owner_name.subject_id)
         FROM owner_name WHERE name > $1 ORDER BY name LIMIT ${PAGE}`,
        after,
      ),
    );
    yield named.map(listed);
    more = named.length === PAGE;
    if (more) after = named.at(-1)![0] as string;
  }
  for (let after = "", more = true; more; ) {
    const all = await database.session((connection) =>
      connection.rows(
        `SELECT (SELECT name FROM owner_name WHERE owner_name.subject_id = home.subject_id), subject_id, created_at
         FROM home WHERE subject_id > $1 ORDER BY subject_id LIMIT ${PAGE}`,
        after,
      ),
    );
    yield all.map(listed).filter(({ name }) => name === null);
    more = all.length === PAGE;
    if (more) after = all.at(-1)![1] as string;
  }
}

const listed = ([name, subject, createdAt]: unknown[]): ListedOwner => ({
  name: name as string | null,
  subject: subject as string,
  createdAt: createdAt as number,
});

export function addOwner(database: Database, name: string): Promise<ListedOwner> {
  return database.session((connection) =>
    transaction(connection, "BEGIN", async () => {
      const createdAt = Date.now();
      const subject = await putOwner(connection, createdAt);
      await putName(connection, subject, name);
      return { name, subject, createdAt };
    }),
  );
}

/** Replaces the owner's current name, if any. The transaction must be aborted if the name is taken. */
export async function nameOwner(connection: Connection, subject: string, name: string): Promise<void> {
  await putName(connection, subject, name);
  // Multi-owner servers run only the jobs of named owners, so one of them should check for jobs now.
  await connection.run(
    `INSERT INTO job_watch (subject_id, look_at) VALUES ($1, ${NOW})
     ON CONFLICT (subject_id) DO UPDATE SET look_at = least(job_watch.look_at, excluded.look_at)`,
    subject,
  );
}

export async function putName(connection: Connection, subject: string, name: string): Promise<void> {
  checkName(name);
  try {
    await connection.run(
      `INSERT INTO owner_name (name, subject_id) VALUES ($1, $2)
       ON CONFLICT (subject_id) DO UPDATE SET name = excluded.name`,
      name,
      subject,
    );
  } catch (error) {
    throw (error as { constraint?: string }).constraint === "owner_name_pkey" ? nameTaken(name) : error;
  }
}

/** Called before a long copy and again at its end. */
export async function requireFreeName(connection: Connection, name: string): Promise<void> {
  checkName(name);
  if ((await ownerCalled(connection, name)) !== undefined) throw nameTaken(name);
}

function checkName(name: string): void {
  if (NAME.test(name)) return;
  throw new PdppError("invalid_request", `${JSON.stringify(name)} is not a valid owner name`, {
    param: "name",
    next_step: "Use 1 to 63 lowercase letters, digits and hyphens, as in a host name.",
  });
}

const nameTaken = (name: string): PdppError =>
  new PdppError("already_exists", `there is already an owner called ${name}`, {
    param: "name",
    next_step: "Choose another name; `pdpp owners list` shows the names in use.",
  });

/** Stands for all owners in addresses, and for no particular owner in rows. */
export const EVERYBODY = "*";

/** Stores the servers' address for one owner, or for all owners, with a wildcard in place of the name. */
export async function putAddress(connection: Connection, owner: string, address: string): Promise<void> {
  await connection.run(
    `INSERT INTO item (subject_id, kind, id, created_at, body) VALUES ('${EVERYBODY}', 'address', $1, $2, $3)
     ON CONFLICT (subject_id, kind, id) DO UPDATE SET created_at = excluded.created_at, body = excluded.body`,
    owner,
    Date.now(),
    address,
  );
}

/** Returns the owner's address, as stored by the server that started last. */
export async function addressOf(
  connection: Connection,
  subject: string,
): Promise<{ name: string | undefined; address: string | undefined }> {
  const name = (await connection.row("SELECT name FROM owner_name WHERE subject_id = $1", subject))?.[0];
  const row = await connection.row(
    `SELECT body FROM item WHERE subject_id = '${EVERYBODY}' AND kind = 'address' AND id = ANY ($1::text[])
     ORDER BY created_at DESC LIMIT 1`,
    name === undefined ? [subject] : [subject, EVERYBODY],
  );
  const address = row?.[0] as string | undefined;
  return { name: name as string | undefined, address: address?.replace("*", String(name)) };
}
