// Every call the engine takes, by name: what it reads or writes, and what it needs to.
import type { z } from "zod";
import type { StoredBlob } from "../contract/blob.ts";
import { PdppError } from "../contract/errors.ts";
import type { GrantPackage, GrantSummary } from "../contract/grant.ts";
import { grantRequest } from "../contract/grant-request.ts";
import * as queries from "../contract/read.ts";
import type { StreamState } from "../contract/state.ts";
import * as requests from "../contract/write.ts";
import { ambiguousConnection } from "../core/scope.ts";
import type { AuditLog, WriteView } from "../store/store.ts";
import { type Caller, requireOwner } from "./caller.ts";
import { readActivity, verifyActivity } from "./read/activity.ts";
import { readAggregate } from "./read/aggregate.ts";
import { readBlob } from "./read/blob.ts";
import { type Answer, listJson, type ReadContext } from "./read/context.ts";
import { readRecord } from "./read/record.ts";
import { readRecords } from "./read/records.ts";
import { readConnections, readConnectors, readSchema, readStream, readStreams } from "./read/schema.ts";
import { readSearch } from "./read/search.ts";
import { readWindow } from "./read/window.ts";
import { grantSummaries, issueGrant, revokeGrants } from "./write/grants.ts";
import { deleteRecord, ingestBatch, targetStream } from "./write/ingest.ts";
import { issueOwnerToken, listOwnerTokens, revokeOwnerTokens } from "./write/owner-tokens.ts";
import {
  createConnection,
  deleteConnection,
  putConnector,
  renameConnection,
  requireConnection,
} from "./write/sources.ts";

export interface MethodContext extends ReadContext {
  audit: AuditLog;
  now: number;
}

export interface WriteContext {
  view: WriteView;
  caller: Caller;
  now: number;
  /** What is left to do outside the store once the write is durable. */
  afterCommit(rest: Aftermath): void;
}

export interface Aftermath {
  unusedBlobs: string[];
}

interface ReadMethod<S extends z.ZodType> {
  kind: "read";
  query: S;
  run(context: MethodContext, query: z.infer<S>): Promise<Answer>;
}

interface WriteMethod<S extends z.ZodType> {
  kind: "write";
  query: S;
  run(context: WriteContext, query: z.infer<S>): Promise<object>;
}

const read = <S extends z.ZodType>(query: S, run: ReadMethod<S>["run"]): ReadMethod<S> => ({
  kind: "read",
  query,
  run,
});

const ownerRead = <S extends z.ZodType>(query: S, run: ReadMethod<S>["run"]): ReadMethod<S> =>
  read(query, (context, parsed) => {
    requireOwner(context.caller);
    return run(context, parsed);
  });

const ownerWrite = <S extends z.ZodType>(query: S, run: WriteMethod<S>["run"]): WriteMethod<S> => ({
  kind: "write",
  query,
  run(context, parsed) {
    requireOwner(context.caller);
    return run(context, parsed);
  },
});

const answer = (value: object): Answer => ({ body: JSON.stringify(value), records: 0 });

export const METHODS = {
  schema: read(queries.schemaQuery, readSchema),
  streams: read(queries.streamsQuery, readStreams),
  stream: read(queries.streamQuery, readStream),
  records: read(queries.recordsQuery, readRecords),
  record: read(queries.recordQuery, readRecord),
  window: read(queries.windowQuery, readWindow),
  aggregate: read(queries.aggregateQuery, readAggregate),
  search: read(queries.searchQuery, readSearch),
  blob: read(queries.blobQuery, async (context, query) => ({ ...(await readBlob(context, query)), bytes: 0 })),
  /** The audit line after the last byte of a blob; `blob` wrote the one before the first. */
  blobServed: read(requests.blobServed, async (context, { bytes, ...query }) => ({
    ...(await readBlob(context, query)),
    bytes,
  })),
  /** Whether the caller may make a call at all: asked before its body is read. Nothing is read, so nothing is logged. */
  admit: read(requests.admission, async ({ caller }, { owner }) => {
    if (owner) requireOwner(caller);
    return { body: "{}", records: 0, reads: [] };
  }),
  connections: read(requests.nothing, readConnections),
  connectors: read(requests.nothing, readConnectors),

  grants: ownerRead(requests.nothing, async ({ view, audit, caller, now }) => {
    const items = (await grantSummaries(view, audit, caller, now)).map((item) => JSON.stringify(item));
    return { body: listJson({ url: "/v1/grants", self: "/v1/grants", items, hasMore: false }), records: 0 };
  }),
  grant: ownerRead(requests.byId, async ({ view, audit, caller, now }, { id }) => {
    const found = await grantSummaries(view, audit, caller, now, id);
    const one: GrantSummary | GrantPackage =
      found.length === 1 ? found[0]! : { object: "grant_package", grant_package_id: id, grants: found };
    return answer(one);
  }),
  ownerTokens: ownerRead(requests.nothing, async ({ view, caller, now }) => {
    const items = (await listOwnerTokens(view, caller, now)).map((item) => JSON.stringify(item));
    return { body: listJson({ url: "/v1/owner-tokens", self: "/v1/owner-tokens", items, hasMore: false }), records: 0 };
  }),
  activity: ownerRead(requests.activityQuery, readActivity),
  verifyActivity: ownerRead(requests.nothing, verifyActivity),
  state: ownerRead(requests.stateQuery, async ({ view, caller }, query) => {
    const { connectionId } = connectionOf(caller, query);
    const { state, updatedAt } = await view.state(caller.subjectId, connectionId);
    return answer(stateBody(connectionId, state, updatedAt));
  }),
  /** Answers whom an ingest or an upload would reach, before a byte of it is read. */
  ingestTarget: ownerRead(requests.ingestTarget, async ({ caller }, query) => {
    const { connectionId, streamNo } = targetStream(caller, query);
    return answer({ connection_id: connectionId, stream_no: streamNo });
  }),

  ingest: ownerWrite(requests.ingestBatch, ({ view, caller, now }, { text, ...target }) =>
    ingestBatch(view, caller, target, text, now),
  ),
  deleteRecord: ownerWrite(requests.deleteRecord, async ({ view, caller, now }, query) => {
    await deleteRecord(view, caller, query, now);
    return {};
  }),
  putConnector: ownerWrite(requests.putConnector, ({ view, caller, now }, query) =>
    putConnector(view, caller, query, now),
  ),
  createConnection: ownerWrite(requests.createConnection, ({ view, caller, now }, query) =>
    createConnection(view, caller, query, now),
  ),
  renameConnection: ownerWrite(requests.renameConnection, ({ view, caller }, query) =>
    renameConnection(view, caller, query),
  ),
  deleteConnection: ownerWrite(requests.connectionId, async ({ view, caller, afterCommit }, query) => {
    const { answer, blobs } = await deleteConnection(view, caller, query);
    afterCommit({ unusedBlobs: blobs });
    return answer;
  }),
  putState: ownerWrite(requests.putState, async ({ view, caller, now }, { state, ...query }) => {
    const { connectionId } = connectionOf(caller, query);
    await view.putState(caller.subjectId, connectionId, state, now);
    const stored = await view.state(caller.subjectId, connectionId);
    return stateBody(connectionId, stored.state, stored.updatedAt);
  }),
  putBlob: ownerWrite(requests.putBlob, async ({ view, now }, blob) => {
    await view.putBlob(
      { blobId: blob.blob_id, mimeType: blob.mime_type, sizeBytes: blob.size_bytes, sha256: blob.sha256 },
      now,
    );
    const stored: StoredBlob = { object: "blob", ...blob };
    return stored;
  }),
  issueGrant: ownerWrite(grantRequest, ({ view, caller, now }, request) => issueGrant(view, caller, request, now)),
  revokeGrant: ownerWrite(requests.byId, ({ view, caller, now }, query) => revokeGrants(view, caller, query, now)),
  revokeOwnerToken: ownerWrite(requests.byId, ({ view, caller, now }, query) =>
    revokeOwnerTokens(view, caller, query, now),
  ),
  issueOwnerToken: ownerWrite(requests.ownerToken, ({ view, caller, now }, query) =>
    issueOwnerToken(view, caller, query, now),
  ),
} as const;

export type MethodName = keyof typeof METHODS;
export type QueryOf<M extends MethodName> = z.input<(typeof METHODS)[M]["query"]>;

function connectionOf(caller: Caller, { connector, connection_id }: { connector: string; connection_id?: string }) {
  if (connection_id !== undefined) return requireConnection(caller, connection_id);
  const found = caller.catalog.connections.filter(
    (row) => row.connectorKey === connector || row.source.id === connector,
  );
  if (found.length === 1) return found[0]!;
  if (found.length === 0) {
    throw new PdppError("not_found", `no connection of ${JSON.stringify(connector)} here`, { param: "connector" });
  }
  throw ambiguousConnection(`${found.length} connections of ${connector}`, found);
}

function stateBody(connectionId: string, state: StreamState["state"], updatedAt: number | null): StreamState {
  return {
    object: "stream_state",
    connection_id: connectionId,
    state,
    updated_at: updatedAt === null ? null : new Date(updatedAt).toISOString(),
  };
}
