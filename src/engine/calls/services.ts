// The services of a serving process besides the engine: effects of calls there, and their additions to answers.
import type { ExportJob } from "../../contract/answers.ts";
import type { CollectLog } from "../../contract/collect.ts";
import type { ConnectorManifest, Settings } from "../../contract/connector.ts";
import type { ImportFormat, ImportPlanRead } from "../../contract/import-upload.ts";
import type { RecognitionRead } from "../../contract/recognition.ts";
import type { SearchModelRead } from "../../contract/search-model.ts";
import type { ConnectorChecked } from "../write/connector-drafts.ts";

/** Effects that may follow from a call, by its query. Jobs subscribe to these. */
export interface EffectQueries {
  /** Ends tokens, sessions or grants. The call is answered after all running reads have finished. */
  endsAccess: unknown;
  /** Stops the deliveries that are no longer allowed before the call is answered. */
  endsEvents: unknown;
  sendsEvents: unknown;
  wakesExports: unknown;
  /** Removes export files that no grant covers any more. */
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
  /** Changes or removes the embedding model. */
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
    /** Refuses when exports already use all the disk space they may. */
    requireRoom(): Promise<void>;
    /** Adds the progress, if it runs here. */
    withProgress(job: ExportJob): ExportJob;
  };
  imports: {
    formats(): Promise<ImportFormat[]>;
    plan(id: string, answers: Record<string, string>): Promise<ImportPlanRead>;
    /** Refuses when files of the import are missing. */
    requireFiles(id: string): Promise<void>;
    /** Adds how much of each file has arrived. */
    withOffsets<T>(answer: T): Promise<T>;
  };
  recognition: {
    /** Adds whether the packages are installed, and how to add them. */
    withInstalled(state: RecognitionRead): RecognitionRead;
  };
  meaning: {
    /** Adds the failure of the endpoint, if there is one. */
    withProgress(read: SearchModelRead): SearchModelRead;
  };
  connectors: {
    /** Progress of a run; undefined: the stored state is complete. */
    liveLog(id: string): Promise<CollectLog | undefined>;
    /** A connector on this machine, by the name that a person typed. */
    locate(named: string): Promise<{ place: string; manifest: ConnectorManifest }>;
    /** Signs in and stores nothing. */
    check(
      place: string,
      settings: Settings,
      secrets: Record<string, string>,
    ): Promise<Pick<ConnectorChecked, "status" | "message">>;
  };
}
