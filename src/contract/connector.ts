// Connector manifests: the program that collects from a source, what it declares, and what it needs from this machine
// and its owner.
import { z } from "zod";
import { sourceDeclaration } from "./declaration.ts";
import { NAME_MAX } from "./limits.ts";

const name = z.string().min(1).max(NAME_MAX);
const setting = z.string().regex(/^[a-z][a-z0-9_]{0,62}$/, "a short name: a-z, 0-9 and _");

/**
 * A capability of a connector. A connector gets only the capabilities in its manifest, and START lists them. It is not
 * started if a required one is missing.
 */
const binding = z.strictObject({
  required: z.boolean(),
  /** The reason, worded for the owner. */
  reason: z.string().max(500).optional(),
});

export const connectorBindings = z.strictObject({
  network: binding.extend({ hosts: z.array(z.string().min(1).max(300)).max(50).optional() }).optional(),
  filesystem: binding.extend({ paths: z.array(z.string().min(1).max(2000)).max(50).optional() }).optional(),
  /** The connector can ask the owner questions while it runs. */
  interactive: binding.optional(),
  browser_automation: binding.optional(),
  browser_profile: binding.optional(),
  loopback_listen: binding.optional(),
});

export const settingValue = z.union([z.string().max(10_000), z.int(), z.boolean()]);

export const connectorSetting = z.strictObject({
  name: setting,
  title: name,
  description: z.string().max(2000).optional(),
  type: z.enum(["string", "integer", "boolean"]),
  required: z.boolean().optional(),
  default: settingValue.optional(),
  /** The allowed values with their labels; forms offer these. */
  choices: z
    .array(z.strictObject({ value: z.string().max(200), title: name }))
    .min(1)
    .max(50)
    .optional(),
  /** A secret is stored sealed, never shown again, and passed to the connector only when it requests credentials. */
  secret: z.literal(true).optional(),
});

const seconds = z.int().min(1);

export const connectorManifest = z.strictObject({
  manifest_version: z.literal(1),
  connector_key: z.string().regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, "a short name: a-z, 0-9, _ and -"),
  display_name: name,
  version: name,
  /**
   * The program and its arguments. `node` is the Node that runs the server; file names are relative to the manifest.
   */
  command: z.array(z.string().min(1).max(4000)).min(1).max(50),
  declaration: sourceDeclaration,
  bindings: connectorBindings,
  /**
   * Set if the connector supports the collection mode `check`, in which it signs in, reports what it finds in a
   * PROGRESS message, and reads no records.
   */
  check: z.literal(true).optional(),
  settings: z.array(connectorSetting).max(100).optional(),
  /** A stream's cursor is stored only together with the cursors of the streams that it depends on. */
  checkpoints: z.record(name, z.strictObject({ after: z.array(name).max(200) })).optional(),
  /** These limits can only be lower than the general limits for connectors. */
  limits: z
    .strictObject({
      start_seconds: seconds.optional(),
      silence_seconds: seconds.optional(),
      run_seconds: seconds.optional(),
      records: z.int().min(1).optional(),
      rejects: z.int().min(0).optional(),
    })
    .optional(),
});

export type ConnectorManifest = z.infer<typeof connectorManifest>;
export type ConnectorBindings = z.infer<typeof connectorBindings>;
export type ConnectorSetting = z.infer<typeof connectorSetting>;
export type BindingName = keyof ConnectorBindings;
export type SettingValue = z.infer<typeof settingValue>;
export type Settings = Record<string, SettingValue>;
