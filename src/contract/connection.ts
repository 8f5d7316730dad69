// Connections and their sources, as returned to readers.
import { z } from "zod";
import { sourceDeclaration } from "./declaration.ts";
import { count } from "./list.ts";
import { freshness, health } from "./schedule.ts";
import { source } from "./source.ts";
import { timestamp } from "./timestamp.ts";

export const connectionRead = z.strictObject({
  object: z.literal("connection"),
  connection_id: z.string(),
  connector_key: z.string(),
  display_name: z.string(),
  source,
  created_at: timestamp,
  streams: z.array(z.string()),
  /** Present only in lists; covers the visible streams. */
  freshness: freshness.optional(),
  /** Present only in the owner's list. */
  health: health.optional(),
});

export const connectionDeleted = z.strictObject({
  object: z.literal("connection"),
  connection_id: z.string(),
  deleted: z.literal(true),
  records_deleted: count,
});

export const connectorRead = z.strictObject({
  object: z.literal("connector"),
  connector_key: z.string(),
  source,
  display_name: z.string(),
  declaration_version: z.string(),
  /** Under a grant, only the granted streams. */
  streams: z.array(z.string()),
  /** Present only in the owner's list. */
  declaration: sourceDeclaration.optional(),
  /** When the source was first registered. Present only in the owner's list. */
  created_at: timestamp.optional(),
});

export type ConnectionRead = z.infer<typeof connectionRead>;
export type ConnectionDeleted = z.infer<typeof connectionDeleted>;
export type ConnectorRead = z.infer<typeof connectorRead>;
