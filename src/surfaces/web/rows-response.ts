// The rows of a page as a file, in CSV or JSON lines, sent while they are read.

import { csvLine } from "../../engine/export/csv.ts";
import type { RowFormat } from "../http/file-answer.ts";
import { baseHeaders, type Exchange } from "../http/respond.ts";
import type { DownloadRow } from "./owner-page.ts";

const TYPES = { csv: "text/csv; charset=utf-8; header=present", jsonl: "application/x-ndjson" };

/**
 * An error before the first byte is shown as an error page. After the first byte, an error closes the connection, so
 * that nothing is silently truncated.
 */
export async function rowsResponse(
  exchange: Exchange,
  rows: AsyncIterable<DownloadRow>,
  format: RowFormat,
  name: string,
): Promise<Response> {
  const lines = linesOf(rows, format);
  let ready: IteratorResult<string, void> | undefined = await lines.next();
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = ready ?? (await lines.next());
          ready = undefined;
          if (done) controller.close();
          else controller.enqueue(encoder.encode(value));
        } catch (error) {
          exchange.abort?.();
          controller.error(error);
        }
      },
      cancel: () => lines.return().then(() => undefined),
    },
    { highWaterMark: 0 },
  );
  return new Response(body, {
    headers: {
      ...baseHeaders(exchange.requestId),
      "Content-Type": TYPES[format],
      "Content-Disposition": `attachment; filename="${name}.${format}"`,
    },
  });
}

async function* linesOf(rows: AsyncIterable<DownloadRow>, format: RowFormat): AsyncGenerator<string, void> {
  let first = true;
  for await (const row of rows) {
    if (format === "jsonl") yield `${JSON.stringify(row)}\n`;
    else yield (first ? csvLine(Object.keys(row)) : "") + csvLine(Object.values(row));
    first = false;
  }
}
