// The contract's schemas by the names they have in the OpenAPI document.
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { activity, activityDays, activityList, activityVerification, denial } from "../../contract/activity.ts";
import { aggregation, aggregationGroup } from "../../contract/aggregation.ts";
import { bearer } from "../../contract/bearer.ts";
import { storedBlob } from "../../contract/blob.ts";
import { expandCapability, fieldCapability } from "../../contract/capability.ts";
import * as collect from "../../contract/collect.ts";
import { connectionDeleted, connectionRead, connectorRead } from "../../contract/connection.ts";
import { sourceDeclaration, streamDeclaration } from "../../contract/declaration.ts";
import { errorAnswer } from "../../contract/error-body.ts";
import * as events from "../../contract/event-answers.ts";
import { exportHandleRead, exportInfo, exportJob } from "../../contract/export.ts";
import { fieldWindow } from "../../contract/field-window.ts";
import * as files from "../../contract/file-answers.ts";
import * as reports from "../../contract/file-report-answers.ts";
import {
  grant,
  grantPackage,
  grantSummary,
  grantUse,
  grantWords,
  issuedGrant,
  revocation,
} from "../../contract/grant.ts";
import { exportHandle, recordHandle, windowHandle } from "../../contract/handle-text.ts";
import { importJob, importUndone } from "../../contract/import.ts";
import { importPlanRead, importRequest, importUpload } from "../../contract/import-upload.ts";
import { listOf, warning } from "../../contract/list.ts";
import { liveness, notReady, ready } from "../../contract/operations.ts";
import { ownerToken } from "../../contract/owner-token.ts";
import * as records from "../../contract/record.ts";
import * as schedules from "../../contract/schedule.ts";
import { schemaConnector, schemaDocument, streamIndexRow, streamMetadata } from "../../contract/schema-document.ts";
import { evidenceExcerpt, searchList, searchResult, sourceMix } from "../../contract/search.ts";
import { source } from "../../contract/source.ts";
import { streamState } from "../../contract/state.ts";
import { streamSummary } from "../../contract/stream.ts";
import { timestamp } from "../../contract/timestamp.ts";
import { asked, grantLine, why } from "../../contract/why.ts";

export const COMPONENTS = {
  Activity: activity,
  ActivityDays: activityDays,
  ActivityList: activityList,
  ActivityVerification: activityVerification,
  Aggregation: aggregation,
  AggregationGroup: aggregationGroup,
  Asked: asked,
  Bearer: bearer,
  Blob: storedBlob,
  CollectCounts: collect.collectCounts,
  CollectError: collect.collectError,
  CollectLog: collect.collectLog,
  CollectQuestion: collect.collectQuestion,
  CollectReport: collect.collectReport,
  CollectRun: collect.collectRun,
  CollectRunList: listOf(collect.collectRun),
  Connection: connectionRead,
  ConnectionDeleted: connectionDeleted,
  ConnectionList: listOf(connectionRead),
  Connector: connectorRead,
  ConnectorList: listOf(connectorRead),
  ConnectorSetup: collect.connectorSetup,
  ConnectorSetupList: listOf(collect.connectorSetup),
  ConnectorSetupRemoved: collect.connectorSetupRemoved,
  Denial: denial,
  DenialList: listOf(denial),
  Error: errorAnswer,
  EventCapabilities: events.eventCapabilities,
  EventDelivery: events.eventDelivery,
  EventDeliveryList: listOf(events.eventDelivery),
  EventHost: events.eventHost,
  EventHostList: listOf(events.eventHost),
  EventHostRemoved: events.eventHostRemoved,
  EventReplay: events.eventReplay,
  EventSubscription: events.eventSubscription,
  EventSubscriptionCreated: events.createdSubscription,
  EventSubscriptionList: listOf(events.eventSubscription),
  EvidenceExcerpt: evidenceExcerpt,
  ExpandCapability: expandCapability,
  ExpandedRelation: records.expandedRelation,
  ExportHandle: exportHandle,
  ExportHandleRead: exportHandleRead,
  ExportInfo: exportInfo,
  ExportJob: exportJob,
  ExportJobList: listOf(exportJob),
  FieldCapability: fieldCapability,
  FieldWindow: fieldWindow,
  FileAges: reports.fileAges,
  FileDetail: files.fileNodeExtended,
  FileDuplicates: reports.fileDuplicates,
  FileEntries: reports.fileEntries,
  FileEntry: files.fileEntry,
  FileExplanation: reports.explanation,
  FileFilter: reports.fileFilter,
  FileFilterPlan: reports.filterPlan,
  FileFound: reports.foundNodes,
  FileGrowth: reports.fileGrowth,
  FileIndex: files.fileIndexRead,
  FileIndexList: files.fileIndexList,
  FileIndexRemoved: files.fileIndexRemoved,
  FileJob: files.fileJobRead,
  FileJobStarted: files.scanStarted,
  FileNode: files.fileNodeRead,
  FileProblems: reports.fileProblems,
  FileRoot: files.fileRootRead,
  FileRootList: files.fileRootList,
  FileRootRemoved: files.fileRootRemoved,
  FileScan: reports.fileScan,
  FileScans: reports.fileScans,
  FileSession: reports.fileSession,
  FileTotals: files.fileTotals,
  FileTree: files.fileTree,
  FileTypes: reports.fileTypes,
  Grant: grant,
  GrantLine: grantLine,
  GrantList: listOf(grantSummary),
  GrantOrPackage: z.union([grantSummary, grantPackage]),
  GrantPackage: grantPackage,
  GrantSummary: grantSummary,
  GrantUse: grantUse,
  GrantWords: grantWords,
  Import: importJob,
  ImportList: listOf(importJob),
  ImportOrRequest: z.union([importJob, importRequest]),
  ImportPlan: importPlanRead,
  ImportRequest: importRequest,
  ImportUndone: importUndone,
  ImportUpload: importUpload,
  IngestReport: records.ingestReport,
  IssuedGrant: issuedGrant,
  Job: z.union([importJob, importRequest, exportJob, collect.collectRun, files.fileJobRead]),
  Liveness: liveness,
  NotReady: notReady,
  OwnerToken: ownerToken,
  OwnerTokenList: listOf(ownerToken),
  Provenance: records.provenance,
  QueryRun: reports.queryRun,
  Ready: ready,
  Record: records.recordRead,
  RecordHandle: recordHandle,
  RecordInput: records.recordInput,
  RecordList: records.recordList,
  Rejection: records.rejection,
  RelatedRecord: records.relatedRecord,
  ResourceSet: reports.resourceSet,
  ResourceSetEntries: reports.resourceSetEntries,
  ResourceSetList: reports.resourceSetList,
  ResourceSetRemoved: reports.resourceSetRemoved,
  Revocation: revocation,
  Schedule: schedules.scheduleRead,
  ScheduleDeleted: schedules.scheduleDeleted,
  ScheduleList: listOf(schedules.scheduleRead),
  SavedQuery: reports.savedQuery,
  SavedQueryList: reports.savedQueryList,
  SavedQueryRemoved: reports.savedQueryRemoved,
  SchemaConnector: schemaConnector,
  SchemaDocument: schemaDocument,
  SearchList: searchList,
  SearchResult: searchResult,
  Source: source,
  SourceDeclaration: sourceDeclaration,
  SourceMix: sourceMix,
  Stream: streamSummary,
  StreamDeclaration: streamDeclaration,
  StreamIndexRow: streamIndexRow,
  StreamList: listOf(streamSummary),
  StreamMetadata: streamMetadata,
  StreamState: streamState,
  Timestamp: timestamp,
  Tombstone: records.tombstone,
  Warning: warning,
  Why: why,
  WindowHandle: windowHandle,
} as const satisfies Record<string, z.ZodType>;

export type ComponentName = keyof typeof COMPONENTS;

export const referTo = (name: ComponentName) => ({ $ref: `#/components/schemas/${name}` });

/** Each once, referring to one another by name. */
export function componentSchemas(): Record<string, object> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(COMPONENTS)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    uri: (id) => `#/components/schemas/${id}`,
    unrepresentable: "any",
    override({ jsonSchema }) {
      // True of every integer and every name in JSON; of no use to a reader.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (isDeepStrictEqual(jsonSchema.propertyNames, { type: "string" })) delete jsonSchema.propertyNames;
    },
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _dialect, $id: _id, ...schema }]) => [name, schema]),
  );
}
