// The authorization detail of the files lens (RFC 9396): which approved roots an app requests, and what it may do
// there.
import { z } from "zod";

export const FILE_ACCESS_TYPE = "https://pdpp.dev/file-access";

/** An approved root is a connection of this source; its records are the root's files. */
export const FILES_SOURCE = { kind: "connector", id: "https://postern.dev/sources/files" } as const;
export const FILES_CONNECTOR = "files";
export const FILES_STREAM = "files";
/** The stream with the text of files, for roots where the owner enabled it. */
export const FILE_TEXT_STREAM = "file_text";

/**
 * `navigate`: see names, sizes, times and reports. `index`: start and control scans. `curate`: create and change
 * resource sets and saved queries. `download`: read contents, including digests and which files are copies. Nothing in
 * the files lens deletes, moves or changes a file.
 */
export const FILE_POWERS = ["navigate", "index", "curate", "download"] as const;
export const filePower = z.enum(FILE_POWERS);
export type FilePower = z.infer<typeof filePower>;

/** The longest path on the systems that we know of. */
const ROOT_NAME_MAX = 4096;
const ROOTS_MAX = 200;

/** Roots, each by its connection_id or its path. */
export const rootNames = z.array(z.string().min(1).max(ROOT_NAME_MAX)).min(1).max(ROOTS_MAX);
/** `navigate` is part of every other power, even if it is not listed. */
export const filePowers = z.array(filePower).min(1).max(FILE_POWERS.length);

const uri = z
  .string()
  .max(2000)
  .refine((text) => URL.canParse(text), "must be an absolute URI");

export const fileAccess = z.strictObject({
  type: z.literal(FILE_ACCESS_TYPE),
  /** If absent, the owner chooses. */
  roots: rootNames.optional(),
  may: filePowers,
  purpose_code: uri.optional(),
  purpose_description: z.string().max(2000).optional(),
  access_mode: z.enum(["single_use", "continuous"]),
});
export type FileAccess = z.infer<typeof fileAccess>;
