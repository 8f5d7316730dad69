// A glance: a read without a transaction. Every statement brings along how often was written for its owner; while that is
// the number it began with, all of them saw the same, as in one snapshot. Else whoever looked looks again.
import type { PdppError } from "../../contract/errors.ts";
import type { Connection, Value } from "./connection.ts";
import { unavailable } from "./failures.ts";

/** What reads ask: a connection in a transaction, or a glance. */
export type Asked = Pick<Connection, "rows" | "row" | "kept">;

/** Small rows that were found since something was written for the owner. */
export type Kept = Map<string, unknown[][]>;
const KEPT_AT_MOST = 1000;

export class Glance implements Asked {
  readonly #connection: Connection;
  readonly #writes: number;
  readonly #kept: Kept;
  #isChecked = false;
  /** Something was written since, or the owner is gone: what was seen does not go together, whatever was made of it. */
  isOvertaken = false;

  constructor(connection: Connection, writes: number, kept: Kept) {
    this.#connection = connection;
    this.#writes = writes;
    this.#kept = kept;
  }

  async rows(sql: string, ...values: Value[]): Promise<unknown[][]> {
    const rows = await this.#connection.rows(withWrites(sql), ...values);
    if (this.isOvertaken || rows[0]?.[0] !== this.#writes) throw this.overtaken();
    this.#isChecked = true;
    return rows[0][1] === null ? [] : rows.map((row) => row.slice(2));
  }

  async row(sql: string, ...values: Value[]): Promise<unknown[] | undefined> {
    return (await this.rows(sql, ...values))[0];
  }

  async kept(sql: string, ...values: Value[]): Promise<unknown[][]> {
    const key = `${sql}\n${JSON.stringify(values)}`;
    let rows = this.#kept.get(key);
    if (rows === undefined) {
      rows = await this.rows(sql, ...values);
      if (this.#kept.size < KEPT_AT_MOST) this.#kept.set(key, rows);
    }
    return rows;
  }

  overtaken(): PdppError {
    this.isOvertaken = true;
    return unavailable("something was written meanwhile");
  }

  /** What nothing was asked for may still be out of date. */
  async check(subject: string): Promise<void> {
    if (!this.#isChecked && !this.isOvertaken) await this.rows("SELECT", subject);
  }
}

const wrapped = new Map<string, string>();

/** In front of each row stand the number of writes and a sign that something was found. */
function withWrites(sql: string): string {
  let text = wrapped.get(sql);
  if (text === undefined) {
    text = `SELECT home.writes, found.*
            FROM home LEFT JOIN LATERAL (SELECT 1, asked.* FROM (${sql}) AS asked) AS found ON true
            WHERE home.subject_id = $1`;
    wrapped.set(sql, text);
  }
  return text;
}
