// Translates errors of PostgreSQL and of its connections into ours, and decides whether the connection is still usable.
import { PdppError } from "../../contract/errors.ts";
import { damaged } from "../damage.ts";

const LOST = /^(08|57P0)/;
const FULL = "53100";
const DISK_FAILED = "58030";
/** data_corrupted and index_corrupted: a page does not match its checksum, or an index contradicts its table. */
const DAMAGED = /^XX00[12]$/;
/** The key is too long for any index. */
const TOO_LONG = "54000";
/**
 * The transaction was ended by a timeout, or a statement that should be prepared is not, because its preparation failed
 * together with a neighbouring statement.
 */
const UNTRUSTED = new Set(["25P03", "25P04", "26000"]);
/** The database is not listening or not reachable yet, because containers start in any order. */
const AWAY = /^(ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code ?? "");

/** True if the connection is broken or cannot be trusted with another statement. */
export function isLost(error: unknown): boolean {
  const code = codeOf(error);
  return LOST.test(code) || UNTRUSTED.has(code) || /^E[A-Z]+$/.test(code) || !/^[0-9A-Z]{5}$/.test(code);
}

/** True if the database is starting, stopping, restarting or out of connections, which is usually temporary. */
export function isTemporary(error: unknown): boolean {
  const code = codeOf(error);
  if (code === "08P01") return false;
  if (AWAY.test(code) || code === "53300" || LOST.test(code)) return true;
  return /terminated|timeout exceeded|Connection ended/i.test((error as Error).message ?? "");
}

const OPERATOR = "Try again later. For the database operator:";

/** The message for each SQLSTATE, and a next step if retrying is not enough. */
const SAID: Record<string, readonly [said: string, next?: string]> = {
  "08P01": [
    "the server at DATABASE_URL does not accept session settings",
    "Point DATABASE_URL to PostgreSQL itself: a connection pooler does not work.",
  ],
  "25P03": ["the database ended this write because its process had stalled"],
  "57P01": ["the database ended the connection before this was finished"],
  // An earlier statement in the same transaction has reported the failure.
  "25P02": ["the database rolled back this transaction"],
  "25P04": ["the database took too long"],
  "26000": ["the database rolled back this transaction"],
  "40001": ["two transactions conflicted"],
  "40P01": ["two transactions waited for each other (a deadlock)"],
  "53200": [
    "the database is out of memory",
    `${OPERATOR} give it more memory, or let it use less (work_mem, max_connections).`,
  ],
  "53400": ["the database has reached one of its limits", `${OPERATOR} its log says which.`],
  "25006": [
    "the database is read-only and does not accept writes",
    `${OPERATOR} turn off default_transaction_read_only, or point DATABASE_URL to the primary.`,
  ],
  "3D000": ["there is no such database", "Create the database (createdb), or correct its name in DATABASE_URL."],
  "3F000": ["the database has no schema for the tables", "Create the schema in search_path, or correct search_path."],
  "28000": ["the database does not accept the user", "Correct the user and password in DATABASE_URL."],
  "28P01": ["the database does not accept the password", "Correct the user and password in DATABASE_URL."],
  "42501": [
    "the database does not allow this user to do that",
    "Allow its user to connect, read and write (GRANT), or make it the owner of the tables; `pdpp doctor` lists them.",
  ],
  "42P01": ["a table is missing from the database", "`pdpp doctor` shows which one; restore a backup of the database."],
  "42703": [
    "a table in the database belongs to another program",
    "`pdpp doctor` shows the details; restore a backup of the database.",
  ],
  "53300": [
    "the database has no free connections",
    `${OPERATOR} raise max_connections, or the CONNECTION LIMIT of its user.`,
  ],
  "55000": ["the database is not in a state to do that", `${OPERATOR} its log says why.`],
  "55P03": ["another process of this owner has been writing for too long"],
  "57014": ["the database took too long"],
};

/** Messages for errors without a SQLSTATE. */
const WORDS: readonly (readonly [pattern: RegExp, said: string, next?: string])[] = [
  [/^timeout exceeded when/, "all database connections of this process are in use"],
  [/^Query read timeout/, "the database does not respond"],
  [/password must be a string/, "the database requires a password", "Add the user and password to DATABASE_URL."],
  [
    /support SSL/,
    "the database does not support TLS",
    "Remove sslmode from DATABASE_URL, or turn on TLS in the database.",
  ],
  [
    /CERT|certificate/,
    "the database's certificate is not trusted",
    "Set sslrootcert in DATABASE_URL to the file of its certificate authority.",
  ],
];

export function typedError(error: unknown): unknown {
  if (error instanceof PdppError || !(error instanceof Error)) return error;
  const code = codeOf(error);
  if (code === FULL) return new PdppError("storage_full", "the database's disk is full");
  if (code === DISK_FAILED)
    return new PdppError("storage_failed", "the database cannot read or write its disk", {
      next_step: `${OPERATOR} its log says why.`,
    });
  if (DAMAGED.test(code)) return damaged("the database found a damaged page or index");
  if (code === TOO_LONG) return new PdppError("resource_limit", "the database cannot store a key of this length");
  // Omit the address, because callers do not need to know where the database is.
  const words = WORDS.find(([pattern]) => pattern.test(`${code} ${error.message}`) || pattern.test(error.message));
  const [said, next] = SAID[code] ?? words?.slice(1) ?? [];
  if (said !== undefined) return unavailable(said as string, next as string | undefined);
  const isOurs = error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
  if (isOurs || !(isLost(error) || isTemporary(error))) return error;
  return unavailable(`the database cannot be reached${/^[A-Z0-9_]+$/.test(code) ? ` (${code})` : ""}`);
}

export const unavailable = (said: string, next?: string): PdppError =>
  new PdppError("store_unavailable", said, next === undefined ? {} : { next_step: next });
