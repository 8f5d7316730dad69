// Validates messages from a parser, because a hostile file may control the parser's process. The engine validates the
// contents of batches again.
import { z } from "zod";
import { checkpoint, type LeftOut, leftOut, plannedGroup, reasons } from "../contract/import-request.ts";
import type { ParserBatch, PlannedGroup } from "./messages.ts";

const count = z.int().min(0);
const text = z.string();

const group = plannedGroup.extend({
  fingerprint: text,
  content: text.optional(),
  snapshotOf: z.array(text),
  ownLayout: z.boolean().optional(),
  /** Validated when the source is registered. */
  declaration: z.custom<PlannedGroup["declaration"]>((value) => typeof value === "object" && value !== null),
}) satisfies z.ZodType<PlannedGroup>;

/** Must have the format of a digest, because it becomes a file name. */
const blobId = text.regex(/^blob_[\w-]{43}$/);

const batch = z.strictObject({
  found: z.array(
    z.strictObject({ stream: text, file: text, digest: text.optional(), entry: text, from: count, to: count }),
  ),
  blobs: z.array(z.strictObject({ blobId, sizeBytes: count, sha256: text, mimeType: text })),
  checkpoint: checkpoint.optional(),
  notes: z.array(z.strictObject({ entry: text, skipped: count, failed: count, reasons })),
  bytes: count,
}) satisfies z.ZodType<Omit<ParserBatch, "lines">>;

/** Each message has a single key, which determines its kind. */
const KINDS = {
  plan: z.strictObject({
    plan: z.strictObject({ groups: z.array(group), left: z.array(leftOut) }),
  }) as z.ZodType<{ plan: { groups: PlannedGroup[]; left: LeftOut[] } }>,
  /** The frame's bytes are the record lines. */
  batch: z.strictObject({ batch }),
  /** A chunk of a blob that a later batch refers to. */
  blob: z.strictObject({ blob: blobId, last: z.boolean() }),
  /** A chunk of a picture for which a thumbnail is requested. */
  picture: z.strictObject({ picture: z.strictObject({ last: z.boolean() }) }),
  /** The entry that is now being read. */
  at: z.strictObject({ at: text }),
  /** A sign of progress. */
  beat: z.strictObject({ beat: z.literal(true) }),
  /** A chunk of the hashes of the keys that were found in this stream. */
  seen: z.strictObject({ seen: text }),
  /** `whole` is true if everything in the input was read. */
  done: z.strictObject({ done: z.strictObject({ whole: z.boolean() }) }),
  failed: z.strictObject({ failed: text }),
  /** The machine failed, not the file. The run stops here and can continue later. */
  halted: z.strictObject({
    halted: z.strictObject({ code: z.enum(["storage_full", "store_unavailable"]), reason: text }),
  }),
};

export type FromParser = z.infer<(typeof KINDS)[keyof typeof KINDS]>;

/** Returns undefined if the message is not valid. */
export function parserMessage(message: unknown): FromParser | undefined {
  const kind = Object.keys(KINDS).find((name) => Object.hasOwn(Object(message), name)) as
    | keyof typeof KINDS
    | undefined;
  return kind === undefined ? undefined : KINDS[kind].safeParse(message).data;
}
