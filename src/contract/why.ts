// Why a call was denied: the part of the grant that caused the denial, in the form that the error and the log use
//
import { z } from "zod";
import { filePower } from "./file-access.ts";

/** The names in a denied call, truncated and made printable. Values are never included. */
export const asked = z.strictObject({
  stream: z.string().optional(),
  connection_id: z.string().optional(),
  field: z.string().optional(),
  /** A power in the files lens. */
  power: filePower.optional(),
});

const line = {
  grant_id: z.string().optional(),
  /** A path within the grant: `streams[2].fields`, `expires_at`, `revoked_at` … */
  decided_by: z.string(),
  /** The part of the grant that caused the denial, in words. It reveals only what the grant shows. */
  says: z.string(),
};

export const grantLine = z.strictObject(line);

export const why = z.strictObject({
  ...line,
  grant_package_id: z.string().optional(),
  asked: asked.optional(),
  /** For a package: the grants that come closest to the request. */
  closest: z.array(grantLine).optional(),
});

export type WhyRequest = z.infer<typeof asked>;
export type Why = z.infer<typeof why>;
