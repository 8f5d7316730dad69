// The connectors that are set up here, their runs, and the run reports, as returned to readers.
import { z } from "zod";
import { collectMode, collectProgress, collectQuestion, collectReason, collectReport } from "./collect-request.ts";
import { connectorBindings, connectorSetting, settingValue } from "./connector.ts";
import { count } from "./list.ts";
import { timestamp } from "./timestamp.ts";

/** A run writes these, and readers get them unchanged. */
export { collectQuestion, collectReport };

export const collectCounts = z.strictObject({
  /** Records that the connector delivered. */
  received: count,
  created: count,
  changed: count,
  unchanged: count,
  deleted: count,
  rejected: count,
});

/** The reason why a run did not succeed. */
const collectErrorCode = z.enum([
  /** The connector reported the failure itself. */
  "connector_failed",
  /** The connector ended without a message. */
  "crashed",
  /** The connector broke the protocol; `line` is the line where it did. */
  "protocol_error",
  "timeout",
  "resource_limit",
  "too_many_rejects",
  /** The connector was not started, because a binding, a setting or one of its files is missing. */
  "not_ready",
  /** The server or the command that ran the connector stopped. */
  "interrupted",
  "cancelled",
  /** The records could not be stored. This is not the connector's fault. */
  "not_stored",
]);

export const collectError = z.strictObject({
  code: collectErrorCode,
  message: z.string(),
  /** The line of the connector's output, counted from 1. */
  line: z.int().optional(),
});

export const collectRun = z.strictObject({
  object: z.literal("collect_run"),
  run_id: z.string(),
  connection_id: z.string(),
  connector_key: z.string(),
  /** The version of the connector. */
  connector: z.string(),
  status: z.enum(["queued", "running", "succeeded", "failed", "cancelled"]),
  mode: collectMode,
  reason: collectReason,
  started_at: timestamp,
  updated_at: timestamp,
  ended_at: timestamp.optional(),
  counts: collectCounts,
  streams: z.record(z.string(), collectCounts),
  progress: collectProgress.optional(),
  question: collectQuestion.optional(),
  error: collectError.optional(),
  /** The first rejections; there can be more. */
  rejections: z.array(
    z.strictObject({ line: z.int(), stream: z.string().optional(), code: z.string(), message: z.string() }),
  ),
  report: collectReport,
  /** Streams whose cursors were stored. */
  states: z.array(z.string()),
});

export const collectLog = z.strictObject({
  object: z.literal("collect_log"),
  run_id: z.string(),
  /** The end of the connector's standard error output. */
  text: z.string(),
  /** True if the beginning was cut off. */
  truncated: z.boolean(),
});

export const connectorSetup = z.strictObject({
  object: z.literal("connector_setup"),
  connection_id: z.string(),
  display_name: z.string(),
  connector_key: z.string(),
  version: z.string(),
  /** The connector's folder on this machine, or `built-in`. */
  place: z.string(),
  bindings: connectorBindings,
  settings: z.array(
    connectorSetting.extend({
      /** The current value; never present for a secret. */
      value: settingValue.optional(),
      /** True if the setting has a value. */
      set: z.boolean(),
    }),
  ),
  /** True if a run is waiting for the owner's answer. */
  needs_you: z.boolean(),
  last_run: collectRun.optional(),
  /** Secrets that were discarded because, after this change, the connector would send them to another server. */
  discarded_secrets: z.array(z.string()).optional(),
});

export const connectorSetupRemoved = z.strictObject({
  object: z.literal("connector_setup"),
  connection_id: z.string(),
  deleted: z.literal(true),
});

export type CollectQuestion = z.infer<typeof collectQuestion>;
export type CollectError = z.infer<typeof collectError>;
export type CollectReport = z.infer<typeof collectReport>;
export type CollectRun = z.infer<typeof collectRun>;
export type CollectLog = z.infer<typeof collectLog>;
export type ConnectorSetup = z.infer<typeof connectorSetup>;
export type ConnectorSetupRemoved = z.infer<typeof connectorSetupRemoved>;
