// Compares the search index with the rows: every word finds the records that a scan finds, and no deleted text.
import type { SearchMeta, SearchResult } from "../../src/contract/answers.ts";
import { noteHas, stampOf } from "./notes.ts";
import type { Session } from "./operations.ts";
import { read } from "./read.ts";
import { WORDS } from "./world.ts";

/** The number of current and of deleted texts that are searched for after each restart. */
const STAMPS = 4;
/** The texts are drawn from this many of the latest changes, because a crash cannot affect older ones. */
const RECENT = 400;

interface SearchPage {
  data: SearchResult[];
  has_more: boolean;
  next_cursor?: string;
  meta: SearchMeta;
}

export async function checkSearch(session: Session): Promise<void> {
  for (const word of WORDS) await checkWord(session, word);
  const { model, random } = session;
  const present = new Set([...model.items.values()].map(({ revision }) => revision));
  const recent = Array.from({ length: Math.min(RECENT, model.revision) }, (_, back) => model.revision - back);
  for (const revisions of [
    recent.filter((revision) => present.has(revision)),
    recent.filter((revision) => !present.has(revision)),
  ]) {
    for (let drawn = 0; drawn < STAMPS && revisions.length > 0; drawn++)
      await checkWord(session, stampOf(random.pick(revisions)));
  }
}

async function checkWord({ model, ask }: Session, word: string): Promise<void> {
  const expected = new Set([...model.items.values()].filter((item) => noteHas(item.note, word)).map(({ id }) => id));
  const found = new Set<string>();
  for (let cursor = ""; ; ) {
    // The query is quoted, so that other word forms and spellings do not match. It is sorted by time, so that records
    // with equal passages are listed separately.
    const { data, has_more, next_cursor, meta } = await read<SearchPage>(
      ask,
      `/v1/search?q=%22${word}%22&order=newest&limit=100${cursor}`,
    );
    const { count } = meta;
    if (count.kind !== "exact" || count.value !== expected.size)
      throw new Error(`the index has ${count.value} records with ${word}, but the rows have ${expected.size}`);
    for (const { record_key } of data) {
      if (found.has(record_key)) throw new Error(`${record_key} is found twice for ${word}`);
      if (!expected.has(record_key)) throw new Error(`${record_key} is found for ${word}, which it does not contain`);
      found.add(record_key);
    }
    if (!has_more) break;
    cursor = `&cursor=${next_cursor}`;
  }
  if (found.size !== expected.size)
    throw new Error(`${word} finds ${found.size} records on all pages, but the rows have ${expected.size}`);
}
