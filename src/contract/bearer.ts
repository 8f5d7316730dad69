// The caller, as described in the schema document.
import { z } from "zod";

export const bearer = z.strictObject({
  kind: z.enum(["owner", "client", "mcp_package"]),
  scope: z.enum(["owner", "grant", "package"]),
  subject_id: z.string(),
  client_id: z.string().optional(),
  grant_id: z.string().optional(),
  grant_package_id: z.string().optional(),
});

export type Bearer = z.infer<typeof bearer>;
