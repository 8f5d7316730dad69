// L-09: the whole journey in every client model, by an agent that knows only what its client shows.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoHome } from "../demo-home.ts";
import { type Loose, type TestServer, testServer } from "../harness.ts";
import { callTool, connectClient, recordIds } from "../mcp.ts";
import { type Findings, readFromTheBeginning, recordsIn, runJourney, TASK } from "./agent.ts";
import { HINDERED, MODELS, UNHINDERED } from "./models.ts";
import { CUT_MARK, openSession } from "./session.ts";

const FACT = "C80 of −2.6 dB";
/** The budget for the journey: calls, and tokens that the model reads. */
const CALLS = 7;
const TOKENS = 8_000;

let server: TestServer;
let token: string;
const ran = new Map<string, { calls: number; tokens: number }>();

beforeAll(async () => {
  server = await testServer({ lent: await demoHome() });
  token = (await server.grant({ all: true })).access_token;
});
afterAll(() => server.close());

async function journeyIn(model: (typeof MODELS)[number]): Promise<Findings> {
  const client = await connectClient(server.url, token, "modern");
  try {
    const session = await openSession({ model, client, token, task: TASK });
    const findings = await runJourney(session);
    ran.set(model.name, { calls: session.calls(), tokens: session.tokens() });
    return findings;
  } finally {
    await client.close();
  }
}

describe("L-09 C-07 the agent's journey", () => {
  it("L-09 the fact is hidden among at least nine connections", async () => {
    expect((await server.get("/v1/connections", { token })).body.data.length).toBeGreaterThanOrEqual(9);
  });

  it.each(MODELS)("L-09 C-07 succeeds in the client model $name", async (model) => {
    const { preview, passage, counts, pages, records, file } = await journeyIn(model);
    expect(preview).toContain("worst");
    expect(passage).toContain(FACT);
    const months = await server.get("/v1/streams/notes/aggregate", {
      token,
      query: { metric: "count", group_by_time: "created_at", granularity: "month" },
    });
    expect(counts).toEqual(
      Object.fromEntries(months.body.groups.map((group: { key: string; count: number }) => [group.key, group.count])),
    );
    expect(pages[0]!.length).toBeGreaterThan(0);
    expect(pages[1]!.length).toBeGreaterThan(0);
    expect(pages[0]!.filter((id) => pages[1]!.includes(id))).toEqual([]);
    const lines = file.trim().split("\n");
    expect(lines).toHaveLength(records);
    expect(records).toBe(months.body.filtered_record_count);
  });

  it.each(HINDERED.filter(({ cut }) => cut !== undefined && !("tokens" in cut)))(
    "L-09 a long text is read without gaps even if results are cut: $name",
    async (model) => {
      const query = { "filter[path]": "Work/Harbour Hall acoustic survey, complete edition.md" };
      const { body } = await server.get("/v1/streams/notes/records", { token, query });
      const { id, connection_id } = body.data[0];
      const { data } = (await server.get(`/v1/streams/notes/records/${id}`, { token, query: { connection_id } })).body;
      const record = `${connection_id}/notes:${id}`;
      const client = await connectClient(server.url, token, "modern");
      const session = await openSession({ model, client, token, task: `Read ${record}.` });
      expect(await readFromTheBeginning(session, record, 5)).toBe(data.body.slice(0, 3000));
      await client.close();
    },
  );

  it.each([
    ["mail", "messages"],
    ["notes", "notes"],
  ])("C-07 a page of %s shows every record even if its middle is cut", async (connector_key, stream) => {
    const model = HINDERED.find(({ cut }) => cut !== undefined && "firstAndLast" in cut)!;
    const { data } = (await server.get("/v1/connections", { token })).body;
    const { connection_id } = data.find((row: Loose) => row.connector_key === connector_key);
    const args = { stream, connection_id };
    const client = await connectClient(server.url, token, "modern");
    const session = await openSession({ model, client, token, task: JSON.stringify(args) });
    const shown = await session.call("query_records", args);
    await client.close();
    const page = (await callTool(server.url, token, "query_records", args)).structuredContent;
    expect(shown).toContain(CUT_MARK);
    expect(recordsIn(shown).toSorted()).toEqual(recordIds(page).toSorted());
  });

  it.each(UNHINDERED)("L-09 takes at most 7 calls and 8,000 tokens in a client without limits: $name", ({ name }) => {
    const { calls, tokens } = ran.get(name)!;
    expect(calls).toBeLessThanOrEqual(CALLS);
    expect(tokens).toBeLessThanOrEqual(TOKENS);
  });
});

describe("docs/build/clients.md", () => {
  const section = () =>
    (
      readFileSync(new URL("../../docs/build/clients.md", import.meta.url), "utf8").split("## Client models\n")[1] ?? ""
    ).split("\n## ")[0]!;

  it("L-09 has the table of results, with calls and tokens", () => {
    const rows = [...ran].map(([name, { calls, tokens }]) => ({ name, calls, tokens }));
    console.table(rows);
    const told = [...section().matchAll(/^\| (.+?) \| (.+?) \| yes \| (\d+) \| ([\d,]+) \|$/gm)].map(
      ([, name, shows, calls, tokens]) => ({
        name,
        shows,
        calls: Number(calls),
        tokens: Number(tokens!.replace(",", "")),
      }),
    );
    expect(told.map(({ name, shows, calls }) => ({ name, shows, calls }))).toEqual(
      MODELS.map(({ name, shows }) => ({ name, shows, calls: ran.get(name)!.calls })),
    );
    // Ids are random, so their number of tokens varies.
    for (const { name, tokens } of told) expect(Math.abs(tokens / ran.get(name!)!.tokens - 1)).toBeLessThan(0.05);
  });
});

describe("docs/work/research/chat-host-retest.md", () => {
  const text = readFileSync(new URL("../../docs/work/research/chat-host-retest.md", import.meta.url), "utf8");
  const steps = [...text.matchAll(/^\| (\w+) \| `(\w+)\((\{.*\})\)` \| (.+) \|$/gm)].map(
    ([, step, tool, args, shows]) => ({
      step: step!,
      tool: tool!,
      args: args!,
      shows: [...shows!.matchAll(/`([^`]+)`/g)].map(([, words]) => words!),
    }),
  );

  /** The pattern for each placeholder in capitals. Its value is the first match in the results so far. */
  const PLACEHOLDERS: Record<string, RegExp> = {
    WINDOW: /pdpp:\/\/field-window\/[^\s"\\)]+/,
    CONNECTION: /(?<=\[1\] )cin_[\w-]+/,
    RECORD: /cin_[\w-]+\/notes:[\w-]+/,
    CURSOR: /(?<=next_cursor: )\S+/,
    EXPORT: /pdpp:\/\/export\/[\w-]+/,
  };

  it("L-10 every step of the retest can be done with the text of the previous results", async () => {
    expect(steps.map(({ step }) => step)).toEqual(
      expect.arrayContaining(["discover", "preview", "window", "fetch", "export"]),
    );
    let seen = "";
    for (const { tool, args, shows } of steps) {
      const filled = args.replace(new RegExp(Object.keys(PLACEHOLDERS).join("|"), "g"), (word) => {
        const all = [...seen.matchAll(new RegExp(PLACEHOLDERS[word]!, "g"))];
        // A cursor works only for the call that returned it.
        const found = word === "CURSOR" ? all.at(-1) : all[0];
        expect(found, `${word} in:\n${seen}`).toBeDefined();
        return found![0];
      });
      const { text: shown } = await callTool(server.url, token, tool, JSON.parse(filled));
      for (const words of shows) expect(shown).toContain(words);
      seen += `${shown}\n`;
    }
  });
});
