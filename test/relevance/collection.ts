// Reads test collections in the format of Cornell's SMART system, and measures how well a ranking answers their questions.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

export interface Document {
  id: string;
  title: string;
  text: string;
}

export interface Judged {
  question: string;
  /** Ids of the documents that answer the question. */
  relevant: ReadonlySet<string>;
}

export interface Collection {
  documents: Document[];
  questions: Judged[];
}

const read = (name: string): string =>
  gunzipSync(readFileSync(join(import.meta.dirname, "cranfield", `${name}.gz`))).toString("latin1");

/** Returns the parts of each item (`.T`, `.W` and so on), by letter. */
function items(text: string): { id: string; parts: Record<string, string> }[] {
  return text
    .split(/^\.I /m)
    .slice(1)
    .map((item) => {
      const [id, ...rest] = item.split(/^\.([TABW])\r?\n/m);
      const parts: Record<string, string> = {};
      for (let at = 0; at + 1 < rest.length; at += 2) parts[rest[at]!] = rest[at + 1]!.trim();
      return { id: String(Number(id)), parts };
    });
}

const documentsIn = (text: string): Document[] =>
  items(text).map(({ id, parts }) => ({ id, title: parts.T ?? "", text: parts.W ?? "" }));

/** Returns the relevant documents by question. Each line starts with the number of its question. */
function judgements(text: string, documentIn: (numbers: readonly number[]) => number | undefined) {
  const relevant = new Map<string, Set<string>>();
  for (const line of text.trim().split(/\r?\n/)) {
    const numbers = line.trim().split(/\s+/).map(Number);
    const document = documentIn(numbers);
    const question = String(numbers[0]);
    if (document !== undefined) relevant.set(question, (relevant.get(question) ?? new Set()).add(String(document)));
  }
  return relevant;
}

const plainText = (text: string): string => text.replace(/\s+/g, " ");

/** Cranfield's judgements number the questions by their order. */
export function cranfield(): Collection {
  const relevant = judgements(read("cranqrel"), ([, document, grade]) => (grade! >= 1 ? document : undefined));
  return {
    documents: documentsIn(read("cran.all.1400")),
    questions: items(read("cran.qry")).map(({ parts }, index) => ({
      question: plainText(parts.W!),
      relevant: relevant.get(String(index + 1)) ?? new Set(),
    })),
  };
}

/**
 * Reads ADI, CISI, MED and similar collections: a folder with NAME.ALL, NAME.QRY and NAME.REL. Questions without
 * judgements are skipped.
 */
export function collectionIn(folder: string): Collection {
  const part = (ending: RegExp): string => {
    const name = readdirSync(folder).find((one) => ending.test(one));
    if (name === undefined) throw new Error(`${folder} has no file that ends with ${ending.source}`);
    return readFileSync(join(folder, name), "latin1");
  };
  // A line is "question 0 document 1" or "question document 0 0.0".
  const relevant = judgements(part(/\.REL$/i), ([, second, third]) => (second === 0 ? third : second));
  return {
    documents: documentsIn(part(/\.ALL$/i)),
    questions: items(part(/\.QRY$/i)).flatMap(({ id, parts }) => {
      const found = relevant.get(id);
      return found === undefined ? [] : [{ question: plainText(parts.W!), relevant: found }];
    }),
  };
}

const gain = (rank: number): number => 1 / Math.log2(rank + 2);

/** Returns the normalised discounted cumulative gain of the first ten hits. */
export function ndcg10(ids: readonly string[], relevant: ReadonlySet<string>): number {
  let reached = 0;
  let best = 0;
  for (let rank = 0; rank < 10; rank++) {
    if (relevant.has(ids[rank] ?? "")) reached += gain(rank);
    if (rank < relevant.size) best += gain(rank);
  }
  return reached / best;
}

export const recall100 = (ids: readonly string[], relevant: ReadonlySet<string>): number =>
  ids.slice(0, 100).filter((id) => relevant.has(id)).length / relevant.size;

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
