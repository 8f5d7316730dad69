// Requests about connectors and their runs, by the owner and by the process that runs them.
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

/** There is no route for this: adding a connector means running it on this machine. */
export const setupPut = z.strictObject({
  /** The connection to set up again; absent: a new one is created. */
  connection_id: name.optional(),
  display_name: name.optional(),
  place: z.string().min(1).max(4000),
  manifest: connectorManifest,
  settings,
  secrets,
  /** Secrets that were entered to test the connection, sealed by that test. */
  sealed: z.string().max(100_000).optional(),
});

/** A connector as a person names it: a built-in one by its key, others by their folder. */
export const connectorNamed = z.strictObject({ named: z.string().min(1).max(4000) });

/** Signs in with these settings and stores nothing. */
export const connectorCheck = setupPut.pick({ place: true, settings: true, secrets: true, sealed: true });

/** Omitted members stay unchanged; null removes one. */
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
  /** For credentials: seal them for the next time. */
  remember: z.boolean().optional(),
  /** The owner refuses to answer. */
  refuse: z.literal(true).optional(),
});
/** For the process that runs it; without values the owner refuses to answer. */
export const answerLeft = collectAnswer.pick({ id: true, request_id: true, values: true });
export const answersWanted = z.strictObject({ ids: z.array(name) });

/** A question of a running connector to its owner. */
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
  /** Observations of the runner. */
  remarks: z.array(z.string()),
  /** How many are not listed. */
  left_out: whole,
});

/** Identifies the process, so that the server can clean up after it. */
export const collectBegin = z.strictObject({ id: name, scratch: z.string() });
export const collectSpawned = z.strictObject({ id: name, pid: z.int() });

export const collectBatch = z.strictObject({
  id: name,
  /** RECORD messages as received, in UTF-8. */
  lines: bytes,
  /** The line number of each in the output. */
  numbers: z.array(whole),
});

export const collectNote = z.strictObject({
  id: name,
  progress: collectProgress.optional(),
  /** null: it was answered, or the run no longer waits. */
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

/** The manifest on disk, newer than the one that was set up, and without further permissions. */
export const setupRenew = z.strictObject({ connection_id: name, manifest: connectorManifest });

export const secretsKeep = z.strictObject({ connection_id: name, secrets });
