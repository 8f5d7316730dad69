// npm run soak -- relevance FOLDER: measures how well /v1/search answers a test collection (NAME.ALL, NAME.QRY,
// NAME.REL), compared with FTS5.
import { DatabaseSync } from "node:sqlite";
import { testServer } from "../harness.ts";
import { fillWithAbstracts, firstHundred } from "../relevance/abstracts.ts";
import { type Collection, collectionIn, mean, ndcg10, recall100 } from "../relevance/collection.ts";

const folder = process.argv[2];
if (folder === undefined) throw new Error("npm run soak -- relevance FOLDER");

const collection = collectionIn(folder);
const { documents, questions } = collection;
console.log(`${documents.length} documents, ${questions.length} questions`);
const server = await testServer();
try {
  await fillWithAbstracts(server, documents);
  const found: string[][] = [];
  for (const { question } of questions) found.push(await firstHundred(server, question));
  report("/v1/search", found);
} finally {
  await server.close();
}
for (const tokenizer of ["unicode61", "porter unicode61"]) report(`FTS5, ${tokenizer}`, byFts5(collection, tokenizer));

function report(engine: string, found: readonly string[][]): void {
  const ndcg = mean(questions.map(({ relevant }, index) => ndcg10(found[index]!, relevant)));
  const recall = mean(questions.map(({ relevant }, index) => recall100(found[index]!, relevant)));
  console.log(`${engine}: nDCG@10 ${ndcg.toFixed(3)}, recall@100 ${recall.toFixed(3)}`);
}

/** Ranks with FTS5, where every word is optional too. */
function byFts5({ documents, questions }: Collection, tokenizer: string): string[][] {
  const database = new DatabaseSync(":memory:");
  database.exec(`CREATE VIRTUAL TABLE texts USING fts5(id UNINDEXED, title, text, tokenize = '${tokenizer}')`);
  const insert = database.prepare("INSERT INTO texts (id, title, text) VALUES (?, ?, ?)");
  for (const { id, title, text } of documents) insert.run(id, title, text);
  const search = database.prepare("SELECT id FROM texts WHERE texts MATCH ? ORDER BY bm25(texts) LIMIT 100");
  return questions.map(({ question }) => {
    const words = new Set(question.match(/[\p{L}\p{N}]+/gu));
    return search.all([...words].map((word) => `"${word}"`).join(" OR ")).map(({ id }) => id as string);
  });
}
