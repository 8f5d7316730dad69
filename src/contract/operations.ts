// Responses of /healthz and /readyz, which are for load balancers and supervisors, not for apps.
import { z } from "zod";

export const liveness = z.strictObject({ status: z.literal("ok") });

export const ready = z.strictObject({ status: z.literal("ready") });
export const notReady = z.strictObject({
  status: z.literal("not_ready"),
  /** A description without paths or names of stored data. */
  reason: z.string(),
  next_step: z.string(),
});

export type Readiness = z.infer<typeof ready> | z.infer<typeof notReady>;
