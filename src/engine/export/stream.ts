// An export as a stream of bytes. Only one piece is in memory; the next is read once the consumer has taken it.
import type { ExportFileQuery, ExportFormat } from "../../contract/read.ts";
import type { Credential } from "../caller.ts";
import { type EngineHost, newRequestId } from "../host.ts";
import { csvHeader } from "./csv.ts";
import type { OpenedExport, PageHead } from "./page.ts";
import { parquetEncoder } from "./parquet.ts";

export interface ExportSource {
  host: EngineHost;
  credential: Credential;
  requestId?: string;
}

export interface ExportPiece {
  bytes: Uint8Array;
  /** The number of records in this piece. For a format that buffers, the number of records read for it. */
  records: number;
}

export interface ExportStream extends OpenedExport {
  format: ExportFormat;
  pieces: AsyncGenerator<ExportPiece, void>;
  /** Writes the audit entry after the last byte. `open` wrote the entry before the first. */
  served(sent: { records: number; bytes: number }): Promise<void>;
}

/**
 * Throws before the first byte if the query or the caller is invalid. With `forFile`, nothing is sent yet, so nothing
 * is logged.
 */
export async function openExportStream(
  { host, credential, requestId = newRequestId() }: ExportSource,
  { format = "jsonl", ...asked }: ExportFileQuery,
  { forFile = false } = {},
): Promise<ExportStream> {
  const method = forFile ? "exportFile" : "export";
  const opened = await host.call(method, { ...asked, format }, credential, requestId);
  const { query, columns } = opened;
  async function* texts(): AsyncGenerator<{ text: string; records: number }, void> {
    let after: PageHead["next"];
    do {
      const page = await host.callText("exportPage", { query, format, columns, after }, credential, requestId);
      const end = page.indexOf("\n");
      const head = JSON.parse(page.slice(0, end)) as PageHead;
      yield { text: page.slice(end + 1), records: head.records };
      after = head.next;
    } while (after !== undefined);
  }
  return {
    ...opened,
    format,
    pieces: format === "parquet" ? parquetPieces(opened, texts()) : textPieces(opened, format, texts()),
    async served(sent) {
      await host.call("exportServed", { query, ...sent }, credential, requestId);
    },
  };
}

type Texts = AsyncGenerator<{ text: string; records: number }, void>;

async function* textPieces({ columns }: OpenedExport, format: ExportFormat, texts: Texts): ExportStream["pieces"] {
  let head = format === "csv" ? csvHeader(columns) : "";
  for await (const { text, records } of texts) {
    yield { bytes: Buffer.from(head + text), records };
    head = "";
  }
}

async function* parquetPieces({ columns }: OpenedExport, texts: Texts): ExportStream["pieces"] {
  const encoder = parquetEncoder(columns);
  try {
    for await (const { text, records } of texts) yield { bytes: await encoder.add(text), records };
    yield { bytes: await encoder.end(), records: 0 };
  } finally {
    await encoder.close();
  }
}
