// how well search ranks, on a public collection with human judgements, as REST and MCP answer.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SourceDeclaration } from "../../src/contract/declaration.ts";
import { type Loose, type TestServer, testServer } from "../harness.ts";
import { callTool } from "../mcp.ts";
import { documents, mean, ndcg10, questions, recall100 } from "./collection.ts";

const declaration: SourceDeclaration = {
  protocol_version: "0.1.0",
  source: { kind: "connector", id: "https://test.example/abstracts" },
  declaration_version: "1",
  publisher: { id: "test" },
  display: { name: "Abstracts" },
  streams: [
    {
      name: "abstracts",
      semantics: "mutable_state",
      primary_key: ["id"],
      schema: {
        type: "object",
        required: ["id"],
        properties: { id: { type: "string" }, title: { type: "string" }, text: { type: "string" } },
      },
      query: { search: { lexical_fields: ["title", "text"] } },
    },
  ],
};

const asked = questions();
/** The first hundred hits of each question, by `/v1/search`. */
const found: string[][] = [];
let server: TestServer;

beforeAll(async () => {
  server = await testServer();
  await server.register("abstracts", declaration);
  const connection = await server.connect("abstracts", "Cranfield");
  await server.ingest(
    "abstracts",
    connection,
    documents().map((data) => ({ key: data.id, data })),
  );
  for (const { question } of asked) {
    const { body } = await server.get("/v1/search", { query: { q: question, limit: 100 } });
    found.push(body.data.map((hit: Loose) => hit.record_key));
  }
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

test("R-02 MCP search lists the same hits in the same order, page by page", async () => {
  const { access_token } = await server.grant({ all: true });
  for (const [index, { question }] of asked.entries()) {
    if (index % 45 !== 0) continue;
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const { structuredContent } = await callTool(server.url, access_token, "search", {
        query: question,
        limit: 100,
        ...(cursor === undefined ? {} : { cursor }),
      });
      ids.push(...structuredContent.results.map((hit: Loose) => hit.id.split(":").at(-1)));
      cursor = structuredContent.next_cursor;
    } while (cursor !== undefined && ids.length < 100);
    expect(ids.slice(0, 100), question).toEqual(found[index]);
  }
});
