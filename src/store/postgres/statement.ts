// A prepared statement on its way: pg's own query without what is the same every time it is asked, or that nobody asks for.
import pg from "pg";
import { plainText } from "./stored-text.ts";

type Parser = (text: string) => unknown;

/** What pg tells a query, and what it is asked by. */
interface PgQuery {
  text: string;
  name: string;
  values: unknown[];
  callback: (error: Error | null) => void;
}
const PgQuery = pg.Query as unknown as new (text: string) => PgQuery;

export class Statement extends PgQuery {
  /** Rows, as arrays. (`rows` is what pg calls how many to ask for at a time.) */
  readonly found: unknown[][] = [];
  /** Rows that it wrote. */
  changes = 0;
  readonly #told = Promise.withResolvers<void>();
  #parsers: readonly Parser[] = [];

  constructor(sql: string, values: unknown[]) {
    super(sql);
    this.name = nameOf(sql);
    this.values = values;
    this.callback = (error) => (error === null ? this.#told.resolve() : this.#told.reject(error));
  }

  /** Settles once it is answered. */
  get answered(): Promise<void> {
    return this.#told.promise;
  }

  handleRowDescription({ fields }: { fields: readonly { dataTypeID: number }[] }): void {
    let known = parsers.get(this.name);
    if (known === undefined) {
      known = fields.map(({ dataTypeID }) => parserFor(dataTypeID));
      parsers.set(this.name, known);
    }
    this.#parsers = known;
  }

  handleDataRow({ fields }: { fields: unknown[] }): void {
    for (let at = 0; at < fields.length; at++) {
      const field = fields[at];
      if (field !== null) fields[at] = this.#parsers[at]!(field as string);
    }
    this.found.push(fields);
  }

  handleCommandComplete({ text }: { text: string }): void {
    if (!text.startsWith("SELECT")) this.changes = Number(text.slice(text.lastIndexOf(" ") + 1));
  }

  handleReadyForQuery(): void {
    this.callback(null);
  }
}

/** Statements are few and fixed: each is parsed and planned once per connection. */
const names = new Map<string, string>();
function nameOf(sql: string): string {
  let name = names.get(sql);
  if (name === undefined) {
    name = `s${names.size}`;
    names.set(sql, name);
  }
  return name;
}

/** By the name of the statement: what it answers with never changes. */
const parsers = new Map<string, readonly Parser[]>();

const { INT8, TEXT } = pg.types.builtins;

function parserFor(type: number): Parser {
  if (type === TEXT) return plainText;
  // Counters are far below 2^53: they come as numbers.
  return type === INT8 ? Number : pg.types.getTypeParser(type, "text");
}
