// Measures definitions and results: calls each tool once on a real server with the demo home, and counts text and data.
import { readFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import type { RecordsQuery } from "../../src/contract/read.ts";
import { demoFiller } from "../../src/demo/fill.ts";
import { startServer } from "../../src/main.ts";
import { listedShellTools, SHELL_INSTRUCTIONS } from "../../src/surfaces/files-mcp/gate.ts";
import { BUDGET } from "../../src/surfaces/mcp/budgets.ts";
import { INSTRUCTIONS } from "../../src/surfaces/mcp/instructions.ts";
import { listed, TOOLS } from "../../src/surfaces/mcp/tools.ts";
import { plantDisk } from "../files/disk.ts";
import { shellClient } from "../files/shell-client.ts";
import { HOME_OWNER, type Loose } from "../harness.ts";
import { callTool } from "../mcp.ts";

export interface Cost {
  what: string;
  bytes: number;
  tokens: number;
  /** The budget in bytes. */
  budget?: number;
}

export interface ResultCost {
  call: string;
  text: Cost;
  structured: Cost;
  /** The budget for text and data together, in bytes. */
  budget: number;
  /** The number of entries in a listing. */
  shown?: number;
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

/** Measures what every agent reads before its first call. */
export function definitionCosts(): Cost[] {
  const list = listed(TOOLS);
  return [
    cost("tools/list", { tools: list }, BUDGET.tools),
    ...list.map((tool) => cost(tool.name, tool)),
    cost("instructions", INSTRUCTIONS, BUDGET.instructions),
  ];
}

/** The number of bytes that both halves of `schema()` together can take per connection. */
const INDEX_BYTES = 380;

/** Measures results on the demo home, under a grant for everything. */
export async function resultCosts(home: string): Promise<ResultCost[]> {
  const server = await startServer({ home, port: 0, log: () => undefined, prepare: demoFiller(home, () => undefined) });
  try {
    const grant = await server.host.call("issueGrant", { all: true }, HOME_OWNER);
    const call = (tool: string, args: object) => callTool(server.url, grant.access_token, tool, args);
    const { data } = (await call("schema", {})).structuredContent;
    const of = (key: string): string =>
      Object.keys(data.connectors.find((row: Loose) => row.connector_key === key).connections)[0]!;
    const mail = { stream: "messages", connection_id: of("mail") };
    const idWhere = async (query: RecordsQuery): Promise<string> =>
      (await server.host.call("records", query, HOME_OWNER)).data[0]!.id;
    const landlord = await idWhere({ ...mail, filter: { message_id: "m-landlord-notice@mail.example" } });
    const survey = await idWhere({
      stream: "notes",
      filter: { path: "Work/Harbour Hall acoustic survey, complete edition.md" },
    });
    const calls: [string, string, object, number][] = [
      ["schema()", "schema", {}, INDEX_BYTES * data.connection_count],
      ["schema(stream), three sets of capabilities", "schema", { stream: "messages" }, 5_000],
      ["schema(stream, connection_id)", "schema", mail, 3_500],
      ["schema(stream, connection_id, full)", "schema", { ...mail, detail: "full" }, BUDGET.page],
      ["query_records, a page of emails", "query_records", mail, BUDGET.page],
      ["query_records, 16 whole emails", "query_records", { ...mail, limit: 16 }, BUDGET.asked],
      ["query_records, 46 emails, only subject", "query_records", { ...mail, fields: ["subject"], limit: 46 }, 9_000],
      [
        "query_records, 25 emails, three fields",
        "query_records",
        { ...mail, fields: ["subject", "from_name", "sent_at"] },
        9_000,
      ],
      ["query_records, a page of long notes", "query_records", { stream: "notes" }, BUDGET.page],
      ["query_records, ambiguous", "query_records", { stream: "messages" }, BUDGET.error],
      [
        "aggregate, emails by month",
        "aggregate",
        { ...mail, metric: "count", group_by_time: "sent_at", granularity: "month" },
        BUDGET.page,
      ],
      ["search, 10 hits", "search", { query: "harbour hall" }, 7_000],
      ["search, 10 hits in titles", "search", { query: "lisbon" }, 7_000],
      ["search, 25 hits", "search", { query: "harbour hall", limit: 25 }, 12_000],
      ["fetch, an email", "fetch", { id: `${of("mail")}/messages:${landlord}` }, BUDGET.page],
      ["fetch, a document of 211,300 characters", "fetch", { id: `notes:${survey}` }, BUDGET.page],
      [
        "fetch, a window of it",
        "fetch",
        { id: `pdpp://field-window/${of("notes")}/notes/${survey}?field=body&offset=4000` },
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

/** Measures what an agent of the files lens reads before its first call. */
export function shellDefinitionCosts(): Cost[] {
  const tools = listedShellTools();
  return [
    cost("tools/list", { tools }, SHELL_TOOLS_BYTES),
    ...tools.map((tool) => cost(tool.name, tool)),
    cost("instructions", SHELL_INSTRUCTIONS, SHELL_INSTRUCTIONS_BYTES),
  ];
}

const SHELL_TOOLS_BYTES = 9_000;
const SHELL_INSTRUCTIONS_BYTES = 1_600;
/** The limits from S-20. */
const CD_BYTES = 3_500;
const LIST_BYTES = 3_000;

/** Measures results of the files lens on a generated disk with 500 files. */
export async function shellResultCosts(home: string): Promise<ResultCost[]> {
  const disk = plantDisk();
  const server = await startServer({ home, port: 0, log: () => undefined });
  try {
    const lens = await server.files();
    await lens.addRoot({ path: disk });
    const grant = await server.host.call("issueGrant", { files: { roots: [disk] } } as never, HOME_OWNER);
    const call = shellClient(server.url, (grant as Loose).access_token);
    const started = await call("index", { root: disk });
    const { jobId } = started.structuredContent;
    await lens.files.jobEnded(jobId);
    for (let n = 0; n < 20; n++)
      await call("query-run", { filter: { name: `*${n}*.jpg` }, name: `photos ${n}`, indexId: "ix1" });
    const modules = `${disk}/Projects/tide-tables/node_modules`;
    const photos = { filter: { type: "image/*" }, name: "all photos", indexId: "ix1" };
    const calls: [string, string, object, number][] = [
      ["cd, the roots", "cd", { path: "/" }, CD_BYTES],
      ["cd, 20 directories of 40", "cd", { path: modules }, CD_BYTES],
      ["cd, 20 files", "cd", { path: `${disk}/Documents/Letters` }, CD_BYTES],
      ["cd, a page of photos", "cd", { path: `${disk}/Photos/2019` }, CD_BYTES],
      ["job-progress, of a scan", "job-progress", { jobId }, LIST_BYTES],
      ["inspect, a file", "inspect", { path: `${disk}/notes.md` }, LIST_BYTES],
      ["inspect, a directory", "inspect", { path: disk }, LIST_BYTES],
      ["query-run, 10 of 300 matches", "query-run", photos, LIST_BYTES],
      ["query-list, saved queries", "query-list", {}, LIST_BYTES],
      ["resource-set-ops, list", "resource-set-ops", { op: "list" }, LIST_BYTES],
    ];
    const costs: ResultCost[] = [
      {
        call: "index, of a root",
        text: cost("content", started.content),
        structured: cost("structuredContent", started.structuredContent),
        budget: LIST_BYTES,
      },
    ];
    for (const [what, tool, args, budget] of calls) {
      const { content, structuredContent } = await call(tool, args);
      costs.push({
        call: what,
        text: cost("content", content),
        structured: cost("structuredContent", structuredContent),
        budget,
        shown: structuredContent.entries?.length,
      });
    }
    return costs;
  } finally {
    await server.close();
    rmSync(dirname(disk), { recursive: true, force: true });
  }
}

const number = (value: number): string => value.toLocaleString("en-US");

export const shellDefinitionTable = (): string =>
  [
    "| what | bytes | tokens | budget |",
    "|---|---|---|---|",
    ...shellDefinitionCosts().map(
      ({ what, bytes, tokens, budget }) =>
        `| ${what} | ${number(bytes)} | ${number(tokens)} | ${budget === undefined ? "" : number(budget)} |`,
    ),
  ].join("\n");

export const shellResultTable = (costs: readonly ResultCost[]): string =>
  [
    "| call | text: bytes | tokens | structured: bytes | tokens | both: bytes | tokens | budget |",
    "|---|---|---|---|---|---|---|---|",
    ...costs.map((row) => {
      const { call, text, structured, budget } = row;
      const cells = [text.bytes, text.tokens, structured.bytes, structured.tokens, bothBytes(row)];
      return `| ${call} | ${[...cells, text.tokens + structured.tokens, budget].map(number).join(" | ")} |`;
    }),
  ].join("\n");

/** The bytes and tokens of text and data together at commit 387c90d, when the budgets did not yet count both. */
const BEFORE = JSON.parse(readFileSync(new URL("before.json", import.meta.url), "utf8")) as Record<
  string,
  { bytes: number; tokens: number }
>;

const beforeCells = (what: string): string => {
  const { bytes, tokens } = BEFORE[what]!;
  return `${number(bytes)} | ${number(tokens)}`;
};

/** Returns the part that is the same in every run. Tests compare it exactly. */
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
