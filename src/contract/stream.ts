// Streams with their counts.
import { z } from "zod";
import { count } from "./list.ts";
import { freshness } from "./schedule.ts";
import { kind, timeSpan } from "./schema-document.ts";
import { sourceIdentity } from "./source.ts";
import { timestamp } from "./timestamp.ts";

export const streamSummary = z.strictObject({
  object: z.literal("stream"),
  name: z.string(),
  kind: kind.optional(),
  record_count: count,
  time_span: timeSpan.optional(),
  last_updated: timestamp.nullable(),
  ...sourceIdentity.shape,
  freshness: freshness.extend({ last_updated: timestamp.nullable() }),
});

export type StreamSummary = z.infer<typeof streamSummary>;
