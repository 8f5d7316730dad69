// The query_records tool: pages of records limited by count or bytes, with a cursor that is exact either way.

import type { RecordList } from "../../contract/answers.ts";
import { type RecordsQuery, recordsQuery } from "../../contract/read.ts";
import type { ReadIdentity } from "../../contract/source.ts";
import { counted } from "../../core/counted.ts";
import { ALL_CONNECTIONS, ALL_STREAMS } from "../../core/scope.ts";
import { plainLine } from "../../core/unsafe-characters.ts";
import { parseArguments } from "./arguments.ts";
import { type Bounds, boundRecord, handlePrefix } from "./bounded-record.ts";
import { BUDGET, bytesOf, LISTED_FIELD, resultBytes } from "./budgets.ts";
import { requireExpandable } from "./expand-gate.ts";
import { quoted } from "./plain.ts";
import { type RecordPage, recordPage } from "./record-page.ts";
import { type RecordTable, recordTable } from "./record-table.ts";
import { CONNECTION_OR_ALL, EXPAND_LIMIT, FIELDS, FILTER, NAMES } from "./shared-arguments.ts";
import { callText, type Tool, type ToolContext, type ToolResult } from "./tool.ts";

/** The tool limits its pages by bytes, so `texts` is not needed. */
const argumentsSchema = recordsQuery.omit({ texts: true });

export const queryRecords: Tool = {
  definition: {
    name: "query_records",
    title: "List records",
    description:
      'List records of one stream, or what changed in it or in stream "all" (GET /v1/streams/{stream}/records, read-only). Narrow with filter and fields and page with cursor before reading widely; schema lists the fields. Long fields come as a preview with the id of their next window.',
    inputSchema: {
      type: "object",
      properties: {
        stream: { type: "string" },
        connection_id: CONNECTION_OR_ALL,
        filter: {
          ...FILTER,
          description:
            '{"field": value} or {"field": {"gte": a, "lt": b}}; also in: [a, b], ne: a, exists: false, for lists contains: a (ne finds missing values too)',
        },
        sort: { type: "string", description: "field; a leading - descends" },
        order: { enum: ["asc", "desc"] },
        fields: FIELDS,
        view: { type: "string" },
        limit: { type: "integer", minimum: 1, maximum: 100, description: "default 25" },
        cursor: { type: "string" },
        changes_since: { type: "string", description: "a date, now, beginning or next_changes_since" },
        count: { enum: ["none", "estimated", "exact"] },
        expand: { ...NAMES, description: "relations, if schema lists any" },
        expand_limit: EXPAND_LIMIT,
      },
      required: ["stream"],
      additionalProperties: false,
    },
  },
  async run(context, args) {
    const query = parseArguments("query_records", argumentsSchema, args);
    await requireExpandable(context.client, query);
    return page(context, query);
  },
};

/** Limits from generous to tight, for a single record that does not fit. */
const TIGHTER: readonly [Bounds, ...Bounds[]] = [
  { ...LISTED_FIELD, fields: 500, related: 100, blobs: 20 },
  { wholeChars: 400, shownChars: 400, fields: 500, related: 20, blobs: 10 },
  { wholeChars: 400, shownChars: 400, fields: 40, related: 10, blobs: 5 },
  { wholeChars: 400, shownChars: 400, fields: 18, related: 10, blobs: 5 },
  { wholeChars: 100, shownChars: 100, fields: 20, related: 5, blobs: 1 },
  { wholeChars: 20, shownChars: 20, fields: 5, related: 1, blobs: 1 },
  { wholeChars: 20, shownChars: 20, fields: 0, related: 0, blobs: 0 },
];

/** The usual reason why a filter finds nothing. */
const NOTHING = "a filter compares whole values; for words inside them use search";

/** The bytes that a page usually needs around its records, in both halves. */
const AROUND = 1_600;

async function page(context: ToolContext, query: RecordsQuery): Promise<ToolResult> {
  // Requested together with the first page, because the engine thread handles both at once.
  const exported = exportOf(context.client, query);
  const budget = query.limit === undefined ? BUDGET.page : BUDGET.asked;
  let ask: RecordsQuery = query;
  let first: RecordList | undefined;
  for (;;) {
    const list: RecordList = await context.client.records({ ...ask, texts: "full" });
    first ??= list;
    const { connection_id } = list;
    const around = { list, exported, first, byBytes: ask !== query };
    for (const bounds of list.data.length === 1 ? TIGHTER : TIGHTER.slice(0, 1)) {
      const records = list.data.map((record) => boundRecord(record, bounds));
      const isAll = connection_id === ALL_CONNECTIONS || query.stream === ALL_STREAMS;
      const shown = recordPage(records, isAll ? "" : handlePrefix(connection_id, query.stream));
      const table = recordTable(shown, connection_id);
      const result = await render(query, { ...around, shown, table });
      if (resultBytes(result) <= budget || bounds === TIGHTER.at(-1)) return result;
      if (records.length === 1) continue;
      // Request fewer records than were read, so that the next page and its cursor end at the last record that fits.
      // The count is already known.
      const limit = Math.max(1, Math.min(fitting(shown, table, budget - AROUND), records.length - 1));
      ask = { ...query, limit, count: undefined };
    }
  }
}

/** Returns how many records from the start fit, counting both halves. */
function fitting({ records }: RecordPage, { rows }: RecordTable, budget: number): number {
  let bytes = 0;
  for (const [index, record] of records.entries()) {
    bytes += bytesOf(record) + bytesOf(rows[index]);
    if (bytes > budget) return index;
  }
  return records.length;
}

interface QueryPage {
  list: RecordList;
  shown: RecordPage;
  table: RecordTable;
  /** The first page, which contains the count and the warnings. */
  first: RecordList;
  /** A handle for the whole result. */
  exported: Promise<string | undefined>;
  byBytes: boolean;
}

async function render(query: RecordsQuery, page: QueryPage): Promise<ToolResult> {
  const { list, shown, table, first, byBytes } = page;
  const { has_more, next_cursor, next_changes_since, connection_id, connector_key } = list;
  const { records, record_handle, key, shared } = shown;
  const { count } = first.meta;
  const warnings = first.meta.warnings ?? [];
  const ended = has_more ? { page_ended_by: byBytes ? ("bytes" as const) : ("limit" as const) } : {};
  const export_id = has_more ? await page.exported : undefined;
  const note = records.length === 0 && query.filter !== undefined && query.cursor === undefined ? NOTHING : undefined;
  // The next steps come before the records, because a host that cuts a result then cuts records and never the next
  // steps.
  const lines = [
    `${counted(records.length, "record")} of ${query.stream}, ${sourceText(list)}.`,
    ...(records.length === 0
      ? []
      : [`Read one: ${callText("fetch", { id: record_handle })} with the record's {${key ?? "id"}}.`]),
    `has_more: ${has_more}${ended.page_ended_by === undefined ? "" : `, page_ended_by: ${ended.page_ended_by}`}`,
    ...(count === undefined ? [] : [`count: ${count.value} (${count.kind})`]),
    ...(next_cursor === undefined ? [] : [`next_cursor: ${next_cursor} (same arguments plus cursor)`]),
    ...(next_changes_since === undefined ? [] : [`next_changes_since: ${next_changes_since} (later: changes_since)`]),
    ...(export_id === undefined ? [] : [`all of it as a file: ${callText("fetch", { id: export_id })}`]),
    ...warnings.map(({ code, message }) => `warning ${code}: ${message}`),
    ...(note === undefined ? [] : [`note: ${note}`]),
    ...table.head,
    ...table.rows,
  ];
  const { emitted_at, ingested_at, provenance } = shared;
  return {
    text: lines.join("\n"),
    structured: {
      has_more,
      ...ended,
      ...(count === undefined ? {} : { count }),
      ...(next_cursor === undefined ? {} : { next_cursor }),
      ...(next_changes_since === undefined ? {} : { next_changes_since }),
      ...(export_id === undefined ? {} : { export_id }),
      ...(warnings.length === 0 ? {} : { warnings }),
      ...(note === undefined ? {} : { note }),
      connection_id,
      ...(connector_key === undefined
        ? { connection_count: list.connection_count }
        : { connector_key, display_name: plainLine(list.display_name ?? "", 60) }),
      stream: query.stream,
      ...(records.length === 0 ? {} : { record_handle }),
      ...(emitted_at === undefined ? {} : { emitted_at }),
      ...(ingested_at === undefined ? {} : { ingested_at }),
      ...(provenance === undefined ? {} : { provenance }),
      data: records,
    },
  };
}

/** Describes the one connection, or says how many there are. */
export const sourceText = ({ connection_id, connector_key, display_name, connection_count }: ReadIdentity): string =>
  connector_key === undefined
    ? `all ${connection_count} connections`
    : `connection_id ${connection_id} (connector_key ${connector_key}, ${quoted(display_name ?? "")})`;

/** Creates a handle for the whole result. If that fails, the page is returned without it. */
async function exportOf(client: ToolContext["client"], query: RecordsQuery): Promise<string | undefined> {
  const { stream, connection_id, filter, sort, order, fields, view, cursor, changes_since } = query;
  // Changes since the beginning include everything.
  const isWhole = changes_since === undefined || changes_since === "beginning";
  if (cursor !== undefined || !isWhole) return undefined;
  try {
    return (await client.exportHandle({ stream, connection_id, filter, sort, order, fields, view })).handle;
  } catch {
    return undefined;
  }
}
