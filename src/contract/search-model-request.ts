// Settings for the embedding model used in search, and the requests and state of its job.
import { z } from "zod";
import { NAME_MAX, SEARCH_MODEL } from "./limits.ts";

export const searchModelSet = z.strictObject({
  /** The base URL of an OpenAI-compatible API, such as http://127.0.0.1:11434/v1. */
  url: z.string().trim().min(1).max(SEARCH_MODEL.urlMax),
  /** The endpoint's name for the model. */
  name: z.string().trim().min(1).max(NAME_MAX),
  /** Required for an endpoint on another machine, because record texts leave this one. */
  remote: z.boolean().optional(),
});

export const passagesWanted = z.strictObject({ limit: z.int().min(1).max(1000) });

const place = z.int().min(0);

/** Vectors for the passages in a batch, in the same order: 32-bit floats, little-endian, in base64. */
export const vectorsKept = z.strictObject({
  model: z.string(),
  through: place,
  dimensions: z.int().min(1).max(SEARCH_MODEL.dimensionsMax),
  records: z.array(
    z.strictObject({
      version: place,
      passages: z.array(z.strictObject({ field: z.string(), start: place, end: place, vector: z.string() })),
    }),
  ),
});

/** Passages without a vector. Each is a window of a field, given by UTF-16 offsets. */
export interface PassageBatch {
  /** Absent if no model is configured. */
  model?: { id: string; url: string; name: string };
  records: { version: number; passages: { field: string; start: number; end: number; text: string }[] }[];
  /** Once the vectors are stored, versions up to this one are done. */
  through: number;
  /** True if more changes are waiting. */
  more: boolean;
}

export type SearchModelSet = z.infer<typeof searchModelSet>;
export type VectorsKept = z.infer<typeof vectorsKept>;
