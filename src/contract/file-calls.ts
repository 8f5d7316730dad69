// Calls of the files lens, as the engine lets them in and keeps them in the log; and who calls.
import { z } from "zod";
import type { Bearer } from "./bearer.ts";
import { ERRORS, type ErrorCode } from "./errors.ts";
import { type FilePower, filePower } from "./file-access.ts";
import { NAME_MAX } from "./limits.ts";
import { linkRequest } from "./link.ts";

/** The action of a call to the files lens, as the log names it: `files.cd`. */
const action = z
  .string()
  .max(40)
  .regex(/^[a-z][a-z-]*$/, "a-z and - only");
const name = z.string().min(1).max(NAME_MAX);
const count = z.int().min(0);

/** Asked before anything is done: who calls, and whether it may. */
export const filesEntry = z.strictObject({
  action,
  /** The root that is meant; absent where none is. */
  connection_id: name.optional(),
  /** The power it takes; absent: any caller of this lens. */
  may: filePower.optional(),
  /** Only the owner may. */
  owner: z.boolean().optional(),
});

/** Told before the answer leaves. */
export const fileCall = z.strictObject({
  action,
  connection_id: name.optional(),
  records: count,
  bytes: count,
  /** Of a call that failed. */
  outcome: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]).optional(),
});

/** A download whose address is signed. The download itself leaves a line. */
export const fileLink = linkRequest.extend({ action: z.literal("link") });

/** Reported after the last byte of a download or of an exported list; `fileCall` reported its start. */
export const fileServed = z.strictObject({
  action: z.literal("served"),
  connection_id: name,
  /** Of a list: how many left. */
  records: count.optional(),
  bytes: count,
});

/** A root that is open to a caller. */
export interface OpenRoot {
  connection_id: string;
  /** The path that the owner approved it with. */
  path: string;
  /** Absent for the owner. */
  grant_id?: string;
  may: readonly FilePower[];
}

/** The caller of the files lens, and what it may reach now. */
export interface FilesBearer extends Bearer {
  roots: readonly OpenRoot[];
  /** When what it rests on ends at the latest; absent: not by itself. */
  expires_at?: string;
}
