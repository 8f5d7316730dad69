// Requests about connectors and their runs, from the owner and from the process that runs the connectors.
import { z } from "zod";
import { connectorManifest, settingValue } from "./connector.ts";
import { jsonValue } from "./json.ts";
import { NAME_MAX } from "./limits.ts";
import { timestamp } from "./timestamp.ts";

const name = z.string().min(1).max(NAME_MAX);
const whole = z.int().min(0);
const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);
const settings = z.record(name, settingValue);
const secrets = z.record(name, z.string().max(10_000));

/** There is no HTTP route for this, because adding a connector means running it on this machine. */
export const setupPut = z.strictObject({
  /** The connection to set up again. If absent, a new connection is created. */
  connection_id: name.optional(),
  display_name: name.optional(),
  place: z.string().min(1).max(4000),
  manifest: connectorManifest,
  settings,
  secrets,
  /** Secrets that were entered to test the connection; the test has sealed them. */
  sealed: z.string().max(100_000).optional(),
});

/** A connector as a person refers to it: a built-in one by its key, any other by its folder. */
export const connectorNamed = z.strictObject({ named: z.string().min(1).max(4000) });

/** Signs in with these settings and stores nothing. */
export const connectorCheck = setupPut.pick({ place: true, settings: true, secrets: true, sealed: true });

/** Omitted settings stay unchanged; null removes a setting. */
export const settingsPut = z.strictObject({
  connection_id: name,
  settings: z.record(name, settingValue.nullable()).optional(),
  secrets: z.record(name, z.string().max(10_000).nullable()).optional(),
});

export const collectMode = z.enum(["incremental", "full_refresh"]);
export const collectReason = z.enum(["manual", "schedule"]);

export const collectStart = z.strictObject({
  connection_id: name,
  mode: collectMode.optional(),
  reason: collectReason.optional(),
});

export const collectAnswer = z.strictObject({
  id: name,
  request_id: name,
  values: z.record(name, z.string().max(10_000)).optional(),
  /** Credentials only: if true, they are sealed and kept for the next run. */
  remember: z.boolean().optional(),
  /** Set if the owner refuses to answer. */
  refuse: z.literal(true).optional(),
});
/** The answer for the process that runs the connector. If `values` is absent, the owner refused to answer. */
export const answerLeft = collectAnswer.pick({ id: true, request_id: true, values: true });
export const answersWanted = z.strictObject({ ids: z.array(name) });

/** A question from a running connector to the owner. */
export const collectQuestion = z.strictObject({
  request_id: z.string(),
  kind: z.enum(["credentials", "otp", "manual_action"]),
  message: z.string(),
  fields: z.array(z.strictObject({ name: z.string(), title: z.string(), required: z.boolean(), secret: z.boolean() })),
  asked_at: timestamp,
  expires_at: timestamp,
});

/** The progress of a run. */
export const collectProgress = z.strictObject({
  message: z.string(),
  stream: z.string().optional(),
  count: z.number().optional(),
  total: z.number().optional(),
});

/** A connector's report of something that it skipped. */
const streamNote = z.strictObject({ stream: z.string().optional(), text: z.string() });

export const collectReport = z.strictObject({
  skipped: z.array(streamNote),
  coverage: z.array(streamNote),
  gaps: z.array(streamNote),
  /** Observations made by the runner. */
  remarks: z.array(z.string()),
  /** How many notes are not listed. */
  left_out: whole,
});

/** Identifies the process, so that the server can clean up after it. */
export const collectBegin = z.strictObject({ id: name, scratch: z.string() });
export const collectSpawned = z.strictObject({ id: name, pid: z.int() });

export const collectBatch = z.strictObject({
  id: name,
  /** RECORD messages as received, in UTF-8. */
  lines: bytes,
  /** The line number of each message in the connector's output. */
  numbers: z.array(whole),
});

export const collectNote = z.strictObject({
  id: name,
  progress: collectProgress.optional(),
  /** Null if the question was answered or the run no longer waits for it. */
  question: collectQuestion.nullable().optional(),
});

export const collectEnd = z.strictObject({
  id: name,
  status: z.enum(["succeeded", "failed", "cancelled"]),
  error: z.strictObject({ code: name, message: z.string(), line: z.int().optional() }).optional(),
  /** Cursors to store in the same write; empty unless the run succeeded. */
  states: z.record(name, jsonValue),
  report: collectReport,
  log: z.strictObject({ text: z.string(), truncated: z.boolean() }),
});

/** A manifest on disk that is newer than the one that was set up and requests no further permissions. */
export const setupRenew = z.strictObject({ connection_id: name, manifest: connectorManifest });

export const secretsKeep = z.strictObject({ connection_id: name, secrets });
