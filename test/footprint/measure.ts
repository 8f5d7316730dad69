// What definitions and results cost: the demo home behind a real server, each tool called once, both halves counted.
import { readFileSync } from "node:fs";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { demoFiller } from "../../src/demo/fill.ts";
import { startServer } from "../../src/main.ts";
import { BUDGET } from "../../src/surfaces/mcp/budgets.ts";
import { INSTRUCTIONS } from "../../src/surfaces/mcp/instructions.ts";
import { listed, TOOLS } from "../../src/surfaces/mcp/tools.ts";
import { HOME_OWNER, type Loose } from "../harness.ts";
import { callTool } from "../mcp.ts";

export interface Cost {
  what: string;
  bytes: number;
  tokens: number;
  /** Bytes. */
  budget?: number;
}

export interface ResultCost {
  call: string;
  text: Cost;
  structured: Cost;
  /** Bytes of both halves together. */
  budget: number;
}

const cost = (what: string, value: unknown, budget?: number): Cost => {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return {
    what,
    bytes: Buffer.byteLength(text),
    tokens: encode(text).length,
    ...(budget === undefined ? {} : { budget }),
  };
};

/** What every agent pays before its first call. */
export function definitionCosts(): Cost[] {
  const list = listed(TOOLS);
  return [
    cost("tools/list", { tools: list }, BUDGET.tools),
    ...list.map((tool) => cost(tool.name, tool)),
    cost("instructions", INSTRUCTIONS, BUDGET.instructions),
  ];
}

/** What a call brings back, on the demo home under a grant for all of it. */
export async function resultCosts(home: string): Promise<ResultCost[]> {
  const server = await startServer({ home, port: 0, log: () => undefined, prepare: demoFiller(home, () => undefined) });
  try {
    const grant = await server.host.call("issueGrant", { all: true }, HOME_OWNER);
    const call = (tool: string, args: object) => callTool(server.url, grant.access_token, tool, args);
    const { data } = (await call("schema", {})).structuredContent;
    const of = (key: string): string =>
      data.connectors.find((row: Loose) => row.connector_key === key).connections[0].connection_id;
    const mail = { stream: "messages", connection_id: of("mail") };
    const calls: [string, string, object, number][] = [
      // Each half 4 KB at most: kind, count and span of every stream are in both (K-06).
      ["schema()", "schema", {}, 7_000],
      ["schema(stream), three sets of capabilities", "schema", { stream: "messages" }, 5_000],
      ["schema(stream, connection_id)", "schema", mail, 2_500],
      ["schema(stream, connection_id, full)", "schema", { ...mail, detail: "full" }, BUDGET.page],
      ["query_records, a page of mails", "query_records", mail, BUDGET.page],
      ["query_records, 16 whole mails", "query_records", { ...mail, limit: 16 }, BUDGET.asked],
      ["query_records, 46 mails, only subject", "query_records", { ...mail, fields: ["subject"], limit: 46 }, 9_000],
      [
        "query_records, 25 mails, three fields",
        "query_records",
        { ...mail, fields: ["subject", "from_name", "sent_at"] },
        9_000,
      ],
      ["query_records, a page of long notes", "query_records", { stream: "notes" }, BUDGET.page],
      ["query_records, ambiguous", "query_records", { stream: "messages" }, BUDGET.error],
      [
        "aggregate, mails by month",
        "aggregate",
        { ...mail, metric: "count", group_by_time: "sent_at", granularity: "month" },
        BUDGET.page,
      ],
      ["search, 10 hits", "search", { query: "harbour hall" }, 7_000],
      ["search, 10 hits in titles", "search", { query: "lisbon" }, 7_000],
      ["search, 25 hits", "search", { query: "harbour hall", limit: 25 }, 12_000],
      ["fetch, a mail", "fetch", { id: `${of("mail")}/messages:m-landlord-notice` }, BUDGET.page],
      ["fetch, a document of 211,300 characters", "fetch", { id: "notes:n-harbour-survey" }, BUDGET.page],
      [
        "fetch, a window of it",
        "fetch",
        { id: `pdpp://field-window/${of("notes")}/notes/n-harbour-survey?field=body&offset=4000` },
        BUDGET.page,
      ],
    ];
    const costs: ResultCost[] = [];
    for (const [what, tool, args, budget] of calls) {
      const { content, structuredContent } = await call(tool, args);
      costs.push({
        call: what,
        text: cost("content", content),
        structured: cost("structuredContent", structuredContent),
        budget,
      });
    }
    return costs;
  } finally {
    await server.close();
  }
}

const number = (value: number): string => value.toLocaleString("en-US");

/** What the same cost before both halves counted, measured at 387c90d: bytes and tokens of both together. */
const BEFORE = JSON.parse(readFileSync(new URL("before.json", import.meta.url), "utf8")) as Record<
  string,
  { bytes: number; tokens: number }
>;

const beforeCells = (what: string): string => {
  const { bytes, tokens } = BEFORE[what]!;
  return `${number(bytes)} | ${number(tokens)}`;
};

/** The part that is the same on every run: pinned. */
export function definitionTable(): string {
  const rows = definitionCosts().map(
    ({ what, bytes, tokens, budget }) =>
      `| ${what} | ${beforeCells(what)} | ${number(bytes)} | ${number(tokens)} | ${budget === undefined ? "" : number(budget)} |`,
  );
  return ["| what | before: bytes | tokens | bytes | tokens | budget |", "|---|---|---|---|---|---|", ...rows].join(
    "\n",
  );
}

export const bothBytes = ({ text, structured }: ResultCost): number => text.bytes + structured.bytes;

export function resultTable(costs: readonly ResultCost[]): string {
  const rows = costs.map((row) => {
    const { call, text, structured, budget } = row;
    const cells = [text.bytes, text.tokens, structured.bytes, structured.tokens, bothBytes(row)];
    const tokens = text.tokens + structured.tokens;
    return `| ${call} | ${beforeCells(call)} | ${[...cells, tokens, budget].map(number).join(" | ")} |`;
  });
  return [
    "| call | before: bytes | tokens | text: bytes | tokens | structured: bytes | tokens | both: bytes | tokens | budget |",
    "|---|---|---|---|---|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}
