// Search results: ranked records, the passages that prove each match, and how exact the counts are.
import { z } from "zod";
import { recordHandle, windowHandle } from "./handle-text.ts";
import { count, listOf, warning } from "./list.ts";
import { sourceIdentity } from "./source.ts";
import { timestamp } from "./timestamp.ts";

/** How to continue reading where an excerpt was cut off (L-11). */
const fieldWindowRead = z.strictObject({
  object: z.literal("field_window_read"),
  method: z.literal("GET"),
  route: z.string(),
  handle: windowHandle,
});

/** A piece of a field's text that matched in the index, or that was sent to the embedding model. */
export const evidenceExcerpt = z.strictObject({
  object: z.literal("evidence_excerpt"),
  field_path: z.string(),
  preview_text: z.string(),
  /** The same text with matches in balanced <mark> tags, escaped as in `snippet`. */
  marked_text: z.string(),
  /** Positions in code points of the field's text; absent for a list of texts. */
  start_chars: count.optional(),
  end_chars: count.optional(),
  total_chars: count.optional(),
  matches: z.array(z.strictObject({ start_chars: count, end_chars: count })).optional(),
  truncated: z.boolean(),
  /** `meaning_match` means that this window of the field is close to the query in meaning. No word in it is marked. */
  provenance: z.enum(["lexical_match", "meaning_match"]),
  read: fieldWindowRead.optional(),
});

export const searchResult = z.strictObject({
  object: z.literal("search_result"),
  ...sourceIdentity.shape,
  stream: z.string(),
  record_key: z.string(),
  record_url: z.string(),
  handle: recordHandle,
  emitted_at: timestamp,
  authored_at: timestamp.optional(),
  /** The title of the record, never the matched text (E-18). */
  title: z.string(),
  matched_fields: z.array(z.string()),
  /** Present if the record was found only by its meaning, because it contains no word of the query. */
  found_by: z.literal("meaning").optional(),
  /** Matches are in balanced <mark> tags; everything else is text with &, < and > escaped. */
  snippet: z.strictObject({ field: z.string(), text: z.string() }).nullable(),
  score: z.number(),
  /** How many other records have the same passage, and handles to the first of them. */
  repeats: z.strictObject({ count, handles: z.array(recordHandle) }).optional(),
  evidence_excerpts: z.array(evidenceExcerpt),
  /** Present with `cursors=each`: continues after this hit. */
  next_cursor: z.string().optional(),
});

export const sourceMix = z.strictObject({ ...sourceIdentity.shape, stream: z.string(), count });

const searchMeta = z.strictObject({
  count: z.strictObject({ kind: z.literal("exact"), value: count }),
  /** For a query with several words: how many records contain all of them, and how many contain any. */
  matched: z.strictObject({ all: count, any: count }).optional(),
  /** Words in the query that match nothing. */
  unmatched: z.array(z.string()).optional(),
  /** `rank_fusion` combines the rankings by words and by meaning. */
  ranking: z.enum(["bm25", "rank_fusion", "cosine"]),
  mode: z.enum(["lexical", "hybrid", "semantic"]),
  order: z.enum(["relevance", "newest"]),
  searched: z.strictObject({ connections: count, streams: count }),
  /** How many hits each stream has in total, largest first. Present only if there are several streams. */
  source_mix: z.array(sourceMix).optional(),
  relaxed: z.string().optional(),
  suggestions: z.array(z.string()).optional(),
  /**
   * Words that the best hits have in common. They affected the ranking of the other hits, but no record is a hit
   * because of them.
   */
  related: z.array(z.string()).optional(),
  facets: z
    .strictObject({
      streams: z.array(sourceMix),
      months: z.array(z.strictObject({ month: z.string(), count })),
    })
    .optional(),
  warnings: z.array(warning).optional(),
});

export const searchList = listOf(searchResult).extend({ meta: searchMeta });

export type EvidenceExcerpt = z.infer<typeof evidenceExcerpt>;
export type SearchResult = z.infer<typeof searchResult>;
export type SourceMix = z.infer<typeof sourceMix>;
export type SearchMeta = z.infer<typeof searchMeta>;
export type SearchList = z.infer<typeof searchList>;
