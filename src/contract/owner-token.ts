// Owner tokens in the form that the owner sees: each with an id that is not secret.
import { z } from "zod";
import { timestamp } from "./timestamp.ts";

export const ownerToken = z.strictObject({
  object: z.literal("owner_token"),
  token_id: z.string(),
  status: z.enum(["active", "expired"]),
  created_at: timestamp,
  expires_at: timestamp.optional(),
});
export type OwnerToken = z.infer<typeof ownerToken>;
