// Grants: what the owner approved for one client on one source, fully resolved and immutable; packages of them.
import { z } from "zod";
import { GRANT_VERSION, NAME_MAX } from "./limits.ts";

const timestamp = z.iso.datetime({ offset: true });

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
  source: z.strictObject({ kind: z.enum(["connector", "provider_native"]), id: z.string() }),
  source_declaration: z.strictObject({ version: z.string() }),
  purpose_code: z.string(),
  purpose_description: z.string().optional(),
  access_mode: z.enum(["single_use", "continuous"]),
  streams: z.array(grantedStream).min(1),
  selection_preset: z.string().optional(),
  retention: z.unknown().optional(),
  expires_at: timestamp.optional(),
});

export type Grant = z.infer<typeof grant>;
export type GrantedStream = z.infer<typeof grantedStream>;

/** What `POST /v1/grants` and `pdpp grants issue` ask for; the engine resolves it against what exists. */
export const grantRequest = z.strictObject({
  /** Everything that is there now. */
  all: z.boolean().optional(),
  selections: z
    .array(
      z.strictObject({
        connection_id: z.string(),
        /** Absent: every stream of the connection. */
        stream: z.string().optional(),
        fields: z.array(z.string()).min(1).optional(),
        view: z.string().optional(),
        since: timestamp.optional(),
        until: timestamp.optional(),
        resources: z.array(z.string()).min(1).optional(),
      }),
    )
    .optional(),
  client_name: z.string().min(1).max(NAME_MAX).optional(),
  purpose_description: z.string().max(2000).optional(),
  access_mode: z.enum(["single_use", "continuous"]).optional(),
  expires_in_seconds: z.int().min(1).optional(),
});
export type GrantRequest = z.infer<typeof grantRequest>;

/** A token over one grant has grant_id, over several grant_package_id. */
export interface IssuedGrant {
  access_token: string;
  token_type: "Bearer";
  grant_id?: string;
  grant_package_id?: string;
  grants: Grant[];
  expires_at?: string;
}

export type GrantStatus = "active" | "revoked" | "expired" | "consumed";

export interface GrantSummary {
  object: "grant";
  grant: Grant;
  status: GrantStatus;
  grant_package_id?: string;
  revoked_at?: string;
  last_used_at?: string;
}
