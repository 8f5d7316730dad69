// The contract's schemas by their names in the OpenAPI document. Each call refers to its response schema by one of
// these names.
import { z } from "zod";
import {
  activity,
  activityDays,
  activityList,
  activityVerification,
  activityVerificationProgress,
  denial,
} from "./activity.ts";
import { aggregation, aggregationGroup } from "./aggregation.ts";
import { bearer } from "./bearer.ts";
import { storedBlob } from "./blob.ts";
import { expandCapability, fieldCapability } from "./capability.ts";
import * as collect from "./collect.ts";
import { connectionDeleted, connectionRead, connectorRead } from "./connection.ts";
import { sourceDeclaration, streamDeclaration } from "./declaration.ts";
import { errorAnswer } from "./error-body.ts";
import * as events from "./event-answers.ts";
import { exportHandleRead, exportInfo, exportJob } from "./export.ts";
import { fieldWindow } from "./field-window.ts";
import * as files from "./file-answers.ts";
import * as reports from "./file-report-answers.ts";
import {
  grant,
  grantChange,
  grantPackage,
  grantSummary,
  grantUse,
  grantWords,
  issuedGrant,
  revocation,
} from "./grant.ts";
import { exportHandle, recordHandle, windowHandle } from "./handle-text.ts";
import { importJob, importUndone } from "./import.ts";
import { importPlanRead, importRequest, importUpload } from "./import-upload.ts";
import { listOf, warning } from "./list.ts";
import { me } from "./me.ts";
import { liveness, notReady, ready } from "./operations.ts";
import { ownerToken } from "./owner-token.ts";
import { peopleDecisions, personList, personRead } from "./person.ts";
import { recognitionRead } from "./recognition.ts";
import * as records from "./record.ts";
import * as schedules from "./schedule.ts";
import { schemaConnector, schemaDocument, streamIndexRow, streamMetadata } from "./schema-document.ts";
import { evidenceExcerpt, searchList, searchResult, sourceMix } from "./search.ts";
import { searchModel } from "./search-model.ts";
import { signedLink } from "./signed-link.ts";
import { source } from "./source.ts";
import { streamState } from "./state.ts";
import { streamSummary } from "./stream.ts";
import { timelineCounts } from "./timeline-counts.ts";
import { timestamp } from "./timestamp.ts";
import { asked, grantLine, why } from "./why.ts";

export const COMPONENTS = {
  Activity: activity,
  ActivityDays: activityDays,
  ActivityList: activityList,
  ActivityVerification: activityVerification,
  ActivityVerificationProgress: activityVerificationProgress,
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
  Me: me,
  NotReady: notReady,
  OwnerToken: ownerToken,
  OwnerTokenList: listOf(ownerToken),
  Provenance: records.provenance,
  QueryRun: reports.queryRun,
  Ready: ready,
  PeopleDecisions: peopleDecisions,
  Person: personRead,
  PersonList: personList,
  CutText: records.cutText,
  Recognition: recognitionRead,
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
  GrantChange: grantChange,
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
  SearchModel: searchModel,
  SearchResult: searchResult,
  SignedLink: signedLink,
  Source: source,
  SourceDeclaration: sourceDeclaration,
  SourceMix: sourceMix,
  Stream: streamSummary,
  StreamDeclaration: streamDeclaration,
  StreamIndexRow: streamIndexRow,
  StreamList: listOf(streamSummary),
  StreamMetadata: streamMetadata,
  StreamState: streamState,
  TimelineCounts: timelineCounts,
  Timestamp: timestamp,
  Tombstone: records.tombstone,
  Warning: warning,
  Why: why,
  WindowHandle: windowHandle,
} as const satisfies Record<string, z.ZodType>;

export type ComponentName = keyof typeof COMPONENTS;

export type Component<N extends ComponentName> = z.output<(typeof COMPONENTS)[N]>;
