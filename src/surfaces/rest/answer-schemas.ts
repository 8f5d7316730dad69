// What each call of the route table answers: a schema, bytes, or nothing.
import type { z } from "zod";
import { COMPONENTS, type ComponentName } from "./components.ts";
import { matchRoute } from "./router.ts";
import type { RouteCall } from "./routes.ts";

export const ANSWERS: Record<RouteCall, ComponentName | "bytes" | "nothing"> = {
  schema: "SchemaDocument",
  streams: "StreamList",
  stream: "StreamMetadata",
  records: "RecordList",
  record: "Record",
  window: "FieldWindow",
  aggregate: "Aggregation",
  search: "SearchList",
  export: "bytes",
  createExport: "ExportJob",
  exports: "ExportJobList",
  exportJob: "ExportJob",
  exportDownload: "bytes",
  deleteExport: "nothing",
  exportHandle: "ExportHandleRead",
  exportInfo: "ExportInfo",
  blob: "bytes",
  connections: "ConnectionList",
  connectors: "ConnectorList",
  putConnector: "Connector",
  createConnection: "Connection",
  renameConnection: "Connection",
  deleteConnection: "ConnectionDeleted",
  deleteRecord: "nothing",
  ingest: "IngestReport",
  putBlob: "Blob",
  state: "StreamState",
  putState: "StreamState",
  grants: "GrantList",
  issueGrant: "IssuedGrant",
  grant: "GrantOrPackage",
  revokeGrant: "Revocation",
  activity: "ActivityList",
  why: "DenialList",
  ownerTokens: "OwnerTokenList",
  revokeOwnerToken: "Revocation",
  verifyActivity: "ActivityVerification",
  createImport: "ImportUpload",
  imports: "ImportList",
  import: "ImportOrRequest",
  importUpload: "ImportUpload",
  sendUpload: "nothing",
  planImport: "ImportPlan",
  startImport: "ImportRequest",
  pauseImport: "ImportOrRequest",
  resumeImport: "ImportRequest",
  cancelImport: "ImportOrRequest",
  undoImport: "ImportUndone",
  job: "Job",
};

export interface ExpectedAnswer {
  status: number;
  body: z.ZodType | "bytes" | "nothing";
}

/** What success looks like at an address; undefined where there is no such call. */
export function answerSchema(method: string, path: string): ExpectedAnswer | undefined {
  const match = matchRoute(method, path);
  if (match === undefined || "allow" in match) return undefined;
  const { call, status = 200 } = match.route;
  const name = ANSWERS[call as RouteCall];
  return { status, body: name === "bytes" || name === "nothing" ? name : COMPONENTS[name] };
}
