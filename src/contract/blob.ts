// Blobs: how a record's data describes a blob, and the response to an upload.
import { z } from "zod";
import { count } from "./list.ts";

const blobRef = z.strictObject({ blob_id: z.string(), mime_type: z.string(), size_bytes: count, sha256: z.string() });

export const storedBlob = z.strictObject({ object: z.literal("blob"), ...blobRef.shape });

export type BlobRef = z.infer<typeof blobRef>;
export type StoredBlob = z.infer<typeof storedBlob>;
