// Tests aggregate: every number is in both the text and the structured result, within the budget.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { book } from "../../../test/library.ts";
import { type Gate, libraryGate, resultBytes } from "../../../test/mcp.ts";

let gate: Gate;

beforeAll(async () => {
  gate = await libraryGate();
});
afterAll(() => gate.close());

describe("aggregate", () => {
  it("E-14 shows value and filtered_record_count in the text", async () => {
    const args = {
      stream: "books",
      connection_id: gate.home,
      metric: "sum",
      field: "pages",
      filter: { genre: "novel" },
    };
    const { text, structuredContent } = await gate.call("aggregate", args);
    expect(structuredContent.data).toMatchObject({
      object: "aggregation",
      metric: "sum",
      value: 1184,
      filtered_record_count: 5,
    });
    expect(text).toContain("value: 1184");
    expect(text).toContain("filtered_record_count: 5");
  });

  it("E-14 shows groups and other_count in the text", async () => {
    const args = { stream: "books", connection_id: gate.home, metric: "count", group_by: "genre", limit: 2 };
    const { text, structuredContent } = await gate.call("aggregate", args);
    const { groups, other_count } = structuredContent.data;
    expect(groups).toHaveLength(2);
    expect(other_count).toBeGreaterThan(0);
    for (const { key, count } of groups) expect(text).toContain(`${JSON.stringify(key)}: ${count}`);
    expect(text).toContain(`other_count: ${other_count}`);
  });

  it("E-22 requires one source", async () => {
    const { structuredContent } = await gate.call("aggregate", { stream: "books", metric: "count" });
    expect(structuredContent.error.code).toBe("ambiguous_connection");
  });

  it("K-05 counts over all connections, and says how many there are", async () => {
    const args = { stream: "books", connection_id: "all", metric: "count" };
    const { text, structuredContent } = await gate.call("aggregate", args);
    expect(structuredContent.data).toMatchObject({ value: 14, connection_id: "all", connection_count: 2 });
    expect(text).toContain("value: 14");
    const grouped = await gate.call("aggregate", { ...args, group_by: "genre", filter: { genre: { in: ["diary"] } } });
    expect(grouped.structuredContent.data.groups).toEqual([{ key: "diary", count: 1 }]);
  });

  it("X-06 ends the list of groups at the byte limit if keys are long, and says so", async () => {
    const connection_id = await gate.server.connect("library", "Long genres");
    const lines = Array.from({ length: 100 }, (_, index) =>
      book(`g${index}`, { genre: `${index}-${"g".repeat(500)}` }),
    );
    await gate.server.ingest("books", connection_id, lines);
    const { access_token } = await gate.server.grant({ selections: [{ connection_id }] });
    const args = { stream: "books", connection_id, metric: "count", group_by: "genre", limit: 100 };
    const result = await gate.call("aggregate", args, access_token);
    expect(resultBytes(result)).toBeLessThanOrEqual(20_000);
    const { groups, other_count, page_ended_by } = result.structuredContent.data;
    expect(page_ended_by).toBe("bytes");
    expect(groups.length + other_count).toBe(100);
    expect(result.text).toContain("page_ended_by: bytes");
  });

  it("X-06 L-05 truncates a very long key or value, and gives its length", async () => {
    const connection_id = await gate.server.connect("library", "One long genre");
    const long = '"\\\u0001'.repeat(100_000);
    await gate.server.ingest("books", connection_id, [book("l", { genre: long, title: long })]);
    const { access_token } = await gate.server.grant({ selections: [{ connection_id }] });
    const args = { stream: "books", connection_id, metric: "max", field: "title" };
    for (const more of [{}, { group_by: "genre" }]) {
      const result = await gate.call("aggregate", { ...args, ...more }, access_token);
      expect(resultBytes(result)).toBeLessThanOrEqual(16_000);
      const { data } = result.structuredContent;
      expect((data.groups?.[0] ?? data).value_chars).toBe(300_000);
      expect(result.text).toContain("[value: the first 400 of 300000 characters]");
    }
  });
});
