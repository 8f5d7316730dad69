// Opens an SQLite file from an untrusted source, read-only. Node's permission model does not cover SQLite, so inside a
// sandbox this is the only way to open one.
import sqlite, { constants } from "node:sqlite";

// Everything used later is captured before foreign code runs, because that code could replace built-in methods and
// properties.
const { DatabaseSync } = sqlite;
const { exec, close, setAuthorizer } = DatabaseSync.prototype;
const { apply, deleteProperty, ownKeys } = Reflect;
const { permission, version } = process;
const mayRead = permission?.has;
const encode = encodeURIComponent;
const { SQLITE_OK, SQLITE_DENY, SQLITE_SELECT, SQLITE_READ, SQLITE_PRAGMA, SQLITE_FUNCTION } = constants;

/**
 * The limit for one value or row. It is more than any record needs and far less than SQLite's own limit of a gigabyte.
 */
const VALUE_BYTES_MAX = 128 * 1024 * 1024;
const names = (...all: string[]): Readonly<Record<string, true>> =>
  Object.freeze(Object.setPrototypeOf(Object.fromEntries(all.map((name) => [name, true])), null));
const PRAGMAS = names("table_list", "table_info", "table_xinfo", "index_list", "index_info");
/** None of these functions can build a value larger than its arguments. */
const FUNCTIONS = names("count", "min", "max", "coalesce", "glob", "like");

/** `immutable` is for a database that does not change while it is open. It creates no files next to the database. */
export function openReadOnly(path: string, { immutable = false } = {}): sqlite.DatabaseSync {
  if (typeof path !== "string") throw new Error("the path of a database must be a string");
  if (mayRead?.("fs.read", path) === false) throw new Error(`a parser may not open ${path}`);
  if (setAuthorizer === undefined)
    throw new Error(`SQLite files need Node 24.10 or newer, and this is ${version}; install a newer Node`);
  const database = new DatabaseSync(`file:${encode(path)}${immutable ? "?immutable=1" : ""}`, {
    readOnly: true,
    allowExtension: false,
    defensive: true,
    enableDoubleQuotedStringLiterals: false,
    limits: { length: VALUE_BYTES_MAX, attach: 0 },
  });
  try {
    apply(exec, database, ["PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0"]);
    apply(setAuthorizer, database, [
      (action: number, first: string | null, second: string | null) => {
        const isAllowed =
          action === SQLITE_SELECT ||
          action === SQLITE_READ ||
          (action === SQLITE_PRAGMA && PRAGMAS[first ?? ""] === true) ||
          (action === SQLITE_FUNCTION && FUNCTIONS[second ?? ""] === true);
        return isAllowed ? SQLITE_OK : SQLITE_DENY;
      },
    ]);
  } catch (error) {
    apply(close, database, []);
    throw error;
  }
  return database;
}

const HIDDEN_METHODS = [
  "aggregate",
  "applyChangeset",
  "constructor",
  "createSession",
  "createTagStore",
  "deserialize",
  "enableDefensive",
  "enableLoadExtension",
  "function",
  "loadExtension",
  "open",
  "serialize",
  "setAuthorizer",
] as const;

/**
 * After this call, the process can open databases only through `openReadOnly`. Neither the module nor an open database
 * gives access to another one.
 */
export function hideSqlite(): void {
  for (const name of ownKeys(sqlite)) if (name !== "constants") deleteProperty(sqlite, name);
  for (const name of HIDDEN_METHODS) deleteProperty(DatabaseSync.prototype, name);
}
