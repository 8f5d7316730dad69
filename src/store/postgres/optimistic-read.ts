// Optimistic reads run without a transaction, and are repeated in one if something was written in the meantime (0021).
//
//     read ──▶ did the last two reads see the same number of writes?
//                │ yes                                     │ no
//                ▼                                         ▼
//        each statement answers only if             BEGIN, read the owner's row, run the statements, COMMIT
//        home.writes is unchanged                          ▲
//                │            │ otherwise, or if the        │
//                ▼            ▼ connection broke            │
//             answer     discard the rows ─────────────────┘
//
// This saves the round trip for BEGIN before the first statement, so reading a single record takes half as long.
import type { PdppError } from "../../contract/errors.ts";
import type { Connection } from "./connection.ts";
import { unavailable } from "./failures.ts";
import type { PostgresValue } from "./stored-text.ts";

/** The connection of a read, which is either in a transaction or optimistic. */
export type ReadConnection = Pick<Connection, "rows" | "row" | "kept">;

/** Small rows, cached until something is written for the owner. */
export type RowCache = Map<string, unknown[][]>;
const KEPT_AT_MOST = 1000;

export class OptimisticConnection implements ReadConnection {
  readonly #connection: Connection;
  readonly #writes: number;
  readonly #kept: RowCache;
  #isChecked = false;
  /** True if something has been written since, or the owner was removed, so the rows do not form one state. */
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
    if (rows[0]!.some((value) => value !== null)) throw new Error(`the first selected column may be NULL: ${sql}`);
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

  /** Even a read without statements may be out of date. */
  async check(subject: string): Promise<void> {
    if (!this.#isChecked && !this.isOvertaken) await this.rows("SELECT 1", subject);
  }
}

const wrapped = new Map<string, string>();

/**
 * Returns no row if something has been written since, and a row of NULLs if nothing was found, which works because the
 * first selected column is never NULL. `writes` is the index of the parameter.
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
