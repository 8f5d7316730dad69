// Grants: what the owner approved for one client on one source, fully resolved and immutable; packages of them.
import { z } from "zod";
import { GRANT_VERSION, NAME_MAX } from "./limits.ts";
import { source } from "./source.ts";
import { timestamp } from "./timestamp.ts";

const grantedStream = z.strictObject({
  name: z.string().min(1).max(NAME_MAX),
  /** The connections it reads. Never empty: an omitted list never means "all". */
  instance_ids: z.array(z.string()).min(1),
  fields: z.array(z.string()).min(1),
  /** since is inclusive, until exclusive. */
  time_constraint: z
    .strictObject({ field: z.string(), since: timestamp.optional(), until: timestamp.optional() })
    .optional(),
  /** Record ids; absent means every record. */
  resources: z.array(z.string()).optional(),
});

export const grant = z.strictObject({
  version: z.literal(GRANT_VERSION),
  grant_id: z.string(),
  issued_at: timestamp,
  subject: z.strictObject({ id: z.string() }),
  client: z.strictObject({ client_id: z.string(), client_display: z.strictObject({ name: z.string() }).optional() }),
  source,
  source_declaration: z.strictObject({ version: z.string() }),
  purpose_code: z.string(),
  purpose_description: z.string().optional(),
  access_mode: z.enum(["single_use", "continuous"]),
  streams: z.array(grantedStream).min(1),
  selection_preset: z.string().optional(),
  retention: z.unknown().optional(),
  expires_at: timestamp.optional(),
});

/** A token over one grant has grant_id, over several grant_package_id. */
export const issuedGrant = z.strictObject({
  access_token: z.string(),
  token_type: z.literal("Bearer"),
  grant_id: z.string().optional(),
  grant_package_id: z.string().optional(),
  grants: z.array(grant).min(1),
  expires_at: timestamp.optional(),
});

const grantStatus = z.enum(["active", "revoked", "expired", "consumed"]);

export const grantSummary = z.strictObject({
  object: z.literal("grant"),
  grant,
  status: grantStatus,
  grant_package_id: z.string().optional(),
  revoked_at: timestamp.optional(),
  last_used_at: timestamp.optional(),
});

/** Several grants approved together, one token. */
export const grantPackage = z.strictObject({
  object: z.literal("grant_package"),
  grant_package_id: z.string(),
  grants: z.array(grantSummary).min(1),
});

export const revocation = z.strictObject({
  object: z.literal("revocation"),
  /** Of the grant or the package. */
  id: z.string(),
  revoked: z.array(z.string()).min(1),
  revoked_at: timestamp,
});

export type Grant = z.infer<typeof grant>;
export type GrantedStream = z.infer<typeof grantedStream>;
export type IssuedGrant = z.infer<typeof issuedGrant>;
export type GrantStatus = z.infer<typeof grantStatus>;
export type GrantSummary = z.infer<typeof grantSummary>;
export type GrantPackage = z.infer<typeof grantPackage>;
export type Revocation = z.infer<typeof revocation>;
