// Whether a grant is valid, and if not, why.
import { z } from "zod";

export const grantStatus = z.enum(["active", "paused", "revoked", "expired", "consumed"]);
export type GrantStatus = z.infer<typeof grantStatus>;
