// The documents for the search benchmarks: about 60 words each, distributed by Zipf's law, spread over 200 connections
// of one source.
import type { SourceDeclaration } from "../src/contract/declaration.ts";
import { randomFrom, wordOfRank } from "./data.ts";

export const DOCUMENT_STREAM = "notes";
export const DOCUMENT_CONNECTOR = "bench-notes";
export const CONNECTIONS = 200;
/**
 * How many documents of a connection arrive together. With small batches, every connection is spread over all segments.
 */
export const DOCUMENT_BATCH = 250;

const VOCABULARY = Array.from({ length: 100_000 }, (_, rank) => wordOfRank(rank));
const START = Date.UTC(2020, 0, 1);
const SPAN = 5 * 365.25 * 86_400_000;
/** Occurs in only ten documents. */
const RARE = "xylography";

/** These words occur in about 38 % and 5 % of the documents. */
const COMMON = VOCABULARY[9]!;
const MID = VOCABULARY[94]!;

/** Twelve words from frequent to rare, like a question that a person would type. */
const QUESTION = [9, 20, 40, 94, 150, 300, 600, 1200, 2500, 5000, 10_000, 20_000].map((rank) => VOCABULARY[rank]!);

/** Each query as a person types it, and in FTS5 syntax. */
export const QUERIES = {
  "common word": { q: COMMON, match: COMMON },
  "less common word": { q: MID, match: MID },
  "rare word": { q: RARE, match: RARE },
  phrase: { q: `"${COMMON} ${VOCABULARY[3]}"`, match: `"${COMMON} ${VOCABULARY[3]}"` },
  prefix: { q: `${VOCABULARY[1200]!}*`, match: `${VOCABULARY[1200]!}*` },
  "question of twelve words": { q: QUESTION.join(" "), match: QUESTION.join(" OR ") },
  "two words": { q: `${COMMON} ${MID}`, match: `${COMMON} ${MID}` },
} as const;

export const DOCUMENT_DECLARATION: SourceDeclaration = {
  protocol_version: "0.1.0",
  source: { kind: "connector", id: "https://bench.postern.example/notes" },
  declaration_version: "1",
  publisher: { id: "https://bench.postern.example" },
  display: { name: "Bench notes" },
  streams: [
    {
      name: DOCUMENT_STREAM,
      semantics: "mutable_state",
      schema: {
        type: "object",
        properties: {
          id: { type: "string" },
          written_at: { type: "string", format: "date-time" },
          text: { type: "string" },
        },
        required: ["id", "written_at", "text"],
      },
      primary_key: ["id"],
      cursor_field: "written_at",
      consent_time_field: "written_at",
      query: { search: { lexical_fields: ["text"] } },
    },
  ],
};

export interface BenchDocument {
  id: string;
  writtenAt: string;
  text: string;
  line: string;
}

export function documentAt(index: number, total: number): BenchDocument {
  const random = randomFrom(index);
  const writtenAt = new Date(Math.floor(START + (SPAN * index) / total)).toISOString();
  let text = index % (total / 10) === 0 ? RARE : "";
  for (let left = 45 + Math.floor(random() * 30); left > 0; left--) {
    const word = VOCABULARY[Math.floor(VOCABULARY.length ** random()) - 1]!;
    text += text === "" ? word : left % 12 === 0 ? `. ${word}` : ` ${word}`;
  }
  const id = `note-${index}`;
  const data = `{"id":"${id}","written_at":"${writtenAt}","text":"${text}"}`;
  return { id, writtenAt, text, line: `{"key":"${id}","data":${data},"emitted_at":"${writtenAt}"}` };
}
