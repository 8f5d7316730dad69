// Every call the engine takes, by name: what it reads or writes, and what it needs to.
import { createHmac } from "node:crypto";
import type { z } from "zod";
import * as auth from "../contract/auth.ts";
import type { StoredBlob } from "../contract/blob.ts";
import * as consent from "../contract/consent.ts";
import { PdppError } from "../contract/errors.ts";
import * as fileCalls from "../contract/file-calls.ts";
import { fileConsentApproval, fileConsentQuery } from "../contract/file-consent.ts";
import { grantRequest } from "../contract/grant-request.ts";
import * as imports from "../contract/import-request.ts";
import * as queries from "../contract/read.ts";
import type { StreamState } from "../contract/state.ts";
import * as requests from "../contract/write.ts";
import { consentOffer } from "../core/consent.ts";
import { fileOffer } from "../core/file-consent.ts";
import { rootsIn } from "../core/file-roots.ts";
import { ambiguousConnection, isOwner } from "../core/scope.ts";

import { roomForClient } from "./authority/clients.ts";
import {
  changePassword,
  checkSetupCode,
  enterPassword,
  openSession,
  ownerAccount,
  putSetupCode,
  setOwner,
} from "./authority/owner.ts";
import { endSessions, listSessions } from "./authority/sessions.ts";
import { endGrant, grantedDetails, grantInfo, issueToken, tokenInfo } from "./authority/tokens.ts";
import { countTurn } from "./authority/turns.ts";
import { type Caller, requireOwner } from "./caller.ts";
import { COLLECT_METHODS } from "./collect-methods.ts";
import { EVENT_METHODS } from "./event-methods.ts";
import { readExportHandle, readExportInfo } from "./export/info.ts";
import * as exportJobs from "./export/jobs.ts";
import * as exporting from "./export/page.ts";
import { answer, ownerRead, ownerWrite, read, removal, systemRead, systemWrite, write } from "./method.ts";
import { readActivity, verifyActivity } from "./read/activity.ts";
import { readActivityDays } from "./read/activity-days.ts";
import { readAggregate } from "./read/aggregate.ts";
import { readBlob } from "./read/blob.ts";
import { listJson } from "./read/context.ts";
import { admitToFiles, tellFileCall, tellFileServed } from "./read/file-calls.ts";
import { readGrant, readGrants } from "./read/grants.ts";
import { readRecord } from "./read/record.ts";
import { readRecords } from "./read/records.ts";
import { readConnections, readConnectors, readSchema, readStream, readStreams } from "./read/schema.ts";
import { readSearch } from "./read/search.ts";
import { readWhy } from "./read/why.ts";
import { readWindow } from "./read/window.ts";
import { SCHEDULE_METHODS } from "./schedule-methods.ts";
import {
  awaitRecord,
  forgetUnused,
  knownBlobs,
  putBlobs,
  releaseStrays,
  takeUnused,
  unusedHorizon,
} from "./unused-blobs.ts";
import { dropRuns, readRun } from "./write/collect-runs.ts";
import { approveConsent, approveFiles } from "./write/consent.ts";
import * as errands from "./write/errands.ts";
import { issueGrant, revokeGrants } from "./write/grants.ts";
import * as importRequests from "./write/import-requests.ts";
import { beginImport, breakImport, endImport, listImports, storeImportBatch, targetOf } from "./write/imports.ts";
import { deleteRecord, emptyStream, ingestBatch, type SyncedBatch, targetStream } from "./write/ingest.ts";
import { issueOwnerToken, listOwnerTokens, revokeOwnerTokens } from "./write/owner-tokens.ts";
import {
  createConnection,
  deleteConnection,
  putConnector,
  renameConnection,
  requireConnection,
} from "./write/sources.ts";

export const METHODS = {
  schema: read(queries.schemaQuery, readSchema),
  streams: read(queries.streamsQuery, readStreams),
  stream: read(queries.streamQuery, readStream),
  records: read(queries.recordsQuery, readRecords),
  record: read(queries.recordQuery, readRecord),
  window: read(queries.windowQuery, readWindow),
  aggregate: read(queries.aggregateQuery, readAggregate),
  search: read(queries.searchQuery, readSearch),
  exportHandle: read(queries.exportQuery, readExportHandle),
  exportInfo: read(queries.exportQuery, readExportInfo),
  /** The line before the first byte of an export. */
  export: read(queries.exportFileQuery, exporting.openExport),
  /** The same for a file of the server's own: until somebody takes it away nothing is read. */
  exportFile: read(queries.exportFileQuery, async (context, query) => ({
    ...(await exporting.openExport(context, query)),
    reads: [],
  })),
  exportPage: read(exporting.exportPageQuery, exporting.readExportPage),
  exports: read(requests.nothing, exportJobs.readExports),
  exportJob: read(requests.byId, exportJobs.readExportJob),
  exportDownload: read(requests.byId, exportJobs.openExportFile),
  /** Whether a download that is running may go on. It reads nothing new, so only a refusal is logged. */
  exportAllowed: read(requests.byId, async (context, query) => ({
    ...(await exportJobs.openExportFile(context, query)),
    reads: [],
  })),
  exportTasks: systemRead(requests.nothing, exportJobs.readExportTasks),
  exportServed: { ...read(exporting.exportServed, exporting.tellExportServed), tells: true },
  blob: read(queries.blobQuery, async (context, query) => ({ ...(await readBlob(context, query)), bytes: 0 })),
  /** The audit line after the last byte of a blob; `blob` wrote the one before the first. */
  blobServed: {
    ...read(requests.blobServed, async (context, { bytes, ...query }) => ({
      ...(await readBlob(context, query)),
      bytes,
    })),
    tells: true,
  },
  /** As `exportAllowed`. */
  blobAllowed: read(queries.blobQuery, async (context, query) => ({ ...(await readBlob(context, query)), reads: [] })),
  /** Who calls, and whether it may at all: asked before a body is read. Nothing is read, so nothing is logged. */
  admit: read(requests.admission, async ({ caller }, { owner }) => {
    if (owner) requireOwner(caller);
    return { body: JSON.stringify(caller.scope.bearer), records: 0, reads: [] };
  }),
  /** Whether it makes sense to send requests here. */
  ready: systemRead(requests.nothing, async ({ view }) => {
    await view.usable();
    return { body: "{}", records: 0, reads: [] };
  }),
  /** Whether a write succeeds: an item is put and removed again in one commit. */
  probeWrite: systemWrite(requests.nothing, async ({ view, now }) => {
    const subject = await view.subject();
    await view.putItem(subject, { kind: "probe", id: "write", holder: null, createdAt: now, dueAt: null, body: {} });
    await view.deleteItem(subject, "probe", "write");
    return {};
  }),
  /** The same as `admit` for the files lens, with the roots that are open. No route leads here: the lens asks before it does anything. */
  filesBearer: { ...read(fileCalls.filesEntry, admitToFiles), lens: "files" },
  /** The line of a call of the files lens, before its answer leaves. */
  noteFileCall: { ...read(fileCalls.fileCall, tellFileCall), lens: "files" },
  fileServed: { ...read(fileCalls.fileServed, tellFileServed), lens: "files", tells: true },
  connections: read(requests.nothing, readConnections),
  connectors: read(requests.nothing, readConnectors),

  grants: ownerRead(requests.grantsQuery, readGrants),
  grant: ownerRead(requests.byId, readGrant),
  ownerTokens: ownerRead(requests.nothing, async ({ view, caller, now }) => {
    const items = (await listOwnerTokens(view, caller, now)).map((item) => JSON.stringify(item));
    return { body: listJson({ url: "/v1/owner-tokens", self: "/v1/owner-tokens", items, hasMore: false }), records: 0 };
  }),
  activity: ownerRead(requests.activityQuery, readActivity),
  activityDays: ownerRead(requests.activityDaysQuery, readActivityDays),
  why: ownerRead(requests.whyQuery, readWhy),
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

  ...SCHEDULE_METHODS,
  ...COLLECT_METHODS,

  ...EVENT_METHODS,

  createExport: write(queries.exportFileQuery, exportJobs.createExport),
  deleteExport: write(requests.byId, exportJobs.deleteExport),
  settleExport: systemWrite(exportJobs.exportSettled, exportJobs.settleExport),
  dropExport: systemWrite(requests.byId, exportJobs.deleteExport),
  ingest: ownerWrite(requests.ingestBatch, ({ view, caller, now }, { text, ...target }) =>
    ingestBatch(view, caller, target, text, now),
  ),
  /** Files that the server found on its own disks: a line in the audit for each of a thousand batches says nothing. */
  syncBatch: systemWrite(requests.ingestBatch, async ({ view, caller, now }, { text, ...target }) => {
    const { rejected, changed } = await ingestBatch(view, caller, target, text, now);
    const stored: SyncedBatch = { rejected, changed, stream_no: targetStream(caller, target).streamNo };
    return stored;
  }),
  emptyStream: systemWrite(requests.emptyStream, ({ view, caller, now }, query) =>
    emptyStream(view, caller, query, now),
  ),
  deleteRecord: removal(requests.deleteRecord, async ({ view, caller }, query, way) => {
    await deleteRecord(view, caller, query, way);
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
  deleteConnection: removal(requests.connectionId, async ({ view, caller }, query, { onReleased }) => {
    await dropRuns(view, caller, query.connection_id);
    return deleteConnection(view, caller, query, onReleased);
  }),
  putState: ownerWrite(requests.putState, async ({ view, caller, now }, { state, ...query }) => {
    const { connectionId } = connectionOf(caller, query);
    await view.putState(caller.subjectId, connectionId, state, now);
    const stored = await view.state(caller.subjectId, connectionId);
    return stateBody(connectionId, stored.state, stored.updatedAt);
  }),
  putBlob: ownerWrite(requests.putBlob, async ({ view, caller, now }, { generation, ...blob }) => {
    await putBlobs(view, [{ ...blob, generation }], now);
    await awaitRecord(view, caller.subjectId, blob.blob_id, now);
    const stored: StoredBlob = { object: "blob", ...blob };
    return stored;
  }),
  knownBlobs: systemRead(requests.blobIds, ({ view }, { blob_ids }) => knownBlobs(view, blob_ids)),
  unusedBlobs: systemRead(requests.nothing, ({ view, caller }) => unusedHorizon(view, caller.subjectId)),
  takeUnusedBlobs: systemWrite(requests.nothing, ({ view, caller, now }) => takeUnused(view, caller.subjectId, now)),
  forgetUnusedBlobs: systemWrite(requests.objectNames, ({ view, caller }, { names }) =>
    forgetUnused(view, caller.subjectId, names),
  ),
  releaseStrayBlobs: systemWrite(requests.objectNames, ({ view, caller, now }, { names }) =>
    releaseStrays(view, caller.subjectId, names, now),
  ),
  issueGrant: ownerWrite(grantRequest, ({ view, caller, now }, request) => issueGrant(view, caller, request, now)),
  revokeGrant: ownerWrite(requests.byId, ({ view, caller, now }, query) => revokeGrants(view, caller, query, now)),
  revokeOwnerToken: ownerWrite(requests.byId, ({ view, caller, now }, query) =>
    revokeOwnerTokens(view, caller, query, now),
  ),
  issueOwnerToken: ownerWrite(requests.ownerToken, ({ view, caller, now }, query) =>
    issueOwnerToken(view, caller, query, now),
  ),

  consentOffer: ownerRead(consent.consentQuery, async ({ caller }, query) => {
    const { streams, sources } = caller.catalog;
    return { ...answer(consentOffer(query, streams, sources)), reads: [] };
  }),
  /** The samples of a consent page: no app reads them, and two lines for each stream would bury what apps did read. */
  consentRecords: ownerRead(queries.recordsQuery, async (context, query) => ({
    ...(await readRecords(context, query)),
    reads: [],
  })),
  approveConsent: ownerWrite(consent.consentApproval, ({ view, caller, now }, query) =>
    approveConsent(view, caller, query, now),
  ),
  fileOffer: ownerRead(fileConsentQuery, async ({ caller }, query) => ({
    ...answer(fileOffer(query, rootsIn(caller.catalog.streams))),
    reads: [],
  })),
  approveFiles: ownerWrite(fileConsentApproval, ({ view, caller, now }, query) =>
    approveFiles(view, caller, query, now),
  ),
  openSession: ownerWrite(auth.sessionOpen, ({ view, caller, now }, query) => openSession(view, caller, query, now)),
  enterPassword: ownerWrite(auth.passwordEntered, ({ view, caller, now }, query) =>
    enterPassword(view, caller, query, now),
  ),
  /** Refused unless the password was entered recently; for actions that are not calls of the engine. */
  recentPassword: systemRead(requests.nothing, async () => ({})),
  closeSession: ownerWrite(auth.tokenRef, async ({ view }, { hash }) => {
    await view.deleteToken(hash);
    return {};
  }),
  sessions: ownerRead(requests.nothing, async ({ view, caller, now }) => answer(await listSessions(view, caller, now))),
  endSessions: ownerWrite(auth.sessionEnd, ({ view, caller }, query) => endSessions(view, caller, query)),
  changePassword: ownerWrite(auth.passwordChange, ({ view, caller, now }, query) =>
    changePassword(view, caller, query, now),
  ),
  setOwner: ownerWrite(auth.ownerSetup, ({ view, caller, now }, query) => setOwner(view, caller, query, now)),
  putSetupCode: ownerWrite(auth.setupCode, ({ view, caller, now }, { code }) =>
    putSetupCode(view, caller.subjectId, code, now),
  ),
  checkSetupCode: systemRead(auth.setupCode, ({ view, now }, { code }) => checkSetupCode(view, code, now)),
  ownerAccount: systemRead(requests.nothing, ({ view, caller }) => ownerAccount(view, caller.subjectId)),

  importTarget: ownerWrite(imports.importTarget, ({ view, caller, now }, query) => targetOf(view, caller, query, now)),
  beginImport: ownerWrite(imports.importBegin, ({ view, caller, now }, query) => beginImport(view, caller, query, now)),
  importBatch: {
    ...systemWrite(imports.importBatch, ({ view, caller, now }, batch) => storeImportBatch(view, caller, batch, now)),
    // Its checkpoint goes down with it.
    redoable: true,
  },
  importBroken: systemWrite(imports.importBroken, ({ view, caller, now }, query) =>
    breakImport(view, caller, query, now),
  ),
  endImport: removal(imports.importEnd, ({ view, caller }, query, way) => endImport(view, caller, query, way)),
  undoImport: removal(requests.byId, ({ view, caller }, query, way) =>
    importRequests.undoImports(view, caller, query, way),
  ),
  imports: ownerRead(requests.nothing, async ({ view, caller }) => {
    const items = (await listImports(view, caller.subjectId)).map((job) => JSON.stringify(job));
    return { body: listJson({ url: "/v1/imports", self: "/v1/imports", items, hasMore: false }), records: 0 };
  }),
  /** What was sent to be imported together, newest first. */
  importRequests: ownerRead(requests.nothing, async ({ view, caller }) =>
    answer(await importRequests.listRequests(view, caller)),
  ),
  /** The formats that can be read; the server that has importers names them. */
  importers: ownerRead(requests.nothing, async () => answer([])),
  /** What an undo would take away. */
  undoSize: ownerRead(requests.byId, async ({ view, caller }, query) =>
    answer(await importRequests.undoImportsSize(view, caller, query)),
  ),
  /** Attached files that would go with a connection. */
  connectionBlobs: ownerRead(requests.connectionId, async ({ view, caller }, query) =>
    answer(await view.ownBlobs(requireConnection(caller, query.connection_id).connectionId)),
  ),
  import: ownerRead(requests.byId, async ({ view, caller }, query) =>
    answer(await importRequests.readImport(view, caller, query)),
  ),
  createImport: ownerWrite(imports.importCreate, ({ view, caller, now }, query) =>
    importRequests.createImport(view, caller, query, now),
  ),
  sizeUpload: systemWrite(imports.uploadSize, ({ view, caller, now }, query) =>
    importRequests.sizeUpload(view, caller, query, now),
  ),
  importUpload: ownerRead(requests.byId, async ({ view, caller, now }, query) =>
    answer(await importRequests.readUpload(view, caller, query, now)),
  ),
  /** Asked before a byte of a file is read. */
  sendUpload: ownerRead(requests.byId, async ({ view, caller, now }, { id }) =>
    answer(await importRequests.readUpload(view, caller, { id, open: true }, now)),
  ),
  /** Whether there is one; the server looks into its files. */
  planImport: ownerRead(imports.importPlan, async ({ view, caller }, { id }) =>
    answer(await importRequests.readRequest(view, caller, id)),
  ),
  startImport: ownerWrite(imports.importStart, ({ view, caller, now }, query) =>
    importRequests.startImport(view, caller, query, now),
  ),
  pauseImport: ownerWrite(requests.byId, ({ view, caller, now }, query) =>
    importRequests.steerImport(view, caller, query, "paused", now),
  ),
  resumeImport: ownerWrite(requests.byId, ({ view, caller, now }, query) =>
    importRequests.steerImport(view, caller, query, "queued", now),
  ),
  cancelImport: ownerWrite(requests.byId, ({ view, caller, now }, query) =>
    importRequests.steerImport(view, caller, query, "cancelled", now),
  ),
  importTasks: systemRead(requests.nothing, ({ view, caller }) => importRequests.importTasks(view, caller)),
  settleImport: systemWrite(imports.importSettled, ({ view, caller, now }, query) =>
    importRequests.settleImport(view, caller, query, now),
  ),
  /** Looked at again and again while it runs: no line in the audit. */
  job: read(requests.byId, async (context, { id }) => {
    const { view, caller } = context;
    const kind = (await view.job(caller.subjectId, id))?.kind;
    if (kind === undefined || kind === "export" || !isOwner(caller.scope))
      return exportJobs.readExportJob(context, { id });
    if (kind === "collect") return { ...answer(await readRun(view, caller, { id })), reads: [] };
    return { ...answer(await importRequests.readImport(view, caller, { id })), reads: [] };
  }),

  /** What pages sign their cookies and forms with. */
  webSecret: systemRead(requests.nothing, async ({ key }) => ({
    secret: createHmac("sha256", key).update("web").digest("base64url"),
  })),

  errand: systemRead(errands.errandName, ({ view, caller }, { name }) =>
    errands.keptErrand(view, caller.subjectId, name),
  ),
  keepErrand: systemWrite(errands.errandKept, ({ view, caller, now }, query) =>
    errands.keepErrand(view, caller.subjectId, query, now),
  ),

  authItem: systemRead(auth.authItemRef, async ({ view }, { kind, hash }) => view.authItem(kind, hash)),
  authItemBy: systemRead(auth.authItemBy, async ({ view }, { kind, key, value }) => view.authItemBy(kind, key, value)),
  putAuthItem: systemWrite(auth.authItemPut, async ({ view, now }, item) => {
    if (item.kind === "Client") await roomForClient(view, now);
    await view.putAuthItem({ ...item, consumedAt: null });
    return {};
  }),
  consumeAuthItem: systemWrite(auth.authItemRef, async ({ view, now }, { kind, hash }) => ({
    consumed: await view.consumeAuthItem(kind, hash, now),
  })),
  countTurn: systemWrite(auth.turn, ({ view, caller, now }, query) => countTurn(view, caller.subjectId, query, now)),
  deleteAuthItem: systemWrite(auth.authItemRef, async ({ view }, { kind, hash }) => {
    await view.deleteAuthItem(kind, hash);
    return {};
  }),
  keepAuthItem: systemWrite(auth.authItemRef, async ({ view }, { kind, hash }) => {
    await view.keepAuthItem(kind, hash);
    return {};
  }),
  /** True when the owner gave this app a grant before. */
  clientApproved: systemRead(auth.clientRef, async ({ view, caller }, { client_id }) => ({
    approved: (await view.client(client_id))?.subjectId === caller.subjectId,
  })),
  grantInfo: systemRead(auth.grantRef, ({ view, now }, { id }) => grantInfo(view, id, now)),
  grantedDetails: systemRead(auth.grantRef, ({ view, now }, { id }) => grantedDetails(view, id, now)),
  tokenInfo: systemRead(auth.tokenRef, ({ view, now }, { hash }) => tokenInfo(view, hash, now)),
  issueToken: systemWrite(auth.tokenIssue, ({ view, now }, token) => issueToken(view, token, now)),
  deleteToken: systemWrite(auth.tokenRef, async ({ view }, { hash }) => {
    await view.deleteToken(hash);
    return {};
  }),
  endGrant: ownerWrite(auth.grantEnd, ({ view, now }, { id, by }) => endGrant(view, id, by, now)),
  namedClient: systemRead(requests.byId, async ({ view }, { id }) => view.client(id)),
} as const;

export type MethodName = keyof typeof METHODS;

export const TAKES_AWAY: ReadonlySet<MethodName> = new Set<MethodName>([
  "revokeGrant",
  "revokeOwnerToken",
  "endGrant",
  "deleteToken",
  "closeSession",
  "endSessions",
  "changePassword",
  "setOwner",
]);

/**
 * What waits for nobody that stopped in the middle of a write (0022). An app that gives its refresh token back ends the token
 * first, then the grant.
 */
export const URGENT: ReadonlySet<MethodName> = new Set<MethodName>([...TAKES_AWAY, "deleteAuthItem"]);

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
