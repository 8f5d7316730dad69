// Scope: what this caller may see, resolved to rows of (grant, connection, stream, fields, time, record filter,
// resources).
import type { Bearer } from "../contract/answers.ts";
import type { SourceDeclaration, StreamDeclaration } from "../contract/declaration.ts";
import type { AvailableConnection } from "../contract/errors.ts";
import { PdppError } from "../contract/errors.ts";
import type { FilePower } from "../contract/file-access.ts";
import type { Grant } from "../contract/grant.ts";
import { AMBIGUOUS_CANDIDATES } from "../contract/limits.ts";
import type { Field, ListColumn } from "./fields.ts";
import { parseInstant } from "./instant.ts";
import { nearest } from "./nearest.ts";
import { filterFieldsOf } from "./record-filter.ts";
import { plainLine } from "./unsafe-characters.ts";
import { type GrantState, whyNotConnection, whyNotStream } from "./why.ts";

/** A stream of a connection, with its parsed declaration. */
export interface StreamShape {
  streamNo: number;
  name: string;
  connectionId: string;
  connectorKey: string;
  displayName: string;
  source: SourceDeclaration["source"];
  sourceName: string;
  declaration: StreamDeclaration;
  fields: ReadonlyMap<string, Field>;
  /** Lists, and fields inside lists, that a query can filter or group by. */
  lists: ReadonlyMap<string, ListColumn>;
  /** Fields whose schema allows a blob reference; they get a fetch_url on read. */
  blobFields: ReadonlySet<string>;
}

export interface TimeWindow {
  field: string;
  /** Milliseconds; `since` is inclusive, `until` is exclusive. */
  since?: number;
  until?: number;
}

export interface ScopeRow {
  /** Absent for the owner. */
  grantId?: string;
  /** The index of the stream in the grant, so that a denial can refer to it. */
  line?: number;
  stream: StreamShape;
  /** Null means every field, for the owner. */
  fields: ReadonlySet<string> | null;
  time?: TimeWindow;
  /** Only records whose field has one of the values. The field does not have to be one of the granted fields. */
  filter?: { field: string; values: ReadonlySet<string> };
  resources?: ReadonlySet<string>;
  /** For a grant on the files lens: what the app may do in this root. */
  may?: readonly FilePower[];
}

export interface Scope {
  bearer: Bearer;
  rows: readonly ScopeRow[];
  /** Grants in the package that have ended; a denial mentions them. */
  ended?: readonly GrantState[];
}

/** True if the row shows only some of the records. */
export const isLimited = ({ time, filter, resources }: ScopeRow): boolean =>
  time !== undefined || filter !== undefined || resources !== undefined;

export const isOwner = (scope: Scope): boolean => scope.bearer.kind === "owner";

export function ownerScope(subjectId: string, streams: readonly StreamShape[]): Scope {
  return {
    bearer: { kind: "owner", scope: "owner", subject_id: subjectId },
    rows: streams.map((stream) => ({ stream, fields: null })),
  };
}

/** Grants refer to connections and streams by name; those that no longer exist get no row. */
export function grantScope(
  bearer: Bearer,
  grants: readonly Grant[],
  streams: readonly StreamShape[],
  ended: readonly GrantState[] = [],
): Scope {
  const byName = new Map(streams.map((stream) => [`${stream.connectionId}\n${stream.name}`, stream]));
  const rows: ScopeRow[] = [];
  for (const grant of grants) {
    for (const [line, granted] of grant.streams.entries()) {
      for (const connectionId of granted.instance_ids) {
        const stream = byName.get(`${connectionId}\n${granted.name}`);
        if (stream === undefined || stream.source.id !== grant.source.id) continue;
        const filter = granted.record_filter;
        // If the declaration no longer gives the field this role, there is nothing to compare, so this part of the
        // grant shows nothing.
        if (filter !== undefined && !filterFieldsOf(stream).some(({ name }) => name === filter.field)) continue;
        rows.push({
          grantId: grant.grant_id,
          line,
          stream,
          fields: new Set(granted.fields),
          ...(granted.time_constraint === undefined ? {} : { time: timeWindow(granted.time_constraint) }),
          ...(filter === undefined ? {} : { filter: { field: filter.field, values: new Set(filter.values) } }),
          ...(granted.resources === undefined ? {} : { resources: new Set(granted.resources) }),
          ...(grant.files === undefined ? {} : { may: grant.files.may }),
        });
      }
    }
  }
  return { bearer, rows, ...(ended.length === 0 ? {} : { ended }) };
}

/**
 * Returns true if the row shows this name for filtering, grouping or search: a field, or a field of the objects in a
 * granted list. Inner fields are not in `fields`, because a record can have a top-level field with the same name.
 */
export const showsColumn = ({ stream, fields }: ScopeRow, name: string): boolean =>
  fields === null || fields.has(stream.lists.get(name)?.field ?? name);

function timeWindow(constraint: { field: string; since?: string; until?: string }): TimeWindow {
  return {
    field: constraint.field,
    ...(constraint.since === undefined ? {} : { since: parseInstant(constraint.since) }),
    ...(constraint.until === undefined ? {} : { until: parseInstant(constraint.until) }),
  };
}

/** Returns the rows that a call can read if it does not have to specify a source. */
export function rowsOf(scope: Scope, connectionId: string | undefined): readonly ScopeRow[] {
  if (connectionId === undefined) return scope.rows;
  const rows = scope.rows.filter((row) => row.stream.connectionId === connectionId);
  if (rows.length === 0) throw connectionNotFound(connectionId, scope);
  return rows;
}

/** Used in place of a connection, for every connection that has the stream. */
export const ALL_CONNECTIONS = "all";

/** Used in place of a stream, for every stream that the caller can see. */
export const ALL_STREAMS = "all";

export const isAllStreams = (scope: Scope, stream: string): boolean =>
  stream === ALL_STREAMS && !scope.rows.some((row) => row.stream.name === ALL_STREAMS);

/**
 * Cached by a Scope's rows and a stream's name, because a Scope is used for many calls and can have hundreds of
 * connections.
 */
const allOf = new WeakMap<Scope["rows"], Map<string, readonly ScopeRow[]>>();

/** Returns the rows for a read over all connections, ordered by connection id. */
export function allRows(scope: Scope, stream: string): readonly ScopeRow[] {
  const known = allOf.get(scope.rows) ?? new Map<string, readonly ScopeRow[]>();
  allOf.set(scope.rows, known);
  const found = known.get(stream) ?? selectAll(scope, stream);
  known.set(stream, found);
  return found;
}

function selectAll(scope: Scope, stream: string): readonly ScopeRow[] {
  const rows = scope.rows.filter((row) => row.stream.name === stream);
  if (rows.length === 0) throw noStream(scope, stream, undefined, "stream");
  // Two grants in a package on the same stream show different parts of the same records.
  const same = [...Map.groupBy(rows, (row) => row.stream).values()].filter((several) => several.length > 1);
  if (same.length > 0) throw ambiguous(stream, same.flat());
  return rows.sort((one, other) => (one.stream.connectionId < other.stream.connectionId ? -1 : 1));
}

/**
 * Returns the row for a read that needs one source. If there is exactly one, it is used; otherwise the caller must
 * choose (E-22). `offersAll` means that the call can also read all of them.
 */
export function theRow(
  scope: Scope,
  stream: string,
  connectionId: string | undefined,
  { offersAll = false } = {},
): ScopeRow {
  const candidates = rowsOf(scope, connectionId).filter((row) => row.stream.name === stream);
  if (candidates.length === 1) return candidates[0]!;
  if (candidates.length > 1) throw ambiguous(stream, candidates, offersAll && connectionId === undefined);
  throw noStream(scope, stream, connectionId, "stream");
}

/**
 * Under a grant, the error is the same for a stream outside it as for one that does not exist. The owner is told that
 * the stream does not exist.
 */
export function noStream(scope: Scope, stream: string, connectionId: string | undefined, param: string): PdppError {
  const name = JSON.stringify(stream);
  // Suggests only names that the caller can read.
  const meant = nearest(stream, [...new Set(rowsOf(scope, connectionId).map((row) => row.stream.name))]);
  const suggestion = meant === undefined ? {} : { next_step: `Did you mean the stream ${meant}?` };
  if (isOwner(scope)) return new PdppError("not_found", `no stream ${name} here`, { param, ...suggestion });
  return new PdppError("grant_stream_not_allowed", `the grant does not include the stream ${name}`, {
    param,
    ...suggestion,
    why: whyNotStream(scope, stream, connectionId),
  });
}

/** Under a grant, the error also lists the connections that the grant can read. */
export function connectionNotFound(connectionId: string, scope?: Scope): PdppError {
  return new PdppError("connection_not_found", `no connection ${JSON.stringify(connectionId)} here`, {
    param: "connection_id",
    ...(scope === undefined || isOwner(scope) ? {} : { why: whyNotConnection(scope, connectionId) }),
  });
}

export function ambiguous(what: string, candidates: readonly ScopeRow[], offersAll = false): PdppError {
  return ambiguousConnection(
    `${candidates.length} connections have ${JSON.stringify(what)}`,
    candidates.map(({ grantId, stream }) => ({ grantId, ...stream })),
    offersAll,
  );
}

interface ScopeCandidate {
  grantId?: string;
  connectorKey: string;
  connectionId: string;
  displayName: string;
}

/** The maximum length of a name, so that ten names fit into a small error. */
const CANDIDATE_NAME_MAX = 60;

/** The caller must choose. The error lists the first few candidates, from data that is already loaded (E-22). */
export function ambiguousConnection(
  message: string,
  candidates: readonly ScopeCandidate[],
  offersAll = false,
): PdppError {
  const available: AvailableConnection[] = candidates.slice(0, AMBIGUOUS_CANDIDATES).map((candidate) => ({
    ...(candidate.grantId === undefined ? {} : { grant_id: candidate.grantId }),
    connector_key: candidate.connectorKey,
    connection_id: candidate.connectionId,
    display_name: plainLine(candidate.displayName, CANDIDATE_NAME_MAX),
  }));
  return new PdppError("ambiguous_connection", message, {
    param: "connection_id",
    retry_with: "connection_id",
    available_connections: available,
    available_connections_total: candidates.length,
    available_connections_truncated: candidates.length > available.length,
    next_step: `Call again with one of available_connections as connection_id${offersAll ? ", or with connection_id=all for all of them together" : ""}; GET /v1/schema lists them all.`,
  });
}
