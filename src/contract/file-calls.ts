// Calls of the files lens, as the engine authorizes and logs them; and their caller.
import { z } from "zod";
import type { Bearer } from "./bearer.ts";
import { ERRORS, type ErrorCode } from "./errors.ts";
import { type FilePower, filePower } from "./file-access.ts";
import { NAME_MAX } from "./limits.ts";
import { linkRequest } from "./link.ts";

/** The action of a call to the files lens, by its name in the log: `files.cd`. */
const action = z
  .string()
  .max(40)
  .regex(/^[a-z][a-z-]*$/, "a-z and - only");
const name = z.string().min(1).max(NAME_MAX);
const count = z.int().min(0);

/** Checked before anything is done: who the caller is, and whether it is allowed. */
export const filesEntry = z.strictObject({
  action,
  /** The root of the call; absent for a call without one. */
  connection_id: name.optional(),
  /** The power that it needs; absent: any caller of this lens. */
  may: filePower.optional(),
  /** Only the owner is allowed. */
  owner: z.boolean().optional(),
});

/** Reported before the answer is sent. */
export const fileCall = z.strictObject({
  action,
  connection_id: name.optional(),
  records: count,
  bytes: count,
  /** Present if the call failed. */
  outcome: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]).optional(),
});

/** A signed address for a download. The download itself is logged separately. */
export const fileLink = linkRequest.extend({ action: z.literal("link") });

/** Reported after the last byte of a download or of an exported list; `fileCall` reported its start. */
export const fileServed = z.strictObject({
  action: z.literal("served"),
  connection_id: name,
  /** For a list: how many records were sent. */
  records: count.optional(),
  bytes: count,
});

/** A root that is open to a caller. */
export interface OpenRoot {
  connection_id: string;
  /** The path with which the owner approved it. */
  path: string;
  /** Absent for the owner. */
  grant_id?: string;
  may: readonly FilePower[];
}

/** The caller of the files lens, and what it can reach now. */
export interface FilesBearer extends Bearer {
  roots: readonly OpenRoot[];
  /** When its access ends at the latest; absent: it does not expire. */
  expires_at?: string;
}
