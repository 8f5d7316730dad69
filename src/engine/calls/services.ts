// The services that a serving process has besides the engine: side effects of calls, and additions to results.
import type { ExportJob } from "../../contract/answers.ts";
import type { CollectLog } from "../../contract/collect.ts";
import type { ConnectorManifest, Settings } from "../../contract/connector.ts";
import type { ImportFormat, ImportPlanRead } from "../../contract/import-upload.ts";
import type { RecognitionRead } from "../../contract/recognition.ts";
import type { SearchModelRead } from "../../contract/search-model.ts";
import type { ConnectorChecked } from "../write/connector-drafts.ts";

/** Effects that a call can have, with the type of its query. Jobs subscribe to them. */
export interface EffectQueries {
  /** The call ends tokens, sessions or grants. It returns after all running reads have finished. */
  endsAccess: unknown;
  /** Deliveries that are no longer allowed are stopped before the call returns. */
  endsEvents: unknown;
  sendsEvents: unknown;
  wakesExports: unknown;
  /** Export files that no grant covers any more are removed. */
  endsExports: unknown;
  removesExport: { id: string };
  wakesImports: unknown;
  stopsImport: { id: string };
  wakesConnectors: unknown;
  stopsConnectorRun: { id: string };
  answersConnector: ConnectorAnswer;
  removesConnector: { connection_id: string };
  wakesSchedules: unknown;
  wakesRecognition: unknown;
  /** The embedding model is changed or removed. */
  changesSearchModel: unknown;
}

export interface ConnectorAnswer {
  id: string;
  request_id: string;
  values?: Record<string, string>;
  remember?: boolean;
  refuse?: true;
}

export type Effect = keyof EffectQueries;

export type EffectHandlers = { [E in Effect]?: (query: EffectQueries[E]) => void | Promise<void> };

export interface Services {
  exports: {
    /** Throws if exports already use all the disk space that they are allowed. */
    requireRoom(): Promise<void>;
    /** Adds the progress if the export is running in this process. */
    withProgress(job: ExportJob): ExportJob;
  };
  imports: {
    formats(): Promise<ImportFormat[]>;
    plan(id: string, answers: Record<string, string>): Promise<ImportPlanRead>;
    /** Throws if files of the import are missing. */
    requireFiles(id: string): Promise<void>;
    /** Adds how much of each file has arrived. */
    withOffsets<T>(answer: T): Promise<T>;
  };
  recognition: {
    /** Adds whether the packages are installed, and how to install them. */
    withInstalled(state: RecognitionRead): RecognitionRead;
  };
  meaning: {
    /** Adds the endpoint's error, if there is one. */
    withProgress(read: SearchModelRead): SearchModelRead;
  };
  connectors: {
    /** The progress of a run. Undefined if the stored state is complete. */
    liveLog(id: string): Promise<CollectLog | undefined>;
    /** Finds a connector on this machine by the name that a person typed. */
    locate(named: string): Promise<{ place: string; manifest: ConnectorManifest }>;
    /** Signs in to check the settings, and stores nothing. */
    check(
      place: string,
      settings: Settings,
      secrets: Record<string, string>,
    ): Promise<Pick<ConnectorChecked, "status" | "message">>;
  };
}
