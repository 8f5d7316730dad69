// An owner's data, table by table, in a form that does not depend on the engine, for copying and comparing.
import { type CellKind, COLUMNS } from "../rows.ts";

export type CopiedCell = string | number | null;
export type CopiedRow = CopiedCell[];

export interface CopiedTable {
  /** The table name in PostgreSQL. */
  name: string;
  columns: Record<string, CellKind>;
  /** Strings are ordered by their bytes on every engine. `n` means insertion order. */
  order: readonly string[];
  /** PostgreSQL only: a condition on the rows, and values for the columns that are not copied. */
  where?: string;
  fixed?: Record<string, string>;
  /** Undefined if a home spreads this data over several files. */
  sqlite?: {
    file: "records" | "audit";
    name?: string;
    /** True if the table has a column for the owner. */
    owned?: true;
    renamed?: Record<string, string>;
    where?: string;
    fixed?: Record<string, string>;
  };
}

/** A table in records.db, with all its columns. */
function whole(name: keyof typeof COLUMNS, order: readonly string[]): CopiedTable {
  const { subject_id: owner, ...columns }: Record<string, CellKind> = COLUMNS[name];
  return { name, columns, order, sqlite: { file: "records", ...(owner !== undefined && { owned: true }) } };
}

export const BLOBS = whole("blob", ["blob_id"]);

/** Projections are not copied, because they are rebuilt. Neither are journal lines, because they are gathered first. */
export const TABLES: readonly CopiedTable[] = [
  {
    name: "home",
    columns: {
      key: "bytes",
      epoch: "number",
      version: "number",
      streams: "number",
      declarations: "number",
      eras: "text",
      created_at: "number",
    },
    order: ["subject_id"],
  },
  whole("source", ["source_id"]),
  whole("declaration", ["declaration_no"]),
  whole("connection", ["connection_id"]),
  whole("stream", ["stream_no"]),
  whole("record", ["version"]),
  whole("trail", ["stream_no", "version"]),
  BLOBS,
  whole("blob_use", ["blob_id", "stream_no", "record_id", "field"]),
  whole("client", ["client_id"]),
  whole("access_grant", ["n"]),
  whole("token", ["hash"]),
  whole("owner", ["subject_id"]),
  whole("auth_item", ["kind", "hash"]),
  whole("state", ["connection_id", "stream"]),
  whole("job", ["n"]),
  whole("item", ["kind", "id"]),
  {
    name: "audit_entry",
    columns: { n: "number", at: "number", grant_id: "text", body: "text", hash: "bytes" },
    order: ["n"],
    sqlite: { file: "audit", name: "entry" },
  },
  {
    name: "audit_head",
    columns: { n: "number", hash: "bytes", seal: "bytes", newest: "number", late: "number" },
    order: ["n"],
    sqlite: { file: "audit", name: "head", fixed: { one: "1" } },
  },
  {
    name: "audit_total",
    columns: {
      grant_id: "text",
      connection_id: "text",
      stream: "text",
      calls: "number",
      denied: "number",
      records: "number",
      bytes: "number",
      used_at: "number",
    },
    order: ["grant_id", "connection_id", "stream"],
    sqlite: { file: "audit", name: "total" },
  },
  {
    name: "audit_mark",
    columns: { part: "number", term: "text", block: "number" },
    order: ["part", "term", "block"],
    sqlite: { file: "audit", name: "mark" },
  },
  {
    // The only state left of a gathered journal is whether it was tampered with.
    name: "audit_journal",
    columns: { journal: "text" },
    order: ["journal"],
    where: "changed",
    fixed: { seq: "0", changed: "true", gathered_at: "0" },
    sqlite: {
      file: "audit",
      name: "journal",
      renamed: { journal: "name" },
      where: "state = 'changed'",
      fixed: { offset: "0", mark: "''", state: "'changed'", synced: "0", gathered_at: "0" },
    },
  },
];

/** Reads an owner from one snapshot. */
export interface OwnerReader {
  readonly subject: string;
  /** Returns rows in table order, in batches, so that memory use is bounded. */
  batches(table: CopiedTable): AsyncIterable<CopiedRow[]>;
}

/** Writes become visible only once all of them are done. */
export interface OwnerWriter extends OwnerReader {
  put(table: CopiedTable, rows: readonly CopiedRow[]): Promise<void> | void;
}
