// Tests schema: from an index of everything to all queries that one stream supports, within the budgets.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Loose } from "../../../test/harness.ts";
import { sourceLike } from "../../../test/library.ts";
import { type Gate, libraryGate, resultBytes, textAndDataBytes } from "../../../test/mcp.ts";

let gate: Gate;

beforeAll(async () => {
  gate = await libraryGate();
});
afterAll(() => gate.close());

describe("schema()", () => {
  it("E-08 lists every granted stream in text and structured content, by source, with the document directly under data", async () => {
    const { text, structuredContent } = await gate.call("schema");
    const { data } = structuredContent;
    expect(data.object).toBe("schema");
    expect(data).not.toHaveProperty("data");
    expect(data).not.toHaveProperty("streams");
    expect(data.connectors).toHaveLength(1);
    expect(data.connectors[0].streams).toEqual(["books", "authors", "loans"]);
    expect(text).toMatch(/^library: books \(14, \S+\), authors \(2\), loans \(4, \S+\)$/m);
    expect(text).toContain(`${gate.cabin} "Cabin shelf" (only books)`);
    expect(data.connectors[0]).toMatchObject({
      connections: { [gate.cabin]: "Cabin shelf" },
      only_streams: { [gate.cabin]: ["books"] },
    });
    expect(text).toMatch(/Next: schema\(stream\)/);
    for (const size of textAndDataBytes({ content: [{ type: "text", text }], structuredContent }))
      expect(size).toBeLessThan(4000);
  });

  it("E-08 returns the index of one connection if connection_id is given", async () => {
    const { structuredContent } = await gate.call("schema", { connection_id: gate.cabin });
    expect(structuredContent.data.connectors[0].streams).toEqual(["books"]);
  });

  it("E-09 refuses detail full without a stream before anything is read", async () => {
    const before = (await gate.server.get("/v1/activity")).body.data[0].seq;
    const { isError, structuredContent, text } = await gate.call("schema", { detail: "full" });
    expect(isError).toBe(true);
    expect(structuredContent.error).toMatchObject({ code: "invalid_request", param: "stream" });
    expect(text).toContain('schema({"stream":"STREAM","connection_id":"CONNECTION","detail":"full"})');
    const after = (await gate.server.get("/v1/activity")).body.data;
    expect(after.filter((row: Loose) => row.seq > before && row.action === "schema")).toEqual([]);
  });
});

describe("schema(stream)", () => {
  it("E-10 returns one summary for each distinct set of capabilities, with all its connections", async () => {
    const { access_token } = await gate.server.grant({
      selections: [
        { connection_id: gate.home, stream: "books" },
        { connection_id: gate.cabin, stream: "books", fields: ["title"] },
      ],
    });
    const { text, structuredContent } = await gate.call("schema", { stream: "books" }, access_token);
    const { streams } = structuredContent.data.connectors[0];
    expect(streams.map((row: Loose) => row.connection_ids)).toEqual([[gate.home], [gate.cabin]]);
    expect(Object.values(streams[1].fields).flat()).toEqual(["id", "title"]);
    expect(text.match(/^stream books/gm)).toHaveLength(2);
    const whole = await gate.call("schema", { stream: "books" });
    // The relations lead to streams that are granted for only one connection, so there are two sets.
    expect(whole.structuredContent.data.stream_count).toBe(2);
  });

  it("E-10 is split into pages if it exceeds the budget, and following the cursor shows every set once", async () => {
    const server = gate.server;
    const selections: object[] = [];
    const fields = Object.keys((sourceLike("x").streams[0]!.schema.properties ?? {}) as object).filter(
      (name) => name !== "id",
    );
    for (let index = 0; index < 24; index++) {
      const connection_id = await server.connect("library", `Shelf ${index}`);
      const without = [index % 12, (index + 1 + Math.floor(index / 12)) % 12];
      selections.push({ connection_id, stream: "books", fields: fields.filter((_, at) => !without.includes(at)) });
    }
    const { access_token } = await server.grant({ selections });
    const seen: string[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const result = await gate.call(
        "schema",
        { stream: "books", ...(cursor === undefined ? {} : { cursor }) },
        access_token,
      );
      expect(resultBytes(result)).toBeLessThanOrEqual(16_000);
      const { connectors, next_cursor } = result.structuredContent.data;
      for (const row of connectors.flatMap((connector: Loose) => connector.streams)) seen.push(...row.connection_ids);
      if (next_cursor !== undefined) expect(result.text).toContain(`next_cursor: ${next_cursor}`);
      cursor = next_cursor;
      pages++;
    } while (cursor !== undefined);
    expect(pages).toBeGreaterThan(1);
    expect(seen).toHaveLength(24);
    expect(new Set(seen).size).toBe(24);
    const wrong = await gate.call("schema", { stream: "books", cursor: "s1.3.AAAAAAAAAAAA" }, access_token);
    expect(wrong.structuredContent.error).toMatchObject({
      code: "invalid_cursor",
      next_step: 'schema({"stream":"books"}) starts again.',
    });
  });

  it("E-10 takes at most 1.2 KB for a set of capabilities and 40 bytes for each additional connection", async () => {
    const one = await gate.call("schema", { stream: "books", connection_id: gate.home });
    const none = textAndDataBytes({
      content: [{ type: "text", text: one.text.split("\n\n").slice(0, 2).join("\n\n") }],
      structuredContent: { data: { ...one.structuredContent.data, connectors: [] } },
    });
    const [text, structured] = textAndDataBytes(one).map((size, half) => size - none[half]!);
    expect(text).toBeLessThanOrEqual(1240);
    expect(structured).toBeLessThanOrEqual(1240);
  });

  it("E-10 X-06 pages a stream with very many fields, each field once, with text and structured content within the budget", async () => {
    const names = Array.from({ length: 400 }, (_, index) => `field_number_${index}`);
    const properties = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
    const views = Array.from({ length: 30 }, (_, index) => ({ id: `view_${index}`, fields: names.slice(index) }));
    const stream = {
      name: "many",
      semantics: "append_only",
      primary_key: ["field_number_0"],
      schema: { type: "object", properties },
      views,
    };
    await gate.server.register("many", { ...sourceLike("many"), streams: [stream] });
    const connection_id = await gate.server.connect("many");
    const { access_token } = await gate.server.grant({ selections: [{ connection_id }] });
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const result = await gate.call(
        "schema",
        { stream: "many", ...(cursor === undefined ? {} : { cursor }) },
        access_token,
      );
      expect(resultBytes(result)).toBeLessThanOrEqual(16_000);
      for (const row of result.structuredContent.data.connectors[0].streams)
        seen.push(...(Object.values(row.fields).flat() as string[]));
      cursor = result.structuredContent.data.next_cursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(names);
    const document = await gate.call("fetch", { id: `pdpp://stream/${connection_id}/many` }, access_token);
    expect(resultBytes(document)).toBeLessThanOrEqual(16_000);
    expect(document.structuredContent.text).toContain("more fields: schema(");
  });

  it("E-11 shows only one source if connection_id is given, with everything that the next read needs", async () => {
    const { text, structuredContent } = await gate.call("schema", { stream: "books", connection_id: gate.home });
    expect(structuredContent.data.connection_count).toBe(1);
    for (const fact of [
      `connection_id: ${gate.home} "Home shelf"`,
      "connector_key library",
      "stream books",
      'label "Books"',
      "integer|null pages",
      "date-time|null published_at",
      "range_filter takes gte gt lte lt",
      "range_filter(gte_lt): price",
      "exact_filter sort, all but: notes, extra, cover",
      "Any field can be in fields",
      "count: yes",
      "expand: author (one of authors), loans (many of loans, 2 by default, at most 3)",
      "search: title, notes",
      "group_by_time: bought_on, published_at",
      "views: card = title genre",
      "default order: -published_at",
    ])
      expect(text).toContain(fact);
    expect(text).not.toContain(gate.cabin);
  });

  it("E-13 the text alone is enough to filter by value and by range, sort, project and aggregate every field", async () => {
    for (const stream of ["books", "authors", "loans"]) {
      const { text } = await gate.call("schema", { stream, connection_id: gate.home });
      const line = (name: string) => new RegExp(`^${name}: (.+)$`, "m").exec(text)?.[1]?.split(", ") ?? [];
      const types = new Map(
        line("fields").flatMap((entry) => {
          const [type, ...names] = entry.split(" ");
          return names.map((name) => [name, type!] as const);
        }),
      );
      expect(types.size).toBeGreaterThan(1);
      const place = { stream, connection_id: gate.home };
      const calls: [string, object][] = [];
      const sample = (field: string): unknown => {
        const type = types.get(field)!;
        if (type.startsWith("date-time")) return "2024-01-01T00:00:00Z";
        if (type.startsWith("date")) return "2024-01-01";
        if (type.startsWith("integer") || type.startsWith("number")) return 5;
        return type.startsWith("boolean") ? true : "x";
      };
      for (const field of types.keys()) calls.push(["query_records", { ...place, fields: [field] }]);
      for (const [head, rest] of text.split("\n").flatMap((row) => {
        const [, powers, butNames, names] = /^([a-z_ ()]+)(, all but)?: (.+)$/.exec(row) ?? [];
        if (powers === undefined) return [];
        const listed = names!.split(", ");
        const fields = butNames === undefined ? listed : [...types.keys()].filter((name) => !listed.includes(name));
        return [[powers.split(" "), fields] as const];
      })) {
        for (const field of rest) {
          if (head.includes("exact_filter"))
            calls.push(["query_records", { ...place, filter: { [field]: sample(field) } }]);
          if (head.includes("sort")) calls.push(["query_records", { ...place, sort: `-${field}` }]);
          const range = head.find((word) => word.startsWith("range_filter"));
          if (range !== undefined)
            for (const operator of /\((.+)\)/.exec(range)?.[1]?.split("_") ?? ["gte", "gt", "lte", "lt"])
              calls.push(["query_records", { ...place, filter: { [field]: { [operator]: sample(field) } } }]);
          if (head.includes("group_by")) calls.push(["aggregate", { ...place, metric: "count", group_by: field }]);
          if (head.includes("group_by_time"))
            calls.push(["aggregate", { ...place, metric: "count", group_by_time: field, granularity: "month" }]);
          for (const metric of ["sum", "avg", "min", "max", "count_distinct"])
            if (head.includes(metric)) calls.push(["aggregate", { ...place, metric, field }]);
        }
      }
      calls.push(["aggregate", { ...place, metric: "count" }]);
      for (const [tool, args] of calls) {
        const { isError, text: said } = await gate.call(tool, args);
        expect(isError, `${tool} ${JSON.stringify(args)}: ${said}`).toBeUndefined();
      }
      if (stream === "books") expect(calls.length).toBeGreaterThan(70);
    }
  });
});

describe("schema(stream, detail full)", () => {
  it("E-12 C-10 contains the raw JSON Schema once, directly under data, and in the text as well", async () => {
    const result = await gate.call("schema", { stream: "books", connection_id: gate.home, detail: "full" });
    const { data } = result.structuredContent;
    expect(data).not.toHaveProperty("streams");
    expect(data).not.toHaveProperty("data");
    expect(data.connectors).toHaveLength(1);
    expect(data.connectors[0].streams).toHaveLength(1);
    expect(data.connectors[0].streams[0].schema.properties.pages).toEqual({ type: ["integer", "null"] });
    expect(result.text).toContain('"pages":{"type":["integer","null"]}');
    expect(resultBytes(result)).toBeLessThanOrEqual(16_000);
  });

  it("E-12 E-22 first returns a typed error if there are several sources and no connection_id", async () => {
    const { structuredContent } = await gate.call("schema", { stream: "books", detail: "full" });
    expect(structuredContent.error).toMatchObject({ code: "ambiguous_connection", retry_with: "connection_id" });
  });

  it("E-12 C-10 pages a schema of 252 fields, each field once, with the same JSON in text and structured content", async () => {
    const names = Array.from({ length: 252 }, (_, index) => `field_${index}`);
    const long = { type: "string", description: "d".repeat(9_000) };
    const properties = Object.fromEntries(
      names.map((name, index) => [name, index === 9 ? long : { type: "string", description: "d".repeat(100) }]),
    );
    const schema = { type: "object", required: ["field_0", "field_251"], properties };
    const wide = {
      ...sourceLike("wide"),
      streams: [{ name: "wide", semantics: "append_only", primary_key: ["field_0"], schema }],
    };
    await gate.server.register("wide", wide);
    const connection_id = await gate.server.connect("wide");
    const { access_token } = await gate.server.grant({ selections: [{ connection_id }] });
    const seen: Loose = {};
    const required: string[] = [];
    let cursor: string | undefined;
    do {
      const args = { stream: "wide", detail: "full", ...(cursor === undefined ? {} : { cursor }) };
      const result = await gate.call("schema", args, access_token);
      expect(resultBytes(result)).toBeLessThanOrEqual(16_000);
      const { data } = result.structuredContent;
      const part = data.connectors[0].streams[0].schema;
      if (part !== undefined) {
        expect(JSON.parse(/^JSON Schema: (.+)$/m.exec(result.text)![1]!)).toEqual(part);
        Object.assign(seen, part.properties);
        required.push(...(part.required ?? []));
      }
      cursor = data.next_cursor;
      if (cursor !== undefined) expect(result.text).toContain(`next_cursor: ${cursor}`);
    } while (cursor !== undefined);
    expect(Object.keys(seen)).toEqual(names);
    expect(required).toEqual(schema.required);
    expect(seen.field_8).toEqual(properties.field_8);
    expect(seen.field_9.$comment).toContain(`GET /v1/schema?stream=wide&connection_id=${connection_id}&detail=full`);
  });
});
