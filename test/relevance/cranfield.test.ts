// the quality of search ranking, measured on a public collection with human judgements, over REST and MCP.
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Loose, type TestServer, testServer } from "../harness.ts";
import { callTool } from "../mcp.ts";
import { fillWithAbstracts, firstHundred } from "./abstracts.ts";
import { cranfield, mean, ndcg10, recall100 } from "./collection.ts";

const { documents, questions: asked } = cranfield();
const found: string[][] = [];
let server: TestServer;

beforeAll(async () => {
  server = await testServer();
  await fillWithAbstracts(server, documents);
  for (const { question } of asked) found.push(await firstHundred(server, question));
});
afterAll(() => server.close());

test("R-02 /v1/search reaches nDCG@10 0.40 and recall@100 0.76 on Cranfield", () => {
  expect(asked).toHaveLength(225);
  const ndcg = mean(asked.map(({ relevant }, index) => ndcg10(found[index]!, relevant)));
  const recall = mean(asked.map(({ relevant }, index) => recall100(found[index]!, relevant)));
  console.log(`Cranfield: nDCG@10 ${ndcg.toFixed(4)}, recall@100 ${recall.toFixed(4)}`);
  expect(ndcg).toBeGreaterThanOrEqual(0.4);
  expect(recall).toBeGreaterThanOrEqual(0.76);
});

test("R-02 MCP search starts with the same hits for every question, and lists all of them in the same order", async () => {
  const { access_token } = await server.grant({ all: true });
  for (const [index, { question }] of asked.entries()) {
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const { structuredContent } = await callTool(server.url, access_token, "search", {
        query: question,
        ...(cursor === undefined ? {} : { cursor }),
      });
      ids.push(...structuredContent.results.map((hit: Loose) => hit.id.split(":").at(-1)));
      cursor = structuredContent.next_cursor;
      // A page takes several searches, so only some questions are read to the end.
    } while (cursor !== undefined && ids.length < (index % 75 === 0 ? 100 : 1));
    expect(ids.length).toBeGreaterThanOrEqual(5);
    expect(ids.slice(0, 100), question).toEqual(found[index]!.slice(0, ids.length));
  }
});
