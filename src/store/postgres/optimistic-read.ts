// Optimistic reads: without a transaction, and repeated in one if something was written meanwhile (0021).
//
//     read ──▶ were the last two reads of the same count of writes?
//                │ yes                                     │ no
//                ▼                                         ▼
//        each statement answers only while          BEGIN, the owner's row with its count, the statements, COMMIT
//        home.writes is still that count                   ▲
//                │            │ it is not, or the           │
//                ▼            ▼ connection broke            │
//             answer     throw away what was found ────────┘
//
// This saves the round trip of BEGIN before the first statement: a single point read takes half as long.
import type { PdppError } from "../../contract/errors.ts";
import type { Connection } from "./connection.ts";
import { unavailable } from "./failures.ts";
import type { PostgresValue } from "./stored-text.ts";

/** The connection of a read: in a transaction, or optimistic. */
export type ReadConnection = Pick<Connection, "rows" | "row" | "kept">;

/** Small rows, cached until something is written for the owner. */
export type RowCache = Map<string, unknown[][]>;
const KEPT_AT_MOST = 1000;

export class OptimisticConnection implements ReadConnection {
  readonly #connection: Connection;
  readonly #writes: number;
  readonly #kept: RowCache;
  #isChecked = false;
  /** Something was written since, or the owner was removed: the rows do not form one state. */
  isOvertaken = false;

  constructor(connection: Connection, writes: number, kept: RowCache) {
    this.#connection = connection;
    this.#writes = writes;
    this.#kept = kept;
  }

  async rows(sql: string, ...values: PostgresValue[]): Promise<unknown[][]> {
    const rows = await this.#connection.rows(unlessOvertaken(sql, values.length + 1), ...values, this.#writes);
    if (this.isOvertaken || rows.length === 0) throw this.overtaken();
    this.#isChecked = true;
    if (rows[0]![0] !== null) return rows;
    if (rows[0]!.some((value) => value !== null)) throw new Error(`selects what may be NULL first: ${sql}`);
    return [];
  }

  async row(sql: string, ...values: PostgresValue[]): Promise<unknown[] | undefined> {
    return (await this.rows(sql, ...values))[0];
  }

  async kept(sql: string, ...values: PostgresValue[]): Promise<unknown[][]> {
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

  /** A read without statements may still be out of date. */
  async check(subject: string): Promise<void> {
    if (!this.#isChecked && !this.isOvertaken) await this.rows("SELECT 1", subject);
  }
}

const wrapped = new Map<string, string>();

/**
 * Returns no row if something was written since, and a row of NULLs if nothing was found: the first selected column is
 * never NULL. `writes`: the index of the parameter.
 */
function unlessOvertaken(sql: string, writes: number): string {
  let text = wrapped.get(sql);
  if (text === undefined) {
    text = `SELECT found.* FROM home LEFT JOIN LATERAL (${sql}) AS found ON true
            WHERE home.subject_id = $1 AND home.writes = $${writes}`;
    wrapped.set(sql, text);
  }
  return text;
}
