// The authorization detail of the files lens (RFC 9396): which approved roots an app asks to look into, and what it may do there.
import { z } from "zod";

export const FILE_ACCESS_TYPE = "https://pdpp.dev/file-access";

/** An approved root is a connection of this source; its records are the root's files. */
export const FILES_SOURCE = { kind: "connector", id: "https://postern.dev/sources/files" } as const;
export const FILES_CONNECTOR = "files";
export const FILES_STREAM = "files";
/** The text of files, of roots where the owner chose so. */
export const FILE_TEXT_STREAM = "file_text";

/**
 * navigate: names, sizes, times and reports. index: start and steer scans. curate: make and change resource sets and
 * saved queries. download: take contents out, digests and which files are copies included. Nothing in the files lens deletes, moves or changes a file.
 */
export const FILE_POWERS = ["navigate", "index", "curate", "download"] as const;
export const filePower = z.enum(FILE_POWERS);
export type FilePower = z.infer<typeof filePower>;

/** As long as a path gets on the systems we know. */
const ROOT_NAME_MAX = 4096;
const ROOTS_MAX = 200;

/** A root by its connection_id or by its path. */
export const rootNames = z.array(z.string().min(1).max(ROOT_NAME_MAX)).min(1).max(ROOTS_MAX);
/** navigate goes with every other, said or not. */
export const filePowers = z.array(filePower).min(1).max(FILE_POWERS.length);

const uri = z
  .string()
  .max(2000)
  .refine((text) => URL.canParse(text), "an absolute URI is needed");

export const fileAccess = z.strictObject({
  type: z.literal(FILE_ACCESS_TYPE),
  /** Absent: the owner picks. */
  roots: rootNames.optional(),
  may: filePowers,
  purpose_code: uri.optional(),
  purpose_description: z.string().max(2000).optional(),
  access_mode: z.enum(["single_use", "continuous"]),
});
export type FileAccess = z.infer<typeof fileAccess>;
