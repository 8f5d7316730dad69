// Sources as answers name them.
import { z } from "zod";

/** Only `id` is authorization identity. */
export const source = z.strictObject({ kind: z.enum(["connector", "provider_native"]), id: z.string() });

/** What every readable thing says of its source (E-26). */
export const sourceIdentity = z.strictObject({
  connection_id: z.string(),
  connector_key: z.string(),
  display_name: z.string().optional(),
});
