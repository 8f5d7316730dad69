// All that belongs to an owner, table by table, in a form that belongs to no engine: what is copied, and what is compared.

export type CopiedCell = string | number | null;
export type CopiedRow = CopiedCell[];

/** float: any number. bytes: hexadecimal. order: a number or a text, whichever the stream is ordered by. */
type CellKind = "text" | "number" | "float" | "bytes" | "order";

export interface CopiedTable {
  /** As PostgreSQL calls it. */
  name: string;
  columns: Record<string, CellKind>;
  /** Of texts by their bytes, on every engine. n: as the rows were put in. */
  order: readonly string[];
  /** Only these rows count, and what the columns that were left out are then; of PostgreSQL. */
  where?: string;
  fixed?: Record<string, string>;
  /** undefined: what it holds stands all over a home. */
  sqlite?: {
    file: "records" | "audit";
    name?: string;
    /** It has a column for the owner. */
    owned?: true;
    renamed?: Record<string, string>;
    where?: string;
    fixed?: Record<string, string>;
  };
}

const RECORDS = { file: "records" } as const;
const OWNED = { file: "records", owned: true } as const;

export const BLOBS: CopiedTable = {
  name: "blob",
  columns: {
    blob_id: "text",
    generation: "text",
    mime_type: "text",
    size_bytes: "number",
    sha256: "text",
    created_at: "number",
  },
  order: ["blob_id"],
  sqlite: RECORDS,
};

/** Not projections: they are folded anew. Not lines of journals: they are gathered first. */
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
  {
    name: "source",
    columns: { source_id: "text", connector_key: "text", declaration_no: "number" },
    order: ["source_id"],
    sqlite: OWNED,
  },
  {
    name: "declaration",
    columns: { declaration_no: "number", source_id: "text", body: "text", registered_at: "number" },
    order: ["declaration_no"],
    sqlite: OWNED,
  },
  {
    name: "connection",
    columns: { connection_id: "text", source_id: "text", display_name: "text", created_at: "number" },
    order: ["connection_id"],
    sqlite: OWNED,
  },
  {
    name: "stream",
    columns: { stream_no: "number", connection_id: "text", name: "text", live: "number", changed_at: "number" },
    order: ["stream_no"],
    sqlite: RECORDS,
  },
  {
    name: "record",
    columns: {
      version: "number",
      stream_no: "number",
      id: "text",
      ord: "order",
      born: "number",
      emitted_at: "float",
      ingested_at: "number",
      data: "text",
      origin: "text",
      history: "text",
    },
    order: ["version"],
    sqlite: RECORDS,
  },
  {
    name: "trail",
    columns: { stream_no: "number", version: "number", id: "text" },
    order: ["stream_no", "version"],
    sqlite: RECORDS,
  },
  BLOBS,
  {
    name: "blob_use",
    columns: { blob_id: "text", stream_no: "number", record_id: "text", field: "text" },
    order: ["blob_id", "stream_no", "record_id", "field"],
    sqlite: RECORDS,
  },
  {
    name: "client",
    columns: { client_id: "text", name: "text", created_at: "number" },
    order: ["client_id"],
    sqlite: OWNED,
  },
  {
    name: "access_grant",
    columns: {
      grant_id: "text",
      client_id: "text",
      package_id: "text",
      body: "text",
      issued_at: "number",
      revoked_at: "number",
      ended_by: "text",
      consumed_at: "number",
      words: "text",
    },
    order: ["n"],
    sqlite: OWNED,
  },
  {
    name: "token",
    columns: {
      hash: "text",
      kind: "text",
      grant_id: "text",
      package_id: "text",
      created_at: "number",
      expires_at: "number",
      audience: "text",
      label: "text",
    },
    order: ["hash"],
    sqlite: OWNED,
  },
  {
    name: "owner",
    columns: { name: "text", password: "text", changed_at: "number" },
    order: ["subject_id"],
    sqlite: OWNED,
  },
  {
    name: "auth_item",
    columns: {
      kind: "text",
      hash: "text",
      body: "text",
      grant_id: "text",
      uid: "text",
      user_code: "text",
      consumed_at: "number",
      expires_at: "number",
    },
    order: ["kind", "hash"],
    sqlite: RECORDS,
  },
  {
    name: "state",
    columns: { connection_id: "text", stream: "text", cursor: "text", updated_at: "number" },
    order: ["connection_id", "stream"],
    sqlite: OWNED,
  },
  {
    name: "job",
    columns: {
      job_id: "text",
      kind: "text",
      status: "text",
      holder: "text",
      request: "text",
      started_at: "number",
      updated_at: "number",
      progress: "text",
      expires_at: "number",
    },
    order: ["n"],
    sqlite: OWNED,
  },
  {
    name: "item",
    columns: { kind: "text", id: "text", holder: "text", created_at: "number", due_at: "number", body: "text" },
    order: ["kind", "id"],
    sqlite: OWNED,
  },
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
    // Of journals that are gathered nothing is left to say, but that one was changed must not be forgotten.
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

/** Reads an owner as of one moment. */
export interface OwnerReader {
  readonly subject: string;
  /** In the table's order, so many at a time that memory stays bounded. */
  batches(table: CopiedTable): AsyncIterable<CopiedRow[]>;
}

/** Nobody sees what is written before all of it is there. */
export interface OwnerWriter extends OwnerReader {
  put(table: CopiedTable, rows: readonly CopiedRow[]): Promise<void> | void;
}
