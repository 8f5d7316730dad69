// Reads an export in pieces: opens it, then reads page after page, each under the grant as it is at that moment.
import { z } from "zod";
import { type ExportFileQuery, exportFormat, exportQuery } from "../../contract/read.ts";
import type { ColumnValue } from "../../core/fields.ts";
import { type Answer, type ReadContext, recordJson } from "../read/context.ts";
import { countRecords } from "../read/records.ts";
import { type ExportColumn, exportColumns } from "./columns.ts";
import { csvRow } from "./csv.ts";
import { exportRequest, type SourcedQuery } from "./request.ts";
import { exportRows } from "./rows.ts";

/**
 * One message between threads: large enough that the transfer cost does not matter, small enough not to delay others.
 */
const PIECE = { rows: 1000, bytes: 1024 * 1024 };

/** The parts that stay the same from the first page to the last, even if declarations change. */
export interface OpenedExport {
  query: SourcedQuery;
  total: number;
  columns: ExportColumn[];
  /** The grant that the export was opened under. Absent for the owner. */
  grant_id?: string;
}

export async function openExport(
  context: ReadContext,
  { format: _format, ...asked }: ExportFileQuery,
): Promise<Answer<OpenedExport>> {
  const { query, row, plan, where } = exportRequest(context, asked);
  const opened: OpenedExport = {
    query,
    total: await countRecords(context, plan, where),
    columns: exportColumns(plan),
    ...(row.grantId === undefined ? {} : { grant_id: row.grantId }),
  };
  return { body: JSON.stringify(opened), row, records: 0, bytes: 0 };
}

/** Used by the server itself, never sent over the wire. */
export const exportPageQuery = z.strictObject({
  query: exportQuery,
  format: exportFormat,
  columns: z.array(z.custom<ExportColumn>()),
  after: z.custom<[value: ColumnValue, id: string]>().optional(),
});

export interface PageHead {
  records: number;
  /** Where the next page starts. Absent on the last page. */
  next?: [value: ColumnValue, id: string];
}

/**
 * Returns one line of JSON that describes the page, then the page itself. If the page were inside the JSON, its text
 * would be escaped and parsed twice.
 */
export async function readExportPage(
  context: ReadContext,
  { query, format, columns, after }: z.infer<typeof exportPageQuery>,
): Promise<Answer> {
  const request = exportRequest(context, query);
  const position = after && { value: after[0], id: after[1] };
  const { rows, next } = await exportRows(context, request, position, PIECE);
  const lines = rows.map((record) => {
    const json = recordJson(request.row, record);
    return format === "csv" ? csvRow(columns, JSON.parse(json)) : `${json}\n`;
  });
  const head: PageHead = { records: rows.length, ...(next === undefined ? {} : { next: [next.value, next.id] }) };
  // Not logged here, because the audit entries before the first byte and after the last byte record what was sent.
  return { body: `${JSON.stringify(head)}\n${lines.join("")}`, records: rows.length, reads: [] };
}

/** The totals of what was sent, reported afterwards. They are logged even if the grant has ended in the meantime. */
export const exportServed = z.strictObject({
  query: exportQuery,
  records: z.int().min(0),
  bytes: z.int().min(0),
});

export async function tellExportServed(
  context: ReadContext,
  { query, records, bytes }: z.infer<typeof exportServed>,
): Promise<Answer> {
  const { row } = exportRequest(context, query);
  return { body: "{}", row, records, bytes };
}
