// Engine calls for imports: files are uploaded in pieces, planned and imported; a job reports progress.

import * as imports from "../../contract/import-request.ts";
import type { ImportFormat, ImportRequest } from "../../contract/import-upload.ts";
import * as requests from "../../contract/write.ts";
import { isOwner } from "../../core/scope.ts";
import { readExportJob } from "../export/jobs.ts";
import { listAnswer } from "../read/context.ts";
import { takeUnused } from "../unused-blobs.ts";
import { readRun } from "../write/collect-runs.ts";
import * as sent from "../write/import-requests.ts";
import { registerSource } from "../write/import-source.ts";
import { beginImport, breakImport, endImport, listImports, storeImportBatch, targetOf } from "../write/imports.ts";
import {
  answer,
  ownerRead,
  ownerWrite,
  read,
  removal,
  systemRead,
  systemRemoval,
  systemWrite,
  unlogged,
} from "./define.ts";

export const IMPORT_CALLS = {
  createImport: ownerWrite({
    query: imports.importCreate,
    answer: "ImportUpload",
    route: {
      method: "POST",
      path: "/v1/imports",
      summary: "Start uploading a file to import; with import_id, add a file to the same import",
      body: "merge",
      status: 201,
    },
    words: "Sent files to import",
    run: ({ view, caller, now }, query) => sent.createImport(view, caller, query, now),
  }),
  imports: ownerRead({
    query: requests.nothing,
    answer: "ImportList",
    route: { method: "GET", path: "/v1/imports", summary: "Imports with their reports" },
    words: "Listed imports",
    run: async ({ view, caller }) => listAnswer("/v1/imports", await listImports(view, caller.subjectId)),
  }),
  import: ownerRead({
    query: requests.byId,
    answer: "ImportOrRequest",
    route: {
      method: "GET",
      path: "/v1/imports/{id}",
      summary: "One import, or a group of files that were sent together",
    },
    words: "Looked at an import",
    complete: (services, found) => services.imports.withOffsets(found),
    run: async ({ view, caller }, query) => answer(await sent.readImport(view, caller, query)),
  }),
  importUpload: ownerRead({
    query: requests.byId,
    answer: "ImportUpload",
    route: {
      method: "GET",
      path: "/v1/imports/uploads/{id}",
      summary: "How much of a file has arrived, in the offset field and in the Upload-Offset header",
      streams: "import-upload-state",
    },
    words: "Checked an upload",
    complete: (services, upload) => services.imports.withOffsets(upload),
    run: async ({ view, caller, now }, query) => answer(await sent.readUpload(view, caller, query, now)),
  }),
  /** Checked before any of the file's bytes are read. */
  sendUpload: ownerRead({
    query: requests.byId,
    route: {
      method: "PATCH",
      path: "/v1/imports/uploads/{id}",
      summary:
        "Send a file's bytes, starting at the offset in the Upload-Offset header; an interrupted upload resumes there",
      status: 204,
      streams: "import-upload",
    },
    words: "Sent a file",
    run: async ({ view, caller, now }, { id }) => answer(await sent.readUpload(view, caller, { id, open: true }, now)),
  }),
  /** The engine checks that the import exists; the server reads its files. */
  planImport: ownerRead({
    query: imports.importPlan,
    route: {
      method: "POST",
      path: "/v1/imports/{id}/plan",
      summary: "The contents of the files: sources, streams, counts, questions; imports nothing",
      body: "merge",
    },
    answer: "ImportPlan",
    words: "Planned an import",
    complete: (services, _found, { id, answers = {} }) => services.imports.plan(id, answers),
    run: async ({ view, caller }, { id }) => answer((await sent.readRequest(view, caller, id)) as never),
  }),
  startImport: ownerWrite({
    query: imports.importStart,
    answer: "ImportRequest",
    route: {
      method: "POST",
      path: "/v1/imports/{id}/run",
      summary: "Import the files",
      body: "merge",
      status: 202,
    },
    words: "Started an import",
    before: (services, { id }) => services.imports.requireFiles(id),
    effects: ["wakesImports"],
    complete: (services, request) => services.imports.withOffsets(request),
    run: ({ view, caller, now }, query) => sent.startImport(view, caller, query, now),
  }),
  pauseImport: ownerWrite({
    query: requests.byId,
    answer: "ImportOrRequest",
    route: { method: "POST", path: "/v1/imports/{id}/pause", summary: "Pause an import" },
    words: "Paused an import",
    effects: ["stopsImport"],
    complete: (services, request) => services.imports.withOffsets(request),
    run: ({ view, caller, now }, query) => sent.setImportRequestStatus(view, caller, query, "paused", now),
  }),
  resumeImport: ownerWrite({
    query: requests.byId,
    answer: "ImportRequest",
    route: { method: "POST", path: "/v1/imports/{id}/resume", summary: "Resume an import where it stopped" },
    words: "Resumed an import",
    effects: ["wakesImports"],
    complete: (services, request) => services.imports.withOffsets(request),
    run: ({ view, caller, now }, query) => sent.setImportRequestStatus(view, caller, query, "queued", now),
  }),
  cancelImport: ownerWrite({
    query: requests.byId,
    answer: "ImportOrRequest",
    route: {
      method: "POST",
      path: "/v1/imports/{id}/cancel",
      summary: "Stop an import for good; imported records stay until it is undone",
    },
    words: "Cancelled an import",
    effects: ["stopsImport"],
    complete: (services, request) => services.imports.withOffsets(request),
    run: ({ view, caller, now }, query) => sent.setImportRequestStatus(view, caller, query, "cancelled", now),
  }),
  undoImport: removal({
    query: requests.byId,
    answer: "ImportUndone",
    route: { method: "POST", path: "/v1/imports/{id}/undo", summary: "Remove the records that an import added" },
    words: "Undid an import",
    run: ({ view, caller }, query, way) => sent.undoImports(view, caller, query, way),
  }),
  /** Polled during the import, so it is not logged. */
  job: read({
    query: requests.byId,
    answer: "Job",
    route: {
      method: "GET",
      path: "/api/jobs/{id}",
      summary: "Progress of a job: an import, an export or a scan; with Accept: text/event-stream, live",
      streams: "job",
    },
    complete: (services, found) => services.imports.withOffsets(found),
    async run(context, { id }) {
      const { view, caller } = context;
      const kind = (await view.job(caller.subjectId, id))?.kind;
      if (kind === undefined || kind === "export" || !isOwner(caller.scope)) return readExportJob(context, { id });
      if (kind === "collect") return unlogged(await readRun(view, caller, { id }));
      return unlogged(await sent.readImport(view, caller, { id }));
    },
  }),
  /** Files that were uploaded to be imported together, newest first. */
  importRequests: ownerRead({
    query: requests.nothing,
    complete: (services, found: ImportRequest[]) => services.imports.withOffsets(found),
    run: async ({ view, caller }) => answer(await sent.listRequests(view, caller)),
  }),
  /** The formats that can be imported. The importers belong to the serving process; the engine alone has none. */
  importers: ownerRead({
    query: requests.nothing,
    complete: (services) => services.imports.formats(),
    run: async () => answer<ImportFormat[]>([]),
  }),
  /** The records that an undo would remove. */
  undoSize: ownerRead({
    query: requests.byId,
    lane: "scans",
    run: async ({ view, caller }, query) => answer(await sent.undoImportsSize(view, caller, query)),
  }),
  importSource: ownerWrite({
    query: imports.importSource,
    words: "Registered a source",
    run: ({ view, caller, now }, query) => registerSource(view, caller, query, now),
  }),
  importTarget: ownerWrite({
    query: imports.importTarget,
    words: "Chose the connection for an import",
    run: ({ view, caller, now }, query) => targetOf(view, caller, query, now),
  }),
  beginImport: ownerWrite({
    query: imports.importBegin,
    words: "Import began",
    run: ({ view, caller, now }, query) => beginImport(view, caller, query, now),
  }),
  /** Redoable, because the batch's checkpoint is stored with it. */
  importBatch: systemRemoval({
    query: imports.importBatch,
    redoable: true,
    run: ({ view, caller }, batch, way) => storeImportBatch(view, caller, batch, way),
  }),
  importBroken: systemWrite({
    query: imports.importBroken,
    run: ({ view, caller, now }, query) => breakImport(view, caller, query, now),
  }),
  /** Syncs this commit and the commits of the import's batches, so the objects that they released can be removed. */
  endImport: removal({
    query: imports.importEnd,
    words: "Import ended",
    async run({ view, caller, unused }, query, way) {
      const ended = await endImport(view, caller, query, way);
      unused((await takeUnused(view, caller.subjectId, way.now)).names);
      return ended;
    },
  }),
  sizeUpload: systemWrite({
    query: imports.uploadSize,
    run: ({ view, caller, now }, query) => sent.sizeUpload(view, caller, query, now),
  }),
  /** The choices made for earlier imports, for a plan. The server requests them on its own, so they are not logged. */
  earlierImports: systemRead({
    query: requests.nothing,
    run: ({ view, caller }) => listImports(view, caller.subjectId),
  }),
  importTasks: systemRead({
    query: requests.nothing,
    run: ({ view, caller }) => sent.importTasks(view, caller),
  }),
  settleImport: systemWrite({
    query: imports.importSettled,
    run: ({ view, caller, now }, query) => sent.settleImport(view, caller, query, now),
  }),
};
