// The status of a grant: valid, or the reason why it is not.
import { z } from "zod";

export const grantStatus = z.enum(["active", "paused", "revoked", "expired", "consumed"]);
export type GrantStatus = z.infer<typeof grantStatus>;
