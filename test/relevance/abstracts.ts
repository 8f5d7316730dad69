// A server with the documents of a test collection, and the hits for its questions.
import type { SourceDeclaration } from "../../src/contract/declaration.ts";
import type { Loose, TestServer } from "../harness.ts";
import type { Document } from "./collection.ts";

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

export async function fillWithAbstracts(server: TestServer, documents: readonly Document[]): Promise<void> {
  await server.register("abstracts", declaration);
  const connection = await server.connect("abstracts", "Abstracts");
  await server.ingest(
    "abstracts",
    connection,
    documents.map((data) => ({ key: data.id, data: { ...data } })),
  );
}

/** Returns the ids of the first hundred hits of `/v1/search`. */
export async function firstHundred(server: TestServer, question: string): Promise<string[]> {
  const { body } = await server.get("/v1/search", { query: { q: question, limit: 100 } });
  return body.data.map((hit: Loose) => hit.record_key);
}
