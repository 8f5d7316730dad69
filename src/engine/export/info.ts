// Describes an export: how many records, about how many bytes in each format, and the requests that download it.
import type { ExportInfo } from "../../contract/answers.ts";
import type { ExportFormat, ExportQuery } from "../../contract/read.ts";
import { filterTexts, isHardToType } from "../../core/filter-text.ts";
import { quote } from "../../core/shell-quote.ts";
import {
  type Answer,
  appendFields,
  appendFilter,
  type ReadContext,
  recordJson,
  sourceIdentity,
} from "../read/context.ts";
import { countRecords } from "../read/records.ts";
import { exportColumns } from "./columns.ts";
import { csvHeader, csvRow } from "./csv.ts";
import { MEDIA_TYPES } from "./formats.ts";
import { type ExportRequest, exportHandleOf, exportRequest, type SourcedQuery } from "./request.ts";
import { exportRows } from "./rows.ts";

/** Sizes are estimated from the first and last records, which is cheap and gives the order of magnitude. */
const SAMPLE = { rows: 200, bytes: 4 * 1024 * 1024 };

/**
 * Relative to JSONL: prose compresses to about this share, and tables to less. In small files, the footer dominates.
 */
const PARQUET = { share: 0.25, footerBytes: 1500 };

/** Reads only the declaration, so nothing is logged. */
export async function readExportHandle(context: ReadContext, asked: ExportQuery): Promise<Answer> {
  const { query } = exportRequest(context, asked);
  const body = JSON.stringify({ object: "export_handle", handle: exportHandleOf(context.key, query) });
  return { body, records: 0, reads: [] };
}

export async function readExportInfo(context: ReadContext, asked: ExportQuery): Promise<Answer> {
  const request = exportRequest(context, asked);
  const { query, row, plan, where } = request;
  const value = await countRecords(context, plan, where);
  const bytes = await estimatedBytes(context, request, value);
  const handle = exportHandleOf(context.key, query);
  const info: ExportInfo = {
    object: "export_info",
    handle,
    stream: query.stream,
    ...sourceIdentity(row),
    count: { kind: "exact", value },
    formats: (Object.keys(MEDIA_TYPES) as ExportFormat[]).map((format) => ({
      format,
      media_type: MEDIA_TYPES[format],
      estimated_bytes: bytes[format],
      url: exportUrl(query, format, handle),
    })),
    cli: commandLine(query, handle),
    job: { method: "POST", route: "/v1/exports" },
  };
  return { body: JSON.stringify(info), row, records: 0 };
}

async function estimatedBytes(
  context: ReadContext,
  request: ExportRequest,
  count: number,
): Promise<Record<ExportFormat, number>> {
  const { row, plan, order } = request;
  const { rows } = await exportRows(context, request, undefined, SAMPLE);
  if (rows.length < count) {
    const backwards = { ...request, order: { ...order, descending: !order.descending } };
    // No record is sampled twice. If there are only a few hundred records, all are sampled and the sizes are exact.
    const left = { ...SAMPLE, rows: Math.min(SAMPLE.rows, count - rows.length) };
    rows.push(...(await exportRows(context, backwards, undefined, left)).rows);
  }
  const columns = exportColumns(plan);
  let jsonl = 0;
  let csv = 0;
  for (const record of rows) {
    const json = recordJson(row, record);
    jsonl += Buffer.byteLength(json) + 1;
    csv += Buffer.byteLength(csvRow(columns, JSON.parse(json)));
  }
  const all = (sampled: number) => (rows.length === 0 ? 0 : Math.round((sampled / rows.length) * count));
  return {
    jsonl: all(jsonl),
    csv: csvHeader(columns).length + all(csv),
    parquet: PARQUET.footerBytes + Math.round(all(jsonl) * PARQUET.share),
  };
}

/** The URL that a person would write. A query that does not fit into a query string is replaced by its handle. */
function exportUrl({ filter = {}, fields, ...query }: SourcedQuery, format: ExportFormat, handle: string): string {
  if (/[[\]]/.test(Object.keys(filter).join(""))) return `/v1/export?${new URLSearchParams({ handle, format })}`;
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, value);
  }
  if (fields !== undefined) appendFields(parameters, fields);
  appendFilter(parameters, filter);
  parameters.set("format", format);
  return `/v1/export?${parameters}`;
}

/**
 * The command that a person would type. A query with a name that the command line would take for an operator is
 * replaced by its handle.
 */
function commandLine(query: SourcedQuery, handle: string): string {
  const names = [...Object.keys(query.filter ?? {}), ...(query.fields ?? [])];
  if (query.stream.startsWith("-") || names.some(isHardToType)) return `pdpp export ${handle}`;
  const { stream, connection_id, filter = {}, fields, ...rest } = query;
  const options: [string, string | undefined][] = [
    ["connection", connection_id],
    ...filterTexts(filter).map((condition): [string, string] => ["filter", condition]),
    ["fields", fields?.join(",")],
    ...Object.entries(rest),
  ];
  const words = options.flatMap(([name, value]) => {
    if (value === undefined) return [];
    return value.startsWith("-") ? [quote(`--${name}=${value}`)] : [`--${name}`, quote(value)];
  });
  return ["pdpp", "export", quote(stream), ...words].join(" ");
}
