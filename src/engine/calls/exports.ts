// Engine calls for exports, which are streamed or made by a job that creates a file to download.
import * as queries from "../../contract/read.ts";
import * as requests from "../../contract/write.ts";
import { readExportHandle, readExportInfo } from "../export/info.ts";
import * as jobs from "../export/jobs.ts";
import * as pages from "../export/page.ts";
import { read, systemRead, systemWrite, write } from "./define.ts";

export const EXPORT_CALLS = {
  /** Writes the audit entry before the first byte of an export. */
  export: read({
    query: queries.exportFileQuery,
    lane: "scans",
    route: {
      method: "GET",
      path: "/v1/export",
      summary: "Records as a file, streamed: JSON lines, CSV or Parquet",
      streams: "export",
    },
    words: "Exported",
    run: pages.openExport,
  }),
  exportHandle: read({
    query: queries.exportQuery,
    answer: "ExportHandleRead",
    route: { method: "GET", path: "/v1/export/handle", summary: "A handle for an export query" },
    words: "Asked about an export",
    run: readExportHandle,
  }),
  exportInfo: read({
    query: queries.exportQuery,
    answer: "ExportInfo",
    lane: "scans",
    route: {
      method: "GET",
      path: "/v1/export/info",
      summary: "The contents and size of an export, and how to get it; starts nothing",
    },
    words: "Asked about an export",
    run: readExportInfo,
  }),
  createExport: write({
    query: queries.exportFileQuery,
    answer: "ExportJob",
    route: {
      method: "POST",
      path: "/v1/exports",
      summary: "Create an export as a job: a file with a digest and a resumable download",
      body: "merge",
      status: 202,
    },
    words: "Started an export",
    before: ({ exports }) => exports.requireRoom(),
    effects: ["wakesExports"],
    run: jobs.createExport,
  }),
  exports: read({
    query: requests.nothing,
    answer: "ExportJobList",
    route: {
      method: "GET",
      path: "/v1/exports",
      summary: "Exports created under this grant; the owner sees all",
    },
    words: "Listed exports",
    complete: ({ exports }, list) => ({ ...list, data: list.data.map((job) => exports.withProgress(job)) }),
    run: jobs.readExports,
  }),
  exportJob: read({
    query: requests.byId,
    answer: "ExportJob",
    route: { method: "GET", path: "/v1/exports/{id}", summary: "Progress of an export" },
    words: "Looked at an export",
    complete: ({ exports }, job) => exports.withProgress(job),
    run: jobs.readExportJob,
  }),
  exportDownload: read({
    query: requests.byId,
    route: {
      method: "GET",
      path: "/v1/exports/{id}/download",
      summary: "An export's file",
      streams: "export-download",
    },
    words: "Downloaded an export",
    run: jobs.openExportFile,
  }),
  /** Checks that a running download may continue. It reads nothing new, so only a refusal is logged. */
  exportAllowed: read({
    query: requests.byId,
    run: async (context, query) => ({ ...(await jobs.openExportFile(context, query)), reads: [] }),
  }),
  deleteExport: write({
    query: requests.byId,
    route: {
      method: "DELETE",
      path: "/v1/exports/{id}",
      summary: "Stop an export and remove its file",
      status: 204,
    },
    words: "Deleted an export",
    effects: ["removesExport"],
    run: jobs.deleteExport,
  }),
  /** Like `export`, but for a stored file: nothing counts as read until it is downloaded. */
  exportFile: read({
    query: queries.exportFileQuery,
    lane: "scans",
    run: async (context, query) => ({ ...(await pages.openExport(context, query)), reads: [] }),
  }),
  /** Pages of a thousand rows run in the scan lane, so that reading one record does not wait behind them. */
  exportPage: read({ query: pages.exportPageQuery, lane: "scans", run: pages.readExportPage }),
  exportServed: read({
    query: pages.exportServed,
    words: "Export delivered",
    tells: true,
    run: pages.tellExportServed,
  }),
  exportTasks: systemRead({ query: requests.nothing, run: jobs.readExportTasks }),
  settleExport: systemWrite({ query: jobs.exportSettled, run: jobs.settleExport }),
  dropExport: systemWrite({ query: requests.byId, run: jobs.deleteExport }),
};
