// A prepared statement in flight. It is like pg's Query, but does not copy its settings, describe its rows or start a
// timer each time. It depends on internals of pg (`handle…`, `callback`), so package.json pins the version.
import pg from "pg";
import { parserOf, type TextParser } from "./stored-text.ts";

/** The interface between pg and a query. */
interface PgQuery {
  text: string;
  name: string;
  values: unknown[];
  callback: (error: Error | null) => void;
}
const PgQuery = pg.Query as unknown as new (text: string) => PgQuery;

export class Statement extends PgQuery {
  /** Rows as arrays. (In pg, `rows` is how many to fetch at a time.) */
  readonly found: unknown[][] = [];
  /** The number of rows written. */
  changes = 0;
  readonly #answered = Promise.withResolvers<void>();
  #parsers: readonly TextParser[] = [];
  #failure: Error | null = null;

  constructor(sql: string, values: unknown[]) {
    super(sql);
    this.name = nameOf(sql);
    this.values = values;
    this.callback = (error) => (error === null ? this.#answered.resolve() : this.#answered.reject(error));
  }

  /** Settles once the statement is answered. */
  get answered(): Promise<void> {
    return this.#answered.promise;
  }

  handleRowDescription({ fields }: { fields: readonly { dataTypeID: number }[] }): void {
    let known = parsers.get(this.name);
    if (known?.length !== fields.length) {
      known = fields.map(({ dataTypeID }) => parserOf(dataTypeID));
      parsers.set(this.name, known);
    }
    this.#parsers = known;
  }

  handleDataRow({ fields }: { fields: unknown[] }): void {
    try {
      for (let at = 0; at < fields.length; at++) {
        const field = fields[at];
        if (field !== null) fields[at] = this.#parsers[at]!(field as string);
      }
    } catch (error) {
      // An error thrown here would end the process, because only the socket is above us on the stack.
      this.#failure = error as Error;
    }
    this.found.push(fields);
  }

  /** The text is `INSERT 0 5` or `UPDATE 5`. Some commands have no number. */
  handleCommandComplete({ text }: { text: string }): void {
    if (!text.startsWith("SELECT")) this.changes = Number(/ (\d+)$/.exec(text)?.[1] ?? 0);
  }

  handleReadyForQuery(): void {
    this.callback(this.#failure);
  }
}

/** Statements are few and fixed, so each is parsed and planned once per connection. */
const names = new Map<string, string>();
function nameOf(sql: string): string {
  let name = names.get(sql);
  if (name === undefined) {
    name = `s${names.size}`;
    names.set(sql, name);
  }
  return name;
}

/** Keyed by statement name. Result types change only when a newer pdpp migrates the tables. */
const parsers = new Map<string, readonly TextParser[]>();
