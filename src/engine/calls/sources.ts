// Engine calls for sources and connections, and for the records and cursors that connectors send.
import { PdppError } from "../../contract/errors.ts";
import type { StreamState } from "../../contract/state.ts";
import * as requests from "../../contract/write.ts";
import { ambiguousConnection } from "../../core/scope.ts";
import type { Caller } from "../caller.ts";
import { chooseColumns, chosenColumns } from "../column-choices.ts";
import { readConnections, readConnectors } from "../read/schema.ts";
import { dropRuns } from "../write/collect-runs.ts";
import { deleteRecord, emptyStream, ingestBatch, type SyncedBatch, targetStream } from "../write/ingest.ts";
import {
  createConnection,
  deleteConnection,
  putConnector,
  renameConnection,
  requireConnection,
} from "../write/sources.ts";
import { answer, ownerRead, ownerWrite, read, removal, systemWrite, unlogged } from "./define.ts";

export const SOURCE_CALLS = {
  connections: read({
    query: requests.connectionsQuery,
    answer: "ConnectionList",
    route: { method: "GET", path: "/v1/connections", summary: "Configured accounts, archives and disks" },
    words: "Listed connections",
    run: readConnections,
  }),
  connectors: read({
    query: requests.nothing,
    answer: "ConnectorList",
    route: { method: "GET", path: "/v1/connectors", summary: "Registered sources" },
    words: "Listed sources",
    run: readConnectors,
  }),
  chosenColumns: ownerRead({
    query: requests.columnChoiceQuery,
    run: async ({ view, caller }, place) => unlogged(await chosenColumns(view, caller.subjectId, place)),
  }),
  chooseColumns: ownerWrite({
    query: requests.columnChoice,
    words: "Chose columns",
    run: chooseColumns,
  }),
  putConnector: ownerWrite({
    query: requests.putConnector,
    answer: "Connector",
    route: {
      method: "PUT",
      path: "/v1/connectors/{connector_key}",
      summary: "Register a source from its declaration",
      body: { member: "declaration" },
    },
    words: "Registered a source",
    run: ({ view, caller, now }, query) => putConnector(view, caller, query, now),
  }),
  createConnection: ownerWrite({
    query: requests.createConnection,
    answer: "Connection",
    route: {
      method: "POST",
      path: "/v1/connections",
      summary: "Create a connection for a source",
      body: "merge",
      status: 201,
    },
    words: "Created a connection",
    run: ({ view, caller, now }, query) => createConnection(view, caller, query, now),
  }),
  renameConnection: ownerWrite({
    query: requests.renameConnection,
    answer: "Connection",
    route: {
      method: "PATCH",
      path: "/v1/connections/{connection_id}",
      summary: "Rename a connection",
      body: "merge",
    },
    words: "Renamed a connection",
    run: ({ view, caller }, query) => renameConnection(view, caller, query),
  }),
  deleteConnection: removal({
    query: requests.connectionId,
    answer: "ConnectionDeleted",
    route: {
      method: "DELETE",
      path: "/v1/connections/{connection_id}",
      summary: "Delete a connection and everything in it",
    },
    words: "Deleted a connection",
    effects: ["endsEvents", "endsExports", "removesConnector"],
    async run({ view, caller }, query, { onReleased }) {
      await dropRuns(view, caller, query.connection_id);
      return deleteConnection(view, caller, query, onReleased);
    },
  }),
  deleteRecord: removal({
    query: requests.deleteRecord,
    route: {
      method: "DELETE",
      path: "/v1/streams/{stream}/records/{id}",
      summary: "Delete one record",
      status: 204,
    },
    words: "Deleted a record",
    async run({ view, caller }, query, way) {
      await deleteRecord(view, caller, query, way);
      return {};
    },
  }),
  /** The stream that an ingest or an upload would write to, resolved before any byte is read. */
  ingestTarget: ownerRead({
    query: requests.ingestTarget,
    async run({ caller, now }, query) {
      const { connectionId, streamNo } = targetStream(caller, query);
      return unlogged({ connection_id: connectionId, stream_no: streamNo, began: now });
    },
  }),
  /** A removal, because it can delete or change the last record that refers to a blob. */
  ingest: removal({
    query: requests.ingestBatch,
    answer: "IngestReport",
    route: {
      method: "POST",
      path: "/v1/ingest/{stream}",
      summary: "Store records, one JSON object per line",
      schema: requests.ingestTarget,
      streams: "ingest",
    },
    words: "Stored records",
    run: ({ view, caller }, { text, began, ...target }, way) =>
      ingestBatch(view, caller, target, text, { ...way, now: Math.min(began ?? way.now, way.now) }),
  }),
  /**
   * For files that the server found on its own disks. An audit entry for each of a thousand batches would be useless.
   */
  syncBatch: systemWrite({
    query: requests.ingestBatch,
    async run({ view, caller, now }, { text, began: _began, ...target }) {
      const { rejected, changed } = await ingestBatch(view, caller, target, text, { now });
      const stored: SyncedBatch = { rejected, changed, stream_no: targetStream(caller, target).streamNo };
      return stored;
    },
  }),
  emptyStream: systemWrite({
    query: requests.emptyStream,
    run: ({ view, caller, now }, query) => emptyStream(view, caller, query, now),
  }),
  state: ownerRead({
    query: requests.stateQuery,
    answer: "StreamState",
    route: { method: "GET", path: "/v1/state/{connector}", summary: "A connector's own cursors" },
    words: "Read a connector's position",
    async run({ view, caller }, query) {
      const { connectionId } = connectionOf(caller, query);
      const { state, updatedAt } = await view.state(caller.subjectId, connectionId);
      return answer(stateBody(connectionId, state, updatedAt));
    },
  }),
  putState: ownerWrite({
    query: requests.putState,
    answer: "StreamState",
    route: {
      method: "PUT",
      path: "/v1/state/{connector}",
      summary: "Store a connector's own cursors",
      body: "merge",
      inQuery: ["connection_id"],
    },
    words: "Saved a connector's position",
    async run({ view, caller, now }, { state, ...query }) {
      const { connectionId } = connectionOf(caller, query);
      await view.putState(caller.subjectId, connectionId, state, now);
      const stored = await view.state(caller.subjectId, connectionId);
      return stateBody(connectionId, stored.state, stored.updatedAt);
    },
  }),
};

function connectionOf(caller: Caller, { connector, connection_id }: { connector: string; connection_id?: string }) {
  if (connection_id !== undefined) return requireConnection(caller, connection_id);
  const found = caller.catalog.connections.filter(
    (row) => row.connectorKey === connector || row.source.id === connector,
  );
  if (found.length === 1) return found[0]!;
  if (found.length === 0) {
    throw new PdppError("not_found", `there is no connection for ${JSON.stringify(connector)}`, { param: "connector" });
  }
  throw ambiguousConnection(`${found.length} connections for ${connector}`, found);
}

function stateBody(connectionId: string, state: StreamState["state"], updatedAt: number | null): StreamState {
  return {
    object: "stream_state",
    connection_id: connectionId,
    state,
    updated_at: updatedAt === null ? null : new Date(updatedAt).toISOString(),
  };
}
