// Tests the index of a very large package: details are omitted first, then the index is paged, and no name is ever
// omitted.
import { describe, expect, it } from "vitest";
import type { Loose } from "../../../test/harness.ts";
import type { SchemaDocument } from "../../contract/schema-document.ts";
import { BUDGET, bytesOf, textBytes } from "./budgets.ts";
import { schemaIndex } from "./schema-index.ts";

const document = (sources: number, streams: number, connections: number, name: string): SchemaDocument => ({
  object: "schema",
  detail: "compact",
  bearer: {
    kind: "mcp_package",
    scope: "package",
    subject_id: "sub_own_x",
    client_id: "cli_x",
    grant_package_id: "gpkg_x",
  },
  extensions: {},
  connectors: Array.from({ length: sources }, (_, source) => ({
    object: "connector" as const,
    source: { kind: "connector" as const, id: `https://test.example/${source}` },
    connector_key: `source${source}`,
    display_name: `Source ${source}`,
    stream_count: streams,
    streams: Array.from({ length: streams }, (_, index) => ({
      name: `${name}_${source}_${index}`,
      granted_connections: Array.from({ length: connections }, (_, at) => ({ connection_id: `cin_${source}_${at}` })),
    })),
  })),
  connector_count: sources,
  stream_count: sources * streams,
});

describe("schema() of a very large package", () => {
  it("E-08 X-06 pages by cursor, with text and structured content within the budget, and shows every name once", () => {
    const large = document(18, 200, 3, "a_stream_with_a_rather_long_name".repeat(3));
    const seen: string[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const { text, structured } = schemaIndex(large, [], { cursor });
      expect(textBytes(text)).toBeLessThanOrEqual(BUDGET.index);
      expect(bytesOf(structured)).toBeLessThanOrEqual(BUDGET.index);
      const { data } = structured as Loose;
      for (const name of data.connectors.flatMap((row: Loose) => row.streams)) {
        seen.push(name);
        expect(text).toContain(name);
      }
      cursor = data.next_cursor;
      if (cursor !== undefined) expect(text).toContain(`next_cursor: ${cursor}`);
      pages++;
    } while (cursor !== undefined);
    expect(pages).toBeGreaterThan(2);
    expect(seen).toHaveLength(3600);
    expect(new Set(seen).size).toBe(3600);
  });

  it("E-08 refuses a cursor of another schema", () => {
    const { structured } = schemaIndex(document(60, 60, 3, "a_stream_with_a_rather_long_name"), [], {});
    const cursor = (structured as Loose).data.next_cursor;
    expect(() => schemaIndex(document(60, 61, 3, "another_name_of_about_that_length"), [], { cursor })).toThrow(
      /cursor/,
    );
  });

  it("E-08 says what is omitted, and never omits a name", () => {
    const { text, structured } = schemaIndex(document(50, 20, 4, "stream"), [], {});
    const { data } = structured as Loose;
    expect(data.left_out).toBeTruthy();
    expect(text).toContain(data.left_out);
    expect(data.connectors.flatMap((row: Loose) => row.streams)).toHaveLength(1000);
  });
});
