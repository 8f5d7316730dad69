// How responses identify a source.
import { z } from "zod";

/** Only `id` identifies a source for authorization. */
export const source = z.strictObject({ kind: z.enum(["connector", "provider_native"]), id: z.string() });

/** Everything that can be read identifies its source in this form (E-26). */
export const sourceIdentity = z.strictObject({
  connection_id: z.string(),
  connector_key: z.string(),
  display_name: z.string().optional(),
});

/** For reads that can cover all connections. In that case `connection_id` is "all" and there is no connector_key. */
export const readIdentity = sourceIdentity.extend({
  connector_key: z.string().optional(),
  connection_count: z.int().min(1).optional(),
});

export type ReadIdentity = z.infer<typeof readIdentity>;
