// The context and the result of a read, and the rendering of records as JSON text.
import type { KeyObject } from "node:crypto";
import type { ErrorCode } from "../../contract/errors.ts";
import type { RecordsQuery } from "../../contract/read.ts";
import type { Stamp } from "../../core/history.ts";
import { formatInstant } from "../../core/instant.ts";
import type { GoneRecord, Plan, Revealed } from "../../core/plan.ts";
import { previewOf } from "../../core/preview.ts";
import { ALL_CONNECTIONS, type ScopeRow } from "../../core/scope.ts";
import type { Awaitable, ReadView } from "../../store/store.ts";
import type { Caller } from "../caller.ts";
import type { StreamColumns } from "../projection/columns/stream-columns.ts";
import type { MeaningProjection } from "../projection/meaning-projection.ts";
import type { SearchAnswer } from "../projection/search/types.ts";
import type { SearchAsk } from "../projection/search-projection.ts";

export interface ReadContext {
  view: ReadView;
  caller: Caller;
  /** Seals cursors. */
  key: KeyObject;
  /** A stream's typed columns, caught up to this read's snapshot. */
  columns(plan: Plan): Awaitable<StreamColumns>;
  /** Declares that this read may scan every row. It then runs in the scan lane instead of among quick reads. */
  scan(): void;
  /** The search index, caught up to this read's snapshot. */
  search(ask: SearchAsk): Promise<SearchAnswer>;
  /** The vectors of passages. Available only in a thread with the search index. */
  meaning(): MeaningProjection;
}

export interface StreamTaken {
  row: ScopeRow;
  records: number;
  ids?: readonly string[];
}

/** Collects how much a read over several streams returned from each. */
export class TakenByStream {
  readonly #taken = new Map<ScopeRow, { records: number; ids: string[] }>();

  add(row: ScopeRow, id: string, records = 1): void {
    const known = this.#taken.get(row);
    if (known === undefined) this.#taken.set(row, { records, ids: [id] });
    else {
      known.records += records;
      known.ids.push(id);
    }
  }

  list(): StreamTaken[] {
    return [...this.#taken].map(([row, taken]) => ({ row, ...taken }));
  }
}

declare const content: unique symbol;

/**
 * A result as JSON text, with the facts that the audit log records about it. Text that is rendered by hand has the type
 * that its call declares.
 */
export interface Answer<T = never> {
  body: string;
  /** Has no value at run time. It only carries the type of the parsed text. */
  readonly [content]?: T;
  row?: ScopeRow;
  records: number;
  /** The ids of the returned records from `row`, so that the owner can look at them later (V-06). */
  ids?: readonly string[];
  /** Counts for a read over several streams, with one audit entry per stream. */
  reads?: StreamTaken[];
  /** The number of bytes, if the result is a stream rather than the body itself. */
  bytes?: number;
  /** Set for a call that failed elsewhere and is reported here. */
  outcome?: ErrorCode;
}

/** Thrown in a thread without columns, so that the call moves to one that has them. */
export class NeedsColumns extends Error {}

/**
 * Thrown before long work, so that it is done outside the snapshot. An open snapshot would keep the write-ahead log
 * from being truncated.
 */
export class RunsAside extends Error {
  readonly call: object;
  readonly work: () => Promise<unknown>;
  constructor(call: object, work: () => Promise<unknown>) {
    super();
    this.call = call;
    this.work = work;
  }
}

interface StreamIdentity {
  stream: string;
  source: string;
}
const identities = new WeakMap<ScopeRow["stream"], StreamIdentity>();

/** The parts of a record that depend only on its stream. */
function identityOf({ stream }: ScopeRow): StreamIdentity {
  let identity = identities.get(stream);
  if (identity === undefined) {
    const { name, connectionId, connectorKey, displayName } = stream;
    identity = {
      stream: `"stream":${JSON.stringify(name)}`,
      source: `"connection_id":${JSON.stringify(connectionId)},"connector_key":${JSON.stringify(connectorKey)},"display_name":${JSON.stringify(displayName)}`,
    };
    identities.set(stream, identity);
  }
  return identity;
}

export function sourceIdentity(row: ScopeRow) {
  const { connectionId, connectorKey, displayName } = row.stream;
  return { connection_id: connectionId, connector_key: connectorKey, display_name: displayName };
}

/**
 * The time that a program claims for its records may be derived from any of their fields, so only the owner sees it. An
 * app gets the arrival time instead (0026).
 */
export const emissionShown = (row: ScopeRow, [, emittedAt, ingestedAt]: Stamp): string =>
  formatInstant(row.fields === null ? emittedAt : ingestedAt);

/** For a read over all connections. Each record contains its own connection. */
export const allIdentity = (rows: readonly ScopeRow[]) => ({
  connection_id: ALL_CONNECTIONS,
  connection_count: rows.length,
});

/**
 * Built by hand, because the data is already JSON text. Parsing it only to print it again would take most of a read's
 * time.
 */
export function recordJson(
  row: ScopeRow,
  record: Revealed | GoneRecord,
  { expanded, texts = "full" }: { expanded?: string; texts?: RecordsQuery["texts"] } = {},
): string {
  const [, , ingestedAt, origin] = record.stamp;
  const { stream, source } = identityOf(row);
  const head = `{"object":"record","id":${JSON.stringify(record.id)},${stream}`;
  const emitted = `"emitted_at":"${emissionShown(row, record.stamp)}"`;
  if (!("data" in record)) {
    return `${head},"deleted":true,"deleted_at":"${formatInstant(ingestedAt)}",${emitted},${source}}`;
  }
  // Only the owner sees which file, entry and offset a record came from, because names, gaps and digests would reveal
  // hidden data (G-02).
  const provenance = origin === null || row.fields !== null ? "" : `,"provenance":${origin}`;
  const relations = expanded === undefined ? "" : `,"expanded":${expanded}`;
  const place = { connection_id: row.stream.connectionId, stream: row.stream.name, id: record.id };
  const { data, cut } = texts === "full" ? { data: record.data, cut: [] } : previewOf(place, record.data);
  const previews = cut.length === 0 ? "" : `,"cut":${JSON.stringify(cut)}`;
  return `${head},"data":${data},${emitted},"ingested_at":"${formatInstant(ingestedAt)}"${provenance}${previews},${source}${relations}}`;
}

export interface Envelope {
  url: string;
  self: string;
  items: readonly string[];
  hasMore: boolean;
  nextCursor?: string;
  nextChangesSince?: string;
  meta?: object;
  /** Set on reads of a single source. */
  row?: ScopeRow;
  /** Set on reads over several sources. */
  identity?: object;
}

export function listJson({
  url,
  self,
  items,
  hasMore,
  nextCursor,
  nextChangesSince,
  meta = {},
  row,
  identity = row && sourceIdentity(row),
}: Envelope): string {
  const next = nextCursor === undefined ? undefined : `${self}${self.includes("?") ? "&" : "?"}cursor=${nextCursor}`;
  const tail = {
    has_more: hasMore,
    ...(nextCursor === undefined ? {} : { next_cursor: nextCursor }),
    ...(nextChangesSince === undefined ? {} : { next_changes_since: nextChangesSince }),
    ...identity,
    links: { self, ...(next === undefined ? {} : { next }) },
    meta,
  };
  return `{"object":"list","url":${JSON.stringify(url)},"data":[${commaSeparated(items)}],${JSON.stringify(tail).slice(1)}`;
}

/** Joins items without copying their text. V8 copies it once, when the whole answer is read. */
export const commaSeparated = (items: readonly string[]): string =>
  items.length === 0 ? "" : items.reduce((text, item) => `${text},${item}`);

/** A list without pagination. */
export const listAnswer = <T>(url: string, items: readonly T[]): Answer => ({
  body: listJson({ url, self: url, items: items.map((item) => JSON.stringify(item)), hasMore: false }),
  records: 0,
});

/** The canonical REST URL of a records query, without the cursor. */
export const recordsUrl = ({ stream, ...query }: RecordsQuery): ListAddress =>
  withParameters(`/v1/streams/${encodeURIComponent(stream)}/records`, query);

export const changesUrl = ({ stream: _stream, ...query }: RecordsQuery): ListAddress =>
  withParameters("/v1/changes", query);

interface ListAddress {
  url: string;
  self: string;
}

function withParameters(url: string, query: Omit<RecordsQuery, "stream">): ListAddress {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || name === "cursor") continue;
    if (name === "filter") appendFilter(parameters, value as object);
    else if (name === "fields") appendFields(parameters, value as string[]);
    else if (name === "expand") for (const relation of value as string[]) parameters.append("expand[]", relation);
    else if (name === "expand_limit") {
      for (const [relation, limit] of Object.entries(value)) parameters.set(`expand_limit[${relation}]`, String(limit));
    } else parameters.set(name, String(value));
  }
  const search = parameters.toString();
  return { url, self: search === "" ? url : `${url}?${search}` };
}

/** Adds one comma-separated list. If a name contains a comma, each name is added as a separate parameter. */
export function appendFields(parameters: URLSearchParams, fields: readonly string[]): void {
  if (!fields.some((name) => name.includes(","))) parameters.set("fields", fields.join(","));
  else for (const name of fields) parameters.append("fields[]", name);
}

export function appendFilter(parameters: URLSearchParams, filter: object): void {
  for (const [field, condition] of Object.entries(filter)) {
    if (typeof condition !== "object") {
      parameters.append(`filter[${field}]`, String(condition));
      continue;
    }
    for (const [op, value] of Object.entries(condition)) appendCondition(parameters, `filter[${field}][${op}]`, value);
  }
}

/**
 * Adds the values of `in` as one list. If a value is empty or contains a comma, each value is added as a separate
 * parameter.
 */
function appendCondition(parameters: URLSearchParams, name: string, value: unknown): void {
  if (!Array.isArray(value)) parameters.append(name, String(value));
  else if (!value.some((item) => /,|^$/.test(String(item)))) parameters.append(name, value.join(","));
  else for (const item of value) parameters.append(`${name}[]`, String(item));
}
