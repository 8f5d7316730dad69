// Reads the Cranfield collection, and measures how well a ranking answers its questions.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

export interface Judged {
  question: string;
  /** Ids of the documents that answer it. */
  relevant: ReadonlySet<string>;
}

const read = (name: string): string =>
  gunzipSync(readFileSync(join(import.meta.dirname, "cranfield", `${name}.gz`))).toString("latin1");

/** The parts of each item: `.T`, `.W` and so on, by their letter. */
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

export const documents = (): { id: string; title: string; text: string }[] =>
  items(read("cran.all.1400")).map(({ id, parts }) => ({ id, title: parts.T ?? "", text: parts.W ?? "" }));

export function questions(): Judged[] {
  const relevant = new Map<number, Set<string>>();
  for (const line of read("cranqrel").trim().split("\n")) {
    const [question, document, grade] = line.trim().split(/\s+/).map(Number);
    if (grade! >= 1) relevant.set(question!, (relevant.get(question!) ?? new Set()).add(String(document)));
  }
  return items(read("cran.qry")).map(({ parts }, index) => ({
    question: parts.W!.replace(/\s+/g, " "),
    relevant: relevant.get(index + 1) ?? new Set(),
  }));
}

const gain = (rank: number): number => 1 / Math.log2(rank + 2);

/** Normalised discounted cumulative gain of the first ten. */
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
