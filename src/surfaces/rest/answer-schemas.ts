// What each call of the route tables answers: a schema, bytes, or nothing.
import type { z } from "zod";
import { type FileRouteCall, matchFileRoute } from "../files/routes.ts";
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
  activityDays: "ActivityDays",
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
  connectorSetups: "ConnectorSetupList",
  connectorSetup: "ConnectorSetup",
  removeSetup: "ConnectorSetupRemoved",
  putSettings: "ConnectorSetup",
  startCollect: "CollectRun",
  collectRuns: "CollectRunList",
  collectRun: "CollectRun",
  collectLog: "CollectLog",
  cancelCollect: "CollectRun",
  answerCollect: "CollectRun",
  schedules: "ScheduleList",
  schedule: "Schedule",
  watchFolder: "Schedule",
  putSchedule: "Schedule",
  runSchedule: "Schedule",
  pauseSchedule: "Schedule",
  resumeSchedule: "Schedule",
  deleteSchedule: "ScheduleDeleted",
  eventCapabilities: "EventCapabilities",
  eventSubscriptions: "EventSubscriptionList",
  createSubscription: "EventSubscriptionCreated",
  eventSubscription: "EventSubscription",
  changeSubscription: "EventSubscription",
  deleteSubscription: "nothing",
  verifySubscription: "EventDelivery",
  testSubscription: "EventDelivery",
  rotateSubscriptionSecret: "EventSubscriptionCreated",
  replayEvents: "EventReplay",
  eventDeliveries: "EventDeliveryList",
  eventHosts: "EventHostList",
  allowEventHost: "EventHost",
  disallowEventHost: "EventHostRemoved",
};

export const FILE_ANSWERS: Record<FileRouteCall, ComponentName | "bytes"> = {
  fileRoots: "FileRootList",
  addFileRoot: "FileRoot",
  fileRoot: "FileRoot",
  changeFileRoot: "FileRoot",
  removeFileRoot: "FileRootRemoved",
  fileSession: "FileSession",
  fileIndexes: "FileIndexList",
  startIndex: "FileJobStarted",
  fileIndex: "FileIndex",
  removeIndex: "FileIndexRemoved",
  fileScans: "FileScans",
  startScan: "FileJobStarted",
  startDigests: "FileJobStarted",
  pauseJob: "FileJob",
  resumeJob: "FileJob",
  cancelJob: "FileJob",
  fileTree: "FileTree",
  fileNode: "FileNode",
  fileDetail: "FileDetail",
  fileDownload: "bytes",
  findFiles: "FileFound",
  findFilesByBody: "FileFound",
  reportLargest: "FileEntries",
  reportLargestDirs: "FileEntries",
  reportOldest: "FileEntries",
  reportNewest: "FileEntries",
  reportTypes: "FileTypes",
  reportAges: "FileAges",
  reportDuplicates: "FileDuplicates",
  reportGrowth: "FileGrowth",
  reportProblems: "FileProblems",
  createResourceSet: "ResourceSet",
  resourceSets: "ResourceSetList",
  resourceSet: "ResourceSet",
  changeResourceSet: "ResourceSet",
  deleteResourceSet: "ResourceSetRemoved",
  resourceSetEntries: "ResourceSetEntries",
  createQuery: "QueryRun",
  queries: "SavedQueryList",
  query: "SavedQuery",
  runQuery: "QueryRun",
  deleteQuery: "SavedQueryRemoved",
};

export interface ExpectedAnswer {
  status: number;
  body: z.ZodType | "bytes" | "nothing";
}

/** What success looks like at an address; undefined where there is no such call. */
export function answerSchema(method: string, { pathname, searchParams }: URL): ExpectedAnswer | undefined {
  const match = matchRoute(method, pathname);
  if (match === undefined) return fileAnswerSchema(method, pathname, searchParams.get("format") ?? "json");
  if ("allow" in match) return undefined;
  const { call, status = 200 } = match.route;
  return { status, body: bodyOf(ANSWERS[call as RouteCall]) };
}

function fileAnswerSchema(method: string, path: string, format: string): ExpectedAnswer | undefined {
  const match = matchFileRoute(method, path);
  if (match === undefined || "allow" in match) return undefined;
  const { call, status = 200 } = match.route;
  if (format === "explain") return { status: 200, body: COMPONENTS.FileExplanation };
  if (format !== "json") return { status: 200, body: "bytes" };
  return { status, body: bodyOf(FILE_ANSWERS[call as FileRouteCall]) };
}

const bodyOf = (name: ComponentName | "bytes" | "nothing"): ExpectedAnswer["body"] =>
  name === "bytes" || name === "nothing" ? name : COMPONENTS[name];
