// Sources as answers name them.
import { z } from "zod";

/** Only `id` is authorization identity. */
export const source = z.strictObject({ kind: z.enum(["connector", "provider_native"]), id: z.string() });

/** Every readable thing names its source in this form (E-26). */
export const sourceIdentity = z.strictObject({
  connection_id: z.string(),
  connector_key: z.string(),
  display_name: z.string().optional(),
});

/** Of a read that may be over all connections: `connection_id` is "all" then, and there is no connector_key. */
export const readIdentity = sourceIdentity.extend({
  connector_key: z.string().optional(),
  connection_count: z.int().min(1).optional(),
});

export type ReadIdentity = z.infer<typeof readIdentity>;
