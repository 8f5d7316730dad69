// Tools use the singular for a single record, stream or connection.
import { expect, test } from "vitest";
import { formatHandle } from "../../src/contract/handle.ts";
import type { ReadClient } from "../../src/contract/read-client.ts";
import type { JsonObject } from "../../src/contract/record.ts";
import { TOOLS } from "../../src/surfaces/mcp/tools.ts";
import { grantToken, inProcess, live, makeReality } from "../non-interference/reader.ts";

test("E-18 no tool uses the plural for a single thing", async () => {
  const reality = await makeReality(1);
  try {
    const data = { id: "a", title: "alpha", notes: "a note", at: "2024-01-01T00:00:00Z" };
    const provenance = { run_id: "run" };
    const tick = Date.UTC(2026, 0, 1);
    await live(reality, [{ connection: 0, stream: "items", id: "a", data, tick, emittedAt: tick, provenance }]);
    const fields = ["id", "title", "notes", "at"];
    const ask = inProcess(
      reality,
      await grantToken(reality, { selections: [{ connection: 0, stream: "items", fields }] }),
    );
    const client = new Proxy({} as ReadClient, {
      get:
        (_target, method) =>
        async (query: Record<string, unknown> = {}) =>
          JSON.parse(await ask(String(method), query)),
    });
    const place = { connection_id: reality.connections[0]!, stream: "items" };
    const calls: [tool: string, args: object][] = [
      ["schema", {}],
      ["schema", { stream: "items" }],
      ["query_records", { stream: "items" }],
      ["search", { query: "alpha" }],
      ["aggregate", { stream: "items", metric: "count", group_by: "title" }],
      ["fetch", { id: formatHandle({ kind: "record", ...place, id: "a" }) }],
      ["fetch", { id: formatHandle({ kind: "field-window", ...place, id: "a", field: "title" }) }],
    ];
    for (const [name, args] of calls) {
      const tool = TOOLS.find(({ definition }) => definition.name === name)!;
      const { text } = await tool.run({ client, origin: "http://127.0.0.1:1" }, args as JsonObject);
      expect(text, `${name} ${JSON.stringify(args)}`).not.toMatch(
        /\b1 (records|hits|streams|sources|connections|fields|characters|groups)\b/,
      );
    }
    const { text } = await TOOLS.find(({ definition }) => definition.name === "query_records")!.run(
      { client, origin: "http://127.0.0.1:1" },
      { stream: "items" },
    );
    expect(text).toMatch(/^1 record of items,/);
  } finally {
    await reality.close();
  }
});
