// Calls to the files lens, as the engine authorizes and logs them, and their caller.
import { z } from "zod";
import type { Bearer } from "./bearer.ts";
import { ERRORS, type ErrorCode } from "./errors.ts";
import { type FilePower, filePower } from "./file-access.ts";
import { NAME_MAX } from "./limits.ts";
import { linkRequest } from "./link.ts";

/** The action of a call to the files lens. The log adds a prefix: `files.cd`. */
const action = z
  .string()
  .max(40)
  .regex(/^[a-z][a-z-]*$/, "a-z and - only");
const name = z.string().min(1).max(NAME_MAX);
const count = z.int().min(0);

/** Identifies the caller and checks whether the call is allowed, before anything is done. */
export const filesEntry = z.strictObject({
  action,
  /** The root that the call is about; absent if the call is about no root. */
  connection_id: name.optional(),
  /** The power that the call needs; if absent, any caller of this lens is allowed. */
  may: filePower.optional(),
  /** If true, only the owner is allowed. */
  owner: z.boolean().optional(),
});

/** Reported before the response is sent. */
export const fileCall = z.strictObject({
  action,
  connection_id: name.optional(),
  records: count,
  bytes: count,
  /** Present if the call failed. */
  outcome: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]).optional(),
});

/** Requests a signed download URL. The download itself is logged separately. */
export const fileLink = linkRequest.extend({ action: z.literal("link") });

/** Reported after the last byte of a download or an exported list; `fileCall` reported its start. */
export const fileServed = z.strictObject({
  action: z.literal("served"),
  connection_id: name,
  /** For a list: the number of records sent. */
  records: count.optional(),
  bytes: count,
});

/** A root that is open to a caller. */
export interface OpenRoot {
  connection_id: string;
  /** The path under which the owner approved the root. */
  path: string;
  /** Absent for the owner. */
  grant_id?: string;
  may: readonly FilePower[];
}

/** A caller of the files lens, and what it can reach now. */
export interface FilesBearer extends Bearer {
  roots: readonly OpenRoot[];
  /** The latest time at which the caller's access ends; absent if it does not expire. */
  expires_at?: string;
}
