// Whether a grant is good, and if not, what ended it.
import { z } from "zod";

export const grantStatus = z.enum(["active", "revoked", "expired", "consumed"]);
export type GrantStatus = z.infer<typeof grantStatus>;
